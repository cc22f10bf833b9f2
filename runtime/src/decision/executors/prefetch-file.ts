import { resolve } from 'node:path'
import { WritError } from '../../base/errors.ts'
import type { Executor } from './executor.ts'
import { regularFile, warm } from './page-cache.ts'

export const prefetchFile: Executor = async (target, on) => {
  const { texts, machine } = on
  if (target === null) throw new WritError('ACTION_TARGET_MISSING', texts.needsTarget({ action: 'PrefetchFile' }))
  const path = await regularFile(resolve(machine.workspace, target), on)
  return texts.warmed({ target, ...(await warm([path], on)) })
}

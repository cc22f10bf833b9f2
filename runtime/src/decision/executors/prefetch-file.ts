import { resolve } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import type { Executor } from './executor.ts'
import { regularFile, warm } from './page-cache.ts'

export const prefetchFile: Executor = async (target, on) => {
  const { texts, machine } = on
  if (target === null) throw new WritError('ACTION_TARGET_MISSING.none', { action: 'PrefetchFile' })
  const path = await regularFile(resolve(machine.workspace, target), on)
  return texts.warmed({ target, ...(await warm([path], on)) })
}

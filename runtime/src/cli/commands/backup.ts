import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dataPlace, loadWorkspace } from '../../agent/workspace-context.ts'
import { WritError } from '../../errors/writ-error.ts'
import { backUp } from '../../storage/backup.ts'
import { readableFile } from '../../storage/reading.ts'
import { codeOf, unwritable } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { requireJournal } from '../journal.ts'
import { operateTexts } from '../operate-texts.ts'
import { workspaceFlags } from '../workspace-flags.ts'

export async function backup(given: Given, io: Io): Promise<number> {
  const { backup: texts } = operateTexts(io.lang)
  const context = await loadWorkspace(workspaceFlags(given, io))
  const { data = '', loaded } = context
  if (loaded.config.store === 'postgres') throw new WritError('BACKUP_ELSEWHERE')
  requireJournal(context)
  const target = resolve(io.cwd, given.words[0] ?? '')
  const source = await readableFile(dataPlace(context, data))
  const { breaches, runs, events, head } = await backUp(source.file, target)
    .catch((error: unknown) => {
      // The store fails with SQLite's errors, so an error of the file system is about the copy.
      const cause = error instanceof WritError ? error.cause : error
      throw codeOf(cause) === undefined ? error : unwritable(target, cause)
    })
    .finally(() => source.close())
  const ok = breaches.length === 0
  if (given.switches.has('json')) io.stdout(`${JSON.stringify({ ok, file: target, runs, events, head, breaches })}\n`)
  else io.stdout(`${texts.done({ file: target, runs, events })}\n`)
  const folder = join(data, 'results')
  if (existsSync(folder)) io.stderr(`${texts.files({ folder })}\n`)
  if (!ok) io.stderr(`${texts.broken({ n: breaches.length })}\n`)
  return ok ? 0 : 1
}

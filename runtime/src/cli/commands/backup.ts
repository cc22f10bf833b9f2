import { resolve } from 'node:path'
import { dataPlace, settingOf } from '../../agent/setting.ts'
import { WritError } from '../../base/errors.ts'
import { backUp } from '../../storage/backup.ts'
import { readableFile } from '../../storage/reading.ts'
import { codeOf, unwritable } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { demandJournal } from '../journal.ts'
import { operateTexts } from '../operate-texts.ts'
import { settingFlags } from '../setting-flags.ts'

export async function backup(given: Given, io: Io): Promise<number> {
  const { backup: texts } = operateTexts(io.lang)
  const setting = await settingOf(settingFlags(given, io))
  const { data = '', loaded } = setting
  if (loaded.config.store === 'postgres') {
    throw new WritError('BACKUP_ELSEWHERE', texts.postgres, { hint: texts.postgresHint })
  }
  demandJournal(setting, io)
  const target = resolve(io.cwd, given.words[0] ?? '')
  const source = await readableFile(dataPlace(setting, data))
  const { breaches, runs, events, head } = await backUp(source.file, target)
    .catch((error: unknown) => {
      // The store itself fails with SQLite's errors: what the file system says is said of the copy.
      const cause = error instanceof WritError ? error.cause : error
      throw codeOf(cause) === undefined ? error : unwritable(target, cause, io)
    })
    .finally(() => source.close())
  const ok = breaches.length === 0
  if (given.switches.has('json')) io.stdout(`${JSON.stringify({ ok, file: target, runs, events, head, breaches })}\n`)
  else io.stdout(`${texts.done({ file: target, runs, events })}\n`)
  if (!ok) io.stderr(`${texts.broken({ n: breaches.length })}\n`)
  return ok ? 0 : 1
}

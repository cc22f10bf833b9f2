import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { journalFile, settingOf } from '../../agent/setting.ts'
import { WritError } from '../../base/errors.ts'
import { backUp } from '../../storage/backup.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { operateTexts } from '../operate-texts.ts'
import { settingFlags } from '../setting-flags.ts'
import { cliTexts } from '../texts.ts'

export async function backup(given: Given, io: Io): Promise<number> {
  const { backup: texts } = operateTexts(io.lang)
  const { trace } = cliTexts(io.lang)
  const { data = '', loaded } = await settingOf(settingFlags(given, io))
  if (loaded.config.store === 'postgres') {
    throw new WritError('BACKUP_ELSEWHERE', texts.postgres, { hint: texts.postgresHint })
  }
  if (!existsSync(journalFile(data))) {
    throw new WritError('NO_JOURNAL', trace.noJournal({ folder: data }), { hint: trace.noJournalHint })
  }
  const target = resolve(io.cwd, given.words[0] ?? '')
  const { breaches, runs, events, head } = await backUp(journalFile(data), target)
  const ok = breaches.length === 0
  if (given.switches.has('json')) io.stdout(`${JSON.stringify({ ok, file: target, runs, events, head, breaches })}\n`)
  else io.stdout(`${texts.done({ file: target, runs, events })}\n`)
  if (!ok) io.stderr(`${texts.broken({ n: breaches.length })}\n`)
  return ok ? 0 : 1
}

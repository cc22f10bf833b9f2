/** The journal as it stands, for verbs that only read. */
import { existsSync } from 'node:fs'
import { journalFile, openJournal, settingOf } from '../agent/setting.ts'
import { WritError } from '../base/errors.ts'
import type { Store } from '../journal/store.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { settingFlags } from './setting-flags.ts'
import { cliTexts } from './texts.ts'

/** Reading never creates one: an empty journal would pass for a whole one. */
export async function withJournal(given: Given, io: Io, work: (store: Store) => Promise<number>): Promise<number> {
  const setting = await settingOf(settingFlags(given, io))
  const { data, loaded } = setting
  if (data !== undefined && loaded.config.store === 'sqlite' && !existsSync(journalFile(data))) {
    const { trace } = cliTexts(io.lang)
    throw new WritError('NO_JOURNAL', trace.noJournal({ folder: data }), { hint: trace.noJournalHint })
  }
  const store = await openJournal(setting)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

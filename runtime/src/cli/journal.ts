/** The journal as it stands, for verbs that only read. */
import { existsSync } from 'node:fs'
import { journalFile, openData, settingOf } from '../agent/setting.ts'
import { WritError } from '../base/errors.ts'
import type { Store } from '../journal/store.ts'
import type { Leases } from '../storage/leases.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { settingFlags } from './setting-flags.ts'
import { cliTexts } from './texts.ts'

/** Reading never creates one: an empty journal would pass for a whole one. */
export async function withJournal(
  given: Given,
  io: Io,
  work: (store: Store, leases: Leases) => Promise<number>,
): Promise<number> {
  const setting = await settingOf(settingFlags(given, io))
  const { data, loaded } = setting
  if (data !== undefined && loaded.config.store === 'sqlite' && !existsSync(journalFile(data))) {
    const { trace } = cliTexts(io.lang)
    throw new WritError('NO_JOURNAL', trace.noJournal({ folder: data }), { hint: trace.noJournalHint })
  }
  const { storeOn } = await import('../storage/open.ts')
  const { leasesOn } = await import('../storage/leases.ts')
  const db = await openData(setting)
  const store = storeOn(db)
  try {
    return await work(store, leasesOn(db))
  } finally {
    await store.close()
  }
}

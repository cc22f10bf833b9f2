/** The journal as it stands, for verbs that only read. */
import { openDataToRead, type Setting, settingOf } from '../agent/setting.ts'
import { WritError } from '../base/errors.ts'
import type { Store } from '../journal/store.ts'
import type { Leases } from '../storage/leases.ts'
import { hasJournal } from './data.ts'
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
  demandJournal(setting, io)
  const { storeOn } = await import('../storage/open.ts')
  const { leasesOn } = await import('../storage/leases.ts')
  const db = await openDataToRead(setting)
  const store = storeOn(db)
  try {
    return await work(store, leasesOn(db))
  } finally {
    await store.close()
  }
}

export function demandJournal(setting: Setting, { lang }: Io): void {
  if (hasJournal(setting, lang)) return
  const { trace } = cliTexts(lang)
  throw new WritError('NO_JOURNAL', trace.noJournal({ folder: setting.data ?? '' }), { hint: trace.noJournalHint })
}

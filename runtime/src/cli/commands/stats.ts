import { settingOf } from '../../agent/setting.ts'
import { collectStats } from '../../journal/collect.ts'
import { PRICES } from '../../journal/prices.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { settingFlags } from '../setting-flags.ts'
import { statsText } from '../stats-text.ts'
import { timeFlag } from '../time-flag.ts'

export async function stats(given: Given, io: Io): Promise<number> {
  const since = timeFlag(given, 'since', io)
  const { loaded } = await settingOf(settingFlags(given, io))
  const prices = { ...PRICES, ...loaded.config.prices }
  return withJournal(given, io, async (store) => {
    const found = (await collectStats(store, since === undefined ? {} : { since })).stats(prices)
    io.stdout(given.switches.has('json') ? `${JSON.stringify(found)}\n` : statsText(found, prices, io.lang))
    return 0
  })
}

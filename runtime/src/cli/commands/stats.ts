import { loadWorkspace } from '../../agent/workspace-context.ts'
import { present } from '../../base/present.ts'
import { collectStats } from '../../journal/collect-stats.ts'
import { PRICES } from '../../journal/prices.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { statsText } from '../stats-text.ts'
import { timeFlag } from '../time-flag.ts'
import { workspaceFlags } from '../workspace-flags.ts'

export async function stats(given: Given, io: Io): Promise<number> {
  const since = timeFlag(given, 'since')
  const { loaded } = await loadWorkspace(workspaceFlags(given, io))
  const prices = { ...PRICES, ...loaded.config.prices }
  return withJournal(given, io, async (store) => {
    const found = (await collectStats(store, present({ since }))).stats(prices)
    io.stdout(given.switches.has('json') ? `${JSON.stringify(found)}\n` : statsText(found, prices, io.lang))
    return 0
  })
}

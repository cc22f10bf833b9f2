import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { OtherPolicy } from '../../agent/other-policy.ts'
import { loadWorkspace } from '../../agent/workspace-context.ts'
import { messageOf } from '../../base/errors.ts'
import { configWarnings } from '../../config/untrusted.ts'
import { WritError } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import type { Breach } from '../../journal/breach.ts'
import { ComparisonBuilder } from '../../replay/comparison.ts'
import { SummaryBuilder } from '../../replay/summary.ts'
import { type Redecision, redecide } from '../../replay/what-if.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { type RecordedRun, runOf, runsInFile, runsSince } from '../recorded.ts'
import { type ComparisonReport, comparisonText, summaryText } from '../replay-text.ts'
import { timeFlag } from '../time-flag.ts'
import { workspaceFlags } from '../workspace-flags.ts'

type Runs = AsyncIterable<RecordedRun | Breach> | Iterable<RecordedRun>

/** Sums up recorded runs; with --config, compares them with that policy's decisions. */
export async function replay(given: Given, io: Io): Promise<number> {
  const { all, name, since } = requested(given)
  const config = given.values.config
  const work = async (runs: Runs) =>
    config === undefined ? summed(runs, given, io) : compared(runs, given, { io, config, all })

  if (name !== undefined && isFile(name, io)) return work(runsInFile(name, io))
  // The journal's place comes from the workspace's configuration, not from the one to compare with.
  const { config: _, ...values } = given.values
  return withJournal({ ...given, values }, io, async (store) => {
    if (name === undefined) return work(runsSince(store, since))
    const run = await runOf(store, name)
    if (run === undefined) throw new WritError('RUN_UNKNOWN', { run: name })
    return work([run])
  })
}

function requested(given: Given) {
  const [name] = given.words
  const all = given.switches.has('all')
  if (all && name !== undefined)
    throw new WritError('USAGE.exclusive', { names: ['--all', `"${name}"`], verb: 'replay' })
  if (!all && name === undefined) throw new WritError('USAGE.replayNothing')
  if (!all && given.values.since !== undefined) throw new WritError('USAGE.sinceWithoutAll')
  return { all, name, since: timeFlag(given, 'since') }
}

function isFile(name: string, io: Io): boolean {
  return name === '-' || statSync(resolve(io.cwd, name), { throwIfNoEntry: false })?.isDirectory() === false
}

async function summed(runs: Runs, { switches }: Given, io: Io): Promise<number> {
  const account = new SummaryBuilder()
  for await (const run of runs) {
    if ('events' in run) await withEventErrors(run, async () => account.addRun(run.events))
    else account.addBreach(run)
  }
  const summary = account.summary()
  // S2's name for the same counts, as `writ decide` has it.
  const printed = { ...summary, denial_counts: summary.denied }
  io.stdout(switches.has('json') ? `${JSON.stringify(printed)}\n` : summaryText(summary, io.lang))
  return summary.chain.ok ? 0 : 1
}

async function compared(
  runs: Runs,
  given: Given,
  { io, config, all }: { io: Io; config: string; all: boolean },
): Promise<number> {
  const { loaded } = await loadWorkspace(workspaceFlags(given, io))
  for (const text of configWarnings(loaded)) io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
  const other: OtherPolicy = { policy: loaded.policy, disabledTools: loaded.config.tools.disabled }
  const account = new SummaryBuilder()
  // As JSON, the reasons stay as the run would have recorded them.
  const lang = given.switches.has('json') ? undefined : io.lang
  const comparing = new ComparisonBuilder()
  const changes: Redecision[] = []
  for await (const run of runs) {
    if (!('events' in run)) {
      account.addBreach(run)
      continue
    }
    await withEventErrors(run, async () => {
      account.addRun(run.events)
      const started = run.events.find((event) => event.type === 'run.started')
      if (started === undefined) return
      const inheritance = started.data.history > 0 ? await run.session() : { history: [] }
      comparing.addRun(
        redecide(run.events, other, inheritance, lang),
        all ? undefined : (change) => changes.push(change),
      )
    })
  }
  const { kinds, ...counts } = comparing.result()
  const { chain, verdicts } = account.summary()
  const left = verdicts.allow + verdicts.ask + verdicts.deny - counts.proposals
  const report: ComparisonReport = { ...counts, ...(all ? { kinds } : { changes }), left, chain }
  io.stdout(
    given.switches.has('json') ? `${JSON.stringify(report)}\n` : comparisonText(report, { config, lang: io.lang }),
  )
  return chain.ok ? 0 : 1
}

/** A file edited by hand can contain an event without the data its type needs. */
async function withEventErrors(run: RecordedRun, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new WritError('EVENT_INVALID', { run: run.runId, why: messageOf(error) }, { cause: error })
  }
}

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Comparing } from '../../agent/comparison.ts'
import { settingOf } from '../../agent/setting.ts'
import { type OtherPolicy, type Redecision, redecide } from '../../agent/what-if.ts'
import { systemClock } from '../../base/clock.ts'
import { messageOf, WritError } from '../../base/errors.ts'
import { configWarnings } from '../../config/untrusted.ts'
import { messages } from '../../i18n/locale.ts'
import { Account } from '../../journal/replay.ts'
import type { Breach } from '../../journal/store.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { type RecordedRun, runOf, runsInFile, runsSince } from '../recorded.ts'
import { type ComparisonReport, comparisonText, summaryText } from '../replay-text.ts'
import { settingFlags } from '../setting-flags.ts'
import { cliTexts } from '../texts.ts'
import { timeOf } from '../time-flag.ts'

type Runs = AsyncIterable<RecordedRun | Breach> | Iterable<RecordedRun>

/** What recorded runs amount to; with a configuration, what its policy would have made of them. */
export async function replay(given: Given, io: Io): Promise<number> {
  const { replay: texts, trace } = cliTexts(io.lang)
  const { all, name, since } = asked(given, io)
  const config = given.values.config
  const work = async (runs: Runs) =>
    config === undefined ? summed(runs, given, io) : compared(runs, given, { io, config, all })

  if (name !== undefined && isFile(name, io)) return work(runsInFile(name, io))
  // The journal is where the workspace's own configuration says, whatever the policy to compare with says of it.
  const { config: _, ...values } = given.values
  return withJournal({ ...given, values }, io, async (store) => {
    if (name === undefined) return work(runsSince(store, since))
    const run = await runOf(store, name)
    if (run === undefined) throw new WritError('RUN_UNKNOWN', trace.unknown({ id: name }), { hint: texts.whichHint })
    return work([run])
  })
}

function asked({ words, switches, values }: Given, io: Io) {
  const { replay: texts, usage } = cliTexts(io.lang)
  const hint = usage.verbHelp({ verb: 'replay' })
  const [name] = words
  const all = switches.has('all')
  if (all && name !== undefined) throw new WritError('USAGE', texts.both, { hint })
  if (!all && name === undefined) throw new WritError('USAGE', texts.which, { hint: texts.whichHint })
  if (!all && values.since !== undefined) throw new WritError('USAGE', texts.sinceAlone, { hint })
  if (values.since === undefined) return { all, name, since: undefined }
  const since = timeOf(values.since, systemClock.now())
  if (since === undefined) {
    throw new WritError('USAGE', texts.badSince({ text: values.since }), { hint: texts.sinceHint })
  }
  return { all, name, since }
}

function isFile(name: string, io: Io): boolean {
  return name === '-' || statSync(resolve(io.cwd, name), { throwIfNoEntry: false })?.isDirectory() === false
}

async function summed(runs: Runs, { switches }: Given, io: Io): Promise<number> {
  const account = new Account()
  for await (const run of runs) {
    if ('events' in run) await legibly(run, io, async () => account.addRun(run.events))
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
  const { loaded } = await settingOf(settingFlags(given, io))
  for (const text of configWarnings(loaded)) io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
  const other: OtherPolicy = { policy: loaded.policy, disabledTools: loaded.config.tools.disabled }
  const account = new Account()
  const comparing = new Comparing()
  const changes: Redecision[] = []
  for await (const run of runs) {
    if (!('events' in run)) {
      account.addBreach(run)
      continue
    }
    await legibly(run, io, async () => {
      account.addRun(run.events)
      const started = run.events.find((event) => event.type === 'run.started')
      if (started === undefined) return
      const inheritance = started.data.history > 0 ? await run.session() : { history: [] }
      comparing.addRun(redecide(run.events, other, inheritance), all ? undefined : (change) => changes.push(change))
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

/** An event that lacks what its type needs, as only a file made by hand can hold. */
async function legibly(run: RecordedRun, io: Io, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const { replay: texts } = cliTexts(io.lang)
    const fact = texts.misshapen({ run: run.runId, why: messageOf(error) })
    throw new WritError('EVENT_INVALID', fact, { hint: texts.fileHint, cause: error })
  }
}

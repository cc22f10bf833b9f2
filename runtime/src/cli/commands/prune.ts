import { loadWorkspace, openData, type WorkspaceContext } from '../../agent/workspace-context.ts'
import { forgetDeletedRuns } from '../../assembly/undo.ts'
import { systemClock } from '../../base/clock.ts'
import { WritError } from '../../errors/writ-error.ts'
import { breachText } from '../../i18n/breach.ts'
import { type Pruning, prune as pruneStore } from '../../journal/prune.ts'
import type { ActingDatabase } from '../../storage/acting.ts'
import { storeOn } from '../../storage/open.ts'
import { eraseSession } from '../../storage/prune.ts'
import { resultFiles } from '../../storage/result-files.ts'
import { canAsk, offerAdoption } from '../adoption.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { requireJournal } from '../journal.ts'
import { operateTexts } from '../operate-texts.ts'
import { readFromTerminal } from '../question.ts'
import { timeFlag } from '../time-flag.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const DAY_MS = 86_400_000

export async function prune(given: Given, io: Io): Promise<number> {
  const { session } = given.values
  const limits = (['before', 'keep', 'session'] as const).filter((flag) => given.values[flag] !== undefined)
  if (limits.length > 1) {
    throw new WritError('USAGE.exclusive', { names: limits.map((flag) => `--${flag}`), verb: 'prune' })
  }
  const context = await loadWorkspace(workspaceFlags(given, io))
  if (session !== undefined) return eraseOne(session, { given, io, context })
  const now = systemClock.now()
  const { days } = context.loaded.config.retention
  const retained = days === undefined ? undefined : now - days * DAY_MS
  const limit = timeFlag(given, 'before') ?? timeFlag(given, 'keep') ?? retained
  if (limit === undefined) throw new WritError('USAGE.pruneNothing')
  const dryRun = given.switches.has('dry-run')
  return withOwnJournal({ given, io, context }, async (db) => {
    const store = storeOn(db)
    const look = () => pruneStore(store, { before: limit, now, dryRun: true })
    if (!dryRun && asks(given) && !(await agreed(await look(), { given, io }))) return 1
    const pruning = dryRun ? await look() : await pruneStore(store, { before: limit, now })
    if (!dryRun) await forgetDeletedRuns(context.world, store)
    report(pruning, { given, io })
    return pruning.kept.length === 0 ? 0 : 1
  })
}

/** In a terminal. A script has said what it wants deleted by its flags. */
function asks(given: Given): boolean {
  return canAsk(given) && !given.switches.has('yes') && !given.switches.has('json')
}

async function agreed({ runs, events }: Pick<Pruning, 'runs' | 'events'>, { given, io }: { given: Given; io: Io }) {
  if (runs === 0) return true
  const { prune: texts } = operateTexts(io.lang)
  io.stderr(`${texts.would({ runs, events })}\n`)
  if (/^\s*y(?:es)?\s*$/i.test(await readFromTerminal(`${texts.ask} `, given.signal))) return true
  io.stderr(`${texts.declined}\n`)
  return false
}

function report({ runs, events, kept }: Pruning, { given, io }: { given: Given; io: Io }): void {
  const { prune: texts } = operateTexts(io.lang)
  const dryRun = given.switches.has('dry-run')
  if (given.switches.has('json')) {
    io.stdout(`${JSON.stringify({ runs, events, kept, dryRun })}\n`)
    return
  }
  const said = dryRun ? texts.would({ runs, events }) : texts.done({ runs, events })
  io.stdout(`${runs === 0 ? texts.nothing : said}\n`)
  for (const { runId, seq, fault } of kept) {
    io.stderr(`${texts.kept({ run: runId, seq, why: breachText(fault, io.lang) })}\n`)
  }
}

/** All of one conversation, regardless of age. */
async function eraseOne(
  sessionId: string,
  { given, io, context }: { given: Given; io: Io; context: WorkspaceContext },
): Promise<number> {
  return withOwnJournal({ given, io, context }, async (db) => {
    const events = await storeOn(db).readSession(sessionId)
    if (events.length === 0) throw new WritError('SESSION_UNKNOWN.stored', { id: sessionId })
    const dryRun = given.switches.has('dry-run')
    const held = new Set(events.map(({ runId }) => runId)).size
    if (!dryRun && asks(given) && !(await agreed({ runs: held, events: events.length }, { given, io }))) return 1
    const { runs } = dryRun ? { runs: held } : await eraseSession(db, sessionId, systemClock.now())
    if (!dryRun) await forgetDeletedRuns(context.world, storeOn(db))
    report({ runs, events: events.length, kept: [] }, { given, io })
    return 0
  })
}

/** Deletes only in an existing journal of a folder that is bound to this user. */
async function withOwnJournal(
  { given, io, context }: { given: Given; io: Io; context: WorkspaceContext },
  work: (db: ActingDatabase) => Promise<number>,
): Promise<number> {
  requireJournal(context)
  await offerAdoption(context, given, io)
  const db = await openData(context)
  try {
    const code = await work(db)
    // Also of runs that were deleted before, should a crash have left some.
    if (!given.switches.has('dry-run') && context.data !== undefined) {
      await resultFiles(context.data).keepOnly(await storeOn(db).readRunIds())
    }
    return code
  } finally {
    await db.close()
  }
}

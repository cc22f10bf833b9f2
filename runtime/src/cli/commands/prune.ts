import { openData, type Setting, settingOf } from '../../agent/setting.ts'
import { systemClock } from '../../base/clock.ts'
import { WritError } from '../../base/errors.ts'
import { type Pruning, prune as pruneStore } from '../../journal/prune.ts'
import type { ActingDatabase } from '../../storage/acting.ts'
import { storeOn } from '../../storage/open.ts'
import { eraseSession } from '../../storage/prune.ts'
import { offerAdoption } from '../adoption.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { demandJournal } from '../journal.ts'
import { operateTexts } from '../operate-texts.ts'
import { settingFlags } from '../setting-flags.ts'
import { cliTexts } from '../texts.ts'
import { timeFlag } from '../time-flag.ts'

const DAY_MS = 86_400_000

export async function prune(given: Given, io: Io): Promise<number> {
  const { prune: texts } = operateTexts(io.lang)
  const { before, keep, session } = given.values
  if ([before, keep, session].filter((value) => value !== undefined).length > 1) {
    throw new WritError('USAGE', texts.oneOf, { hint: texts.whichHint })
  }
  const setting = await settingOf(settingFlags(given, io))
  if (session !== undefined) return eraseOne(session, { given, io, setting })
  const now = systemClock.now()
  const { days } = setting.loaded.config.retention
  const kept = days === undefined ? undefined : now - days * DAY_MS
  const limit = timeFlag(given, 'before', io) ?? timeFlag(given, 'keep', io) ?? kept
  if (limit === undefined) throw new WritError('USAGE', texts.which, { hint: texts.whichHint })
  const dryRun = given.switches.has('dry-run')
  return withOwnJournal({ given, io, setting }, async (db) => {
    const store = storeOn(db)
    const pruning = await pruneStore(store, { before: limit, now, ...(dryRun ? { dryRun } : {}) })
    report(pruning, { given, io })
    return pruning.kept.length === 0 ? 0 : 1
  })
}

function report({ runs, events, kept }: Pruning, { given, io }: { given: Given; io: Io }): void {
  const { prune: texts } = operateTexts(io.lang)
  const dryRun = given.switches.has('dry-run')
  if (given.switches.has('json')) {
    io.stdout(`${JSON.stringify({ runs, events, kept, dryRun })}\n`)
    return
  }
  io.stdout(`${dryRun ? texts.would({ runs, events }) : texts.done({ runs, events })}\n`)
  for (const { runId, seq, why } of kept) io.stderr(`${texts.kept({ run: runId, seq, why })}\n`)
}

/** Everything of one conversation, whatever its age. */
async function eraseOne(
  sessionId: string,
  { given, io, setting }: { given: Given; io: Io; setting: Setting },
): Promise<number> {
  const { prune: texts } = operateTexts(io.lang)
  const { trace } = cliTexts(io.lang)
  return withOwnJournal({ given, io, setting }, async (db) => {
    const events = await storeOn(db).readSession(sessionId)
    if (events.length === 0) {
      throw new WritError('SESSION_UNKNOWN', texts.noSession({ id: sessionId }), { hint: trace.unknownHint })
    }
    const dryRun = given.switches.has('dry-run')
    const held = new Set(events.map(({ runId }) => runId)).size
    const { runs } = dryRun ? { runs: held } : await eraseSession(db, sessionId, systemClock.now())
    report({ runs, events: events.length, kept: [] }, { given, io })
    return 0
  })
}

/** What is deleted in a folder must be this user's own; there must be a journal, too. */
async function withOwnJournal(
  { given, io, setting }: { given: Given; io: Io; setting: Setting },
  work: (db: ActingDatabase) => Promise<number>,
): Promise<number> {
  demandJournal(setting, io)
  await offerAdoption(setting, given, io)
  const db = await openData(setting)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

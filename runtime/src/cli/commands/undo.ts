/** `writ undo` and `/undo`: what would be restored, then the restoring. */
import { loadWorkspace, openData } from '../../agent/workspace-context.ts'
import { latestChanges, previewUndo, type UndoEngine, type UndoPreview, undoRun } from '../../assembly/undo.ts'
import { systemClock } from '../../base/clock.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { RunFilter } from '../../journal/store.ts'
import { EVERYONE, LOCAL } from '../../protocol/principal.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { leasesOn } from '../../storage/leases.ts'
import { storeOn } from '../../storage/open.ts'
import { shadowFolder } from '../../tool/undo/shadow.ts'
import { canAsk, offerAdoption } from '../adoption.ts'
import type { ChatDeps } from '../chat/chat-deps.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { requireJournal } from '../journal.ts'
import { readFromTerminal } from '../question.ts'
import { undoTexts } from '../undo-texts.ts'
import { fit } from '../visible.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const TASK_WIDTH = 70
const SHOWN = 100

export async function undo(given: Given, io: Io): Promise<number> {
  const context = await loadWorkspace(workspaceFlags(given, io))
  requireJournal(context)
  await offerAdoption(context, given, io)
  const db = await openData(context)
  const { world, redact, loaded } = context
  const { maxBytes } = loaded.config.undo
  const engine = { store: storeOn(db), leases: leasesOn(db), clock: systemClock, redact, world, maxBytes }
  try {
    const [named] = given.words
    const { switches, signal } = given
    const json = switches.has('json')
    const ask = canAsk(given) && !json ? (prompt: string) => readFromTerminal(prompt, signal) : undefined
    const view = { io, json, signal, yes: switches.has('yes'), dryRun: switches.has('dry-run'), ask }
    return await undoOne(engine, { named, filter: { whose: EVERYONE } }, view)
  } finally {
    await db.close()
  }
}

export async function undoInChat(
  { agent, sessionId, given, io, ask }: ChatDeps,
  [named]: readonly string[],
): Promise<void> {
  const { maxBytes } = agent.config.config.undo
  const engine = { ...agent.engine, leases: leasesOn(agent.db), maxBytes }
  if (named === undefined && sessionId === undefined) throw new WritError('UNDO_NOTHING')
  const { switches, signal } = given
  const filter = { whose: LOCAL, ...(sessionId !== undefined && { sessionId }) }
  await undoOne(engine, { named, filter }, { io, json: false, signal, yes: switches.has('yes'), dryRun: false, ask })
}

interface UndoView {
  io: Io
  json: boolean
  yes: boolean
  dryRun: boolean
  signal: AbortSignal
  /** Undefined when no one can be asked. */
  ask: ((prompt: string) => Promise<string>) | undefined
}

async function undoOne(
  engine: UndoEngine,
  { named, filter }: { named: string | undefined; filter: RunFilter },
  { io, json, yes, dryRun, signal, ask }: UndoView,
): Promise<number> {
  const texts = undoTexts(io.lang)
  const preview = named === undefined ? await latestUndoable(engine, filter, io) : await previewUndo(engine, named)
  const { runId } = preview
  if (!json) io.stdout(`${previewText(preview, io)}\n`)
  if (dryRun) {
    io.stdout(json ? `${JSON.stringify({ ...preview, dryRun })}\n` : `${texts.dryRun}\n`)
    return 0
  }
  if (preview.files.length > 0 && !yes) {
    if (ask === undefined) throw new WritError('UNDO_UNCONFIRMED')
    if (!/^\s*y(?:es)?\s*$/i.test(await ask(texts.ask))) {
      io.stdout(`${texts.declined}\n`)
      return 1
    }
  }
  const result = await undoRun(engine, runId, { by: 'user', signal })
  const { restored, failed, conflicts } = result
  if (json) io.stdout(`${JSON.stringify({ ...result, dryRun })}\n`)
  else {
    for (const { path, why } of failed) io.stderr(`${texts.failed({ path: oneLine(path), why: oneLine(why) })}\n`)
    const folder = shadowFolder(engine.world) ?? ''
    if (restored.length > 0)
      io.stdout(`${texts.done({ files: restored.length })}\n${texts.back({ folder, tree: result.tree })}\n`)
  }
  return failed.length + conflicts.length === 0 ? 0 : 1
}

/** The latest run of which something can be restored; those passed over are named. Of none, the latest run. */
async function latestUndoable(engine: UndoEngine, filter: RunFilter, io: Io): Promise<UndoPreview> {
  const passed: UndoPreview[] = []
  for await (const runId of latestChanges(engine.store, filter)) {
    const preview = await previewUndo(engine, runId).catch((error: unknown) => {
      if (passed.length === 0) throw error
    })
    if (preview === undefined) break
    if (preview.files.length === 0 && preview.conflicts.length > 0) {
      passed.push(preview)
      continue
    }
    for (const { runId: run, task, conflicts } of passed) {
      const words = { run, task: fit(oneLine(task), TASK_WIDTH), files: conflicts.length }
      io.stderr(`${undoTexts(io.lang).passedOver(words)}\n`)
    }
    return preview
  }
  const [latest] = passed
  if (latest === undefined) throw new WritError('UNDO_NOTHING')
  return latest
}

function previewText(preview: UndoPreview, io: Io): string {
  const { runId, task, killed, files, conflicts, unrestored, outside, remote, git } = preview
  const texts = undoTexts(io.lang)
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [title, ...shown(lines, io)]
  return [
    texts.title({ run: runId, task: fit(oneLine(task), TASK_WIDTH) }),
    ...(files.length + conflicts.length === 0 ? [texts.nothing] : []),
    ...(killed ? [texts.killed] : []),
    ...shown(
      files.map(({ path, change, late }) => `${texts.change[change]} ${path}${late ? ` (${texts.late})` : ''}`),
      io,
    ),
    ...list(
      texts.conflicts,
      conflicts.map(({ path, why }) => `${path} (${texts.why[why]})`),
    ),
    ...list(
      texts.unrestored,
      unrestored.map(
        ({ path, why, unsure }) => `${path} (${texts.skipped[why]}${unsure === true ? `; ${texts.unsure}` : ''})`,
      ),
    ),
    ...list(texts.outside, outside),
    ...list(texts.remote, remote),
    ...list(texts.git, git),
  ].join('\n')
}

function shown(lines: readonly string[], io: Io): string[] {
  const rest = lines.length - SHOWN
  const more = rest > 0 ? [`  ${undoTexts(io.lang).more({ n: rest })}`] : []
  return [...lines.slice(0, SHOWN).map((line) => `  ${oneLine(line)}`), ...more]
}

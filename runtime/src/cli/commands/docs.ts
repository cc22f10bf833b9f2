/** `writ docs …`: the index that scouts search. */
import { styleText } from 'node:util'
import { loadWorkspace, type WorkspaceContext } from '../../agent/workspace-context.ts'
import { openWorkspaceDocs } from '../../assembly/docs.ts'
import type { Docs, Progress, SkipReason } from '../../ports/docs.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import { hasJournal, writableWorkspace } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { cliTexts } from '../texts.ts'
import { fit } from '../visible.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const CANCELLED = 130
const HITS = 10
const BAR_WIDTH = 30
const BAR_MS = 100

export function docsIndex(given: Given, io: Io): Promise<number> {
  return withDocs(given, io, async (docs, at) => {
    const { docs: texts } = cliTexts(at.lang)
    const bar = barOn(process.stderr, { env: io.env, label: texts.bar })
    let progress: Progress = { done: 0, total: 0 }
    try {
      const refreshed = await docs.refresh((now) => {
        progress = now
        bar.show(now)
      }, given.signal)
      bar.clear()
      const text = texts.indexed(refreshed)
      io.stdout(`${given.switches.has('json') ? JSON.stringify(refreshed) : text}\n`)
      return 0
    } catch (error) {
      bar.clear()
      if (!given.signal.aborted) throw error
      io.stderr(`${texts.stopped(progress)}\n`)
      return CANCELLED
    }
  })
}

export function docsSearch(given: Given, io: Io): Promise<number> {
  return withDocs(given, io, async (docs, at) => {
    const { docs: texts } = cliTexts(at.lang)
    const answer = await docs.search(given.words.join(' '), { limit: HITS, signal: given.signal })
    if (given.switches.has('json')) {
      io.stdout(`${JSON.stringify(answer)}\n`)
      return 0
    }
    const paint = { stream: process.stdout }
    for (const { id, line, title, snippet } of answer.hits) {
      const place = styleText('bold', `${oneLine(id)}:${line}`, paint)
      io.stdout(`${place}  ${styleText('dim', oneLine(title), paint)}\n  ${visible(snippet)}\n`)
    }
    if (answer.hits.length === 0) io.stdout(`${texts.none}\n`)
    if (answer.indexing !== undefined) io.stderr(`${texts.indexing(answer.indexing)}\n`)
    return 0
  })
}

export async function docsStatus(given: Given, io: Io): Promise<number> {
  const context = await loadWorkspace(workspaceFlags(given, io))
  // Reading creates no store: without one, the index is empty.
  return workOn(hasJournal(context) ? context : { ...context, data: undefined }, io, async (docs, at) => {
    const { docs: texts } = cliTexts(at.lang)
    const status = await docs.status()
    const { roots, lost, documents, sections, skipped, indexedAt } = status
    if (given.switches.has('json')) {
      io.stdout(`${JSON.stringify(status)}\n`)
      return 0
    }
    const reasons = Object.entries(skipped).map(([why, n]) => `${texts.skipped[why as SkipReason]}: ${n}`)
    const lines = [
      texts.roots({ roots: roots.map(oneLine).join(', ') || '-' }),
      ...(lost.length === 0 ? [] : [texts.lost({ roots: lost.map(oneLine).join(', ') })]),
      [texts.counts({ documents, sections }), ...reasons].join(' · '),
      indexedAt === undefined ? texts.never : texts.at({ time: new Date(indexedAt).toISOString() }),
    ]
    io.stdout(`${lines.join('\n')}\n`)
    return 0
  })
}

type DocsWork = (docs: Docs, at: Io) => Promise<number>

async function withDocs(given: Given, io: Io, work: DocsWork): Promise<number> {
  return workOn(await writableWorkspace(given, io), io, work)
}

async function workOn(context: WorkspaceContext, io: Io, work: DocsWork): Promise<number> {
  const docs = await openWorkspaceDocs(context)
  try {
    return await work(docs, { ...io, lang: context.loaded.lang })
  } finally {
    await docs.close()
  }
}

/** Nothing without a terminal. */
function barOn(
  stream: NodeJS.WriteStream,
  { env, label }: { env: Io['env']; label(progress: Progress): string },
): { show(progress: Progress): void; clear(): void } {
  if (stream.isTTY !== true || env.TERM === 'dumb') return { show: () => {}, clear: () => {} }
  const clear = '\r\x1b[J'
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    show(progress) {
      const now = performance.now()
      if (now - drawnAt < BAR_MS) return
      drawnAt = now
      const full = progress.total === 0 ? 0 : Math.floor((BAR_WIDTH * progress.done) / progress.total)
      const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`
      stream.write(`${clear}${fit(`${bar} ${label(progress)}`, (stream.columns || 80) - 1)}\r`)
    },
    clear: () => void stream.write(clear),
  }
}

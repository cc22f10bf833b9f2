/** `writ memory …`: list, show and delete what the agent remembers about its user. */
import { loadWorkspace } from '../../agent/workspace-context.ts'
import { openWorkspaceMemories } from '../../assembly/memories.ts'
import { present } from '../../base/present.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Lang } from '../../i18n/locale.ts'
import type { KeptMemories, OwnedEntry } from '../../ports/memory.ts'
import { EVERYONE, LOCAL } from '../../protocol/principal.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import { hasJournal } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { memoryTexts } from '../memory-texts.ts'
import { textTable } from '../table.ts'
import { fit } from '../visible.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const LISTED = 1000
const CONTENT_WIDTH = 80

export function memoryList(given: Given, io: Io): Promise<number> {
  return withMemory(given, io, async (memory, lang) => {
    const query = given.words.join(' ')
    const entries = await memory.list({ limit: LISTED, ...present({ query: query === '' ? undefined : query }) })
    if (given.switches.has('json')) for (const entry of entries) io.stdout(`${JSON.stringify(entry)}\n`)
    else io.stdout(`${memoryTable(entries, { lang, searched: query !== '' })}\n`)
    return 0
  })
}

export function memoryShow(given: Given, io: Io): Promise<number> {
  const [id = ''] = given.words
  return withMemory(given, io, async (memory, lang) => {
    const entry = await memory.find(id)
    if (entry === undefined) throw unknown(id)
    io.stdout(`${given.switches.has('json') ? JSON.stringify(entry) : memoryText(entry, lang)}\n`)
    return 0
  })
}

export function memoryForget(given: Given, io: Io): Promise<number> {
  const [id = ''] = given.words
  return withMemory(given, io, async (memory, lang) => {
    const forgotten = await memory.forget(id)
    if (forgotten.length === 0) throw unknown(id)
    const text = memoryTexts(lang).forgotten({ id, summaries: forgotten.slice(1) })
    io.stdout(`${given.switches.has('json') ? JSON.stringify({ forgotten }) : text}\n`)
    return 0
  })
}

/** Reading creates no store: without one, there are no memories. */
async function withMemory(
  given: Given,
  io: Io,
  work: (memory: KeptMemories, lang: Lang) => Promise<number>,
): Promise<number> {
  const context = await loadWorkspace(workspaceFlags(given, io))
  const { lang } = context.loaded
  const memories = await openWorkspaceMemories(hasJournal(context) ? context : { ...context, data: undefined })
  try {
    return await work(memories.keptFor(given.switches.has('everyone') ? EVERYONE : LOCAL), lang)
  } finally {
    await memories.close()
  }
}

function unknown(id: string): WritError {
  return new WritError('MEMORY_UNKNOWN.named', { id: oneLine(id) })
}

export function memoryTable(entries: readonly OwnedEntry[], about: { lang: Lang; searched: boolean }): string {
  const texts = memoryTexts(about.lang)
  if (entries.length === 0) return about.searched ? texts.noMatch : texts.none
  const { id, when, kind, owner, content } = texts.columns
  const foreign = entries.some((entry) => entry.owner !== LOCAL)
  const rows = entries.map((entry) => [
    entry.id,
    dayOf(entry.createdAt),
    texts.kinds[entry.source.kind],
    ...(foreign ? [entry.owner] : []),
    fit(oneLine(entry.content), CONTENT_WIDTH),
  ])
  return textTable([[id, when, kind, ...(foreign ? [owner] : []), content], ...rows])
}

export function memoryText(entry: OwnedEntry, lang: Lang): string {
  const texts = memoryTexts(lang)
  const { source, tags } = entry
  const facts: [string, string][] = [
    [texts.facts.when, new Date(entry.createdAt).toISOString().slice(0, 19).replace('T', ' ')],
    [texts.facts.kind, texts.kinds[source.kind]],
    ...(tags.length === 0 ? [] : [[texts.facts.tags, tags.map(oneLine).join(', ')] as [string, string]]),
    [texts.facts.session, source.sessionId],
    [texts.facts.run, source.runId],
    ...(entry.owner === LOCAL ? [] : [[texts.facts.owner, entry.owner] as [string, string]]),
  ]
  return [
    entry.id,
    ...facts.map(([name, value]) => `${name}: ${value}`),
    ...(entry.retold ? [texts.retold] : []),
    ...(entry.mark === undefined ? [] : [texts.marked]),
    '',
    visible(entry.content),
  ].join('\n')
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

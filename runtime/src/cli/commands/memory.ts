/** `writ memory …`: what the agent remembers about its user, for the user to see and to clear. */
import { settingOf } from '../../agent/setting.ts'
import { openMemoryDesk } from '../../assembly/memory-desk.ts'
import { WritError } from '../../base/errors.ts'
import type { Lang } from '../../i18n/locale.ts'
import { EVERYONE, LOCAL } from '../../protocol/principal.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import type { KeptMemories, OwnedEntry } from '../../storage/memory-port.ts'
import { hasJournal } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { memoryTexts } from '../memory-texts.ts'
import { settingFlags } from '../setting-flags.ts'
import { textTable } from '../table.ts'
import { fit } from '../visible.ts'

const LISTED = 1000
const CONTENT_WIDTH = 80

export function memoryList(given: Given, io: Io): Promise<number> {
  return withMemory(given, io, async (memory, lang) => {
    const query = given.words.join(' ')
    const entries = await memory.list({ limit: LISTED, ...(query === '' ? {} : { query }) })
    if (given.switches.has('json')) for (const entry of entries) io.stdout(`${JSON.stringify(entry)}\n`)
    else io.stdout(`${memoryTable(entries, { lang, searched: query !== '' })}\n`)
    return 0
  })
}

export function memoryShow(given: Given, io: Io): Promise<number> {
  const [id = ''] = given.words
  return withMemory(given, io, async (memory, lang) => {
    const entry = await memory.find(id)
    if (entry === undefined) throw unknown(id, lang)
    io.stdout(`${given.switches.has('json') ? JSON.stringify(entry) : memoryText(entry, lang)}\n`)
    return 0
  })
}

export function memoryForget(given: Given, io: Io): Promise<number> {
  const [id = ''] = given.words
  return withMemory(given, io, async (memory, lang) => {
    const forgotten = await memory.forget(id)
    if (forgotten.length === 0) throw unknown(id, lang)
    const text = memoryTexts(lang).forgotten({ id, summaries: forgotten.slice(1) })
    io.stdout(`${given.switches.has('json') ? JSON.stringify({ forgotten }) : text}\n`)
    return 0
  })
}

/** Looking creates nothing: where nothing is kept yet, nothing is remembered. */
async function withMemory(
  given: Given,
  io: Io,
  work: (memory: KeptMemories, lang: Lang) => Promise<number>,
): Promise<number> {
  const setting = await settingOf(settingFlags(given, io))
  const { lang } = setting.loaded
  const desk = await openMemoryDesk(hasJournal(setting, io.lang) ? setting : { ...setting, data: undefined })
  try {
    return await work(desk.keptFor(given.switches.has('everyone') ? EVERYONE : LOCAL), lang)
  } finally {
    await desk.close()
  }
}

function unknown(id: string, lang: Lang): WritError {
  const texts = memoryTexts(lang)
  return new WritError('MEMORY_UNKNOWN', texts.unknown({ id: oneLine(id) }), { hint: texts.unknownHint })
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

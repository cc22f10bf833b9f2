import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { answer, explore, read, report, scoutPlace, scoutSays } from '../../test/support/scouts.ts'
import type { Event } from '../protocol/event.ts'
import type { Io } from './io.ts'
import { scoutBoard } from './scout-lines.ts'

function screen(lang: 'en' | 'zh') {
  const kept: string[] = []
  let live: () => readonly string[] = () => []
  const io: Io = {
    stdout: () => {},
    stderr: (text) => kept.push(stripVTControlCharacters(text.trimEnd())),
    stdin: () => process.stdin,
    env: {},
    cwd: '/',
    isTty: true,
    lang,
  }
  const progress = {
    show: () => {},
    showLines: (lines: () => readonly string[]) => {
      live = lines
    },
    clear: () => {
      live = () => []
    },
  }
  return { io, progress, kept, live: () => live() }
}

async function exploration(): Promise<Event[]> {
  const made = [{ source: 'docs/a.md', quote: 'made up', note: 'n' }]
  const place = await scoutPlace({
    config: { scout: { maxConcurrentScouts: 1 } },
    script: [
      explore(['the cap\x1b[2J of A', 'another']),
      ...scoutSays(1, read(), report()),
      ...scoutSays(2, read(), report({ evidence: made })),
      answer(),
    ],
  })
  return (await place.turn('one')).events
}

describe('scouts in the terminal', () => {
  test('S4-17: each has a line while it lives: its state, its tool, its time', async () => {
    const events = await exploration()
    const { io, progress, live, kept } = screen('en')
    const started = events.find(({ type }) => type === 'SCOUT_STARTED')?.timestamp ?? 0
    const board = scoutBoard({ io, progress, now: () => started + 3200 })
    const seen: string[][] = []
    for (const event of events) {
      board.see(event)
      if (event.type === 'SCOUT_TOOL_CALLED') seen.push([...live()])
    }
    expect(seen[0]).toEqual([
      'scout 1 · RUNNING · read_doc · 3.2 s · the cap\\u{1b}[2J of A',
      'scout 2 · QUEUED · another',
    ])
    expect(live()).toEqual([])
    expect(kept.map((line) => line.replace(/[\d.]+ s/, 'N s'))).toEqual([
      '✓ scout 1 N s success · 1 piece of evidence · the cap\\u{1b}[2J of A',
      '✗ scout 2 N s partial · UNGROUNDED · 0 pieces of evidence, 1 unverified dropped · another',
    ])
  })
  test('in Chinese, with the code of what went wrong', async () => {
    const { io, progress, kept } = screen('zh')
    const place = await scoutPlace({ script: [explore(['甲']), answer()] })
    const board = scoutBoard({ io, progress })
    for (const event of (await place.turn('one')).events) board.see(event)
    expect(kept[0]).toMatch(/^✗ 侦察员 1 [\d.]+ 秒 失败 · PROVIDER_ERROR · 0 条证据 · 甲$/)
  })
})

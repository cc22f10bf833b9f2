import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeRedactor } from '../journal/redact.ts'
import { LOCAL } from '../protocol/principal.ts'
import { memoryArchive } from '../storage/memory-archive.ts'
import { openDatabase } from '../storage/open.ts'
import { type Inspect, openMemories, summarise } from './memory.ts'

const source = { kind: 'user' as const, sessionId: 's1', runId: 'r1' }

/** A test detector: the text itself states its verdict. */
const inspect: Inspect = (text) => {
  const verdict = (['block', 'review', 'warn'] as const).find((word) => text.includes(word)) ?? 'pass'
  return { verdict, findings: verdict === 'pass' ? [] : [{ rule: 'override' }, { rule: 'override' }] }
}

async function open(secrets: string[] = []) {
  const archive = memoryArchive(await openDatabase({ kind: 'memory' }))
  let n = 0
  const deps = {
    archive,
    inspect,
    redact: makeRedactor(secrets),
    clock: { now: () => 1000 + n },
    newId: () => `mem_${++n}`,
  }
  return openMemories(deps).of(LOCAL)
}

describe('text is inspected before it is stored', () => {
  test('S1-84: prompt injection is rejected, with the rules and a hint', async () => {
    const memory = await open()
    await expect(memory.store({ content: 'block me', source, retold: false })).rejects.toMatchObject({
      code: 'MEMORY_POISONED',
      message: 'not stored: the text looks like prompt injection (override)',
      hint: expect.stringContaining('own words'),
    })
    expect(await memory.list({ limit: 9 })).toEqual([])
  })

  test('S1-84: prompt injection in a tag or in a summarized turn is rejected too', async () => {
    const memory = await open()
    await expect(memory.store({ content: 'fine', tags: ['block'], source, retold: false })).rejects.toMatchObject({
      code: 'MEMORY_POISONED',
    })
    const turn = { task: 'what does it say?', reply: 'It says: block', sessionId: 's1', runId: 'r1', retold: true }
    await expect(memory.storeTurn(turn)).rejects.toMatchObject({ code: 'MEMORY_POISONED' })
  })

  test.each(['review', 'warn'] as const)('a text at %s is stored and marked', async (mark) => {
    const memory = await open()
    const stored = await memory.store({ content: `${mark} this`, source, retold: false })
    expect(stored.mark).toBe(mark)
    expect(await memory.recall('this', { limit: 1 })).toEqual([stored])
  })
})

describe('secrets', () => {
  test('a secret is masked in content and tags, and cannot be searched for', async () => {
    const memory = await open(['hunter2secret'])
    const stored = await memory.store({
      content: 'the door code is hunter2secret',
      tags: ['hunter2secret'],
      source,
      retold: false,
    })
    expect(JSON.stringify(stored)).not.toContain('hunter2secret')
    expect(await memory.recall('hunter2secret', { limit: 9 })).toEqual([])
    expect(await memory.recall('door', { limit: 9 })).toEqual([stored])
  })

  test('a secret at the cut of a summary is masked completely', async () => {
    const memory = await open(['correct-horse-battery'])
    for (const before of [380, 390, 399]) {
      const reply = `${'x'.repeat(before - 1)} correct-horse-battery and more`
      const { content } = await memory.storeTurn({ task: 't', reply, sessionId: 's1', runId: 'r1', retold: false })
      expect(content).not.toContain('corr')
    }
  })
})

describe('S1-67: a turn is summarized without a model', () => {
  test('from the user’s line and the beginning of the reply', () => {
    expect(summarise('  When is\nthe release? ', '\nOn Friday.\n\nDetails follow.')).toBe(
      'Q: When is the release?\nA: On Friday. Details follow.',
    )
  })

  test('in a bounded size, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), fc.string({ maxLength: 2000 }), (task, reply) => {
        const summary = summarise(task, reply)
        expect([...summary].length).toBeLessThan(640)
        expect(summary.split('\n').length).toBe(2)
      }),
    )
  })

  test('S1-65: and recalled later as a summary', async () => {
    const memory = await open()
    await memory.storeTurn({
      task: '发布日期是哪天？',
      reply: '周五发布。',
      sessionId: 's1',
      runId: 'r1',
      retold: false,
    })
    expect(await memory.recall('发布', { limit: 1 })).toMatchObject([
      { content: 'Q: 发布日期是哪天？\nA: 周五发布。', source: { kind: 'turn', sessionId: 's1', runId: 'r1' } },
    ])
  })
})

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { definitionOf } from './definition.ts'
import { isChanged, meet, recall, remember } from './known-tools.ts'

const define = (name: string, description = name) =>
  definitionOf({ name, description, inputSchema: { type: 'object' } })
const at = { origin: 'one', now: 1 }

describe('meeting a server', () => {
  test('the first time accepts what it has', () => {
    const known = meet(undefined, [define('a')], at)
    expect(known.tools.a).toEqual({ accepted: define('a'), seen: define('a') })
  })

  test('again notes what changed, came and went, and accepts none of it', () => {
    const first = meet(undefined, [define('a'), define('b'), define('c')], at)
    const again = meet(first, [define('a'), define('b', 'other words'), define('d')], at)
    expect(
      Object.entries(again.tools)
        .filter(([, tool]) => isChanged(tool))
        .map(([name]) => name),
    ).toEqual(['b', 'd'])
    expect(again.tools).toMatchObject({ b: { accepted: define('b') }, c: { seen: null }, d: { accepted: null } })
    const third = meet(again, [define('d')], at)
    expect(third.tools.d).toMatchObject({ accepted: null })
  })

  test('a tool that comes back as it was is as it was', () => {
    const gone = meet(meet(undefined, [define('a')], at), [], at)
    const back = meet(gone, [define('a')], at)
    expect(back.tools.a && isChanged(back.tools.a)).toBe(false)
  })

  test('another command or address under the same name is met anew', () => {
    const first = meet(undefined, [define('a')], at)
    const other = meet(first, [define('a', 'new')], { origin: 'two', now: 2 })
    expect(other.tools.a).toEqual({ accepted: define('a', 'new'), seen: define('a', 'new') })
  })
})

describe('what is remembered', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'writ-known-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('is read back as it was, and nothing else is left behind', async () => {
    const file = join(folder, 'deep/s.json')
    const known = meet(undefined, [define('a')], at)
    await remember(file, known)
    expect(await recall(file)).toEqual(known)
    expect(readdirSync(join(folder, 'deep'))).toEqual(['s.json'])
  })

  test('is nothing where there is no file', async () => {
    expect(await recall(join(folder, 's.json'))).toBeUndefined()
  })

  test.each(['', '{', '[]', '{"v":1,"origin":"x","seenAt":0,"tools":{"a":{}}}'])(
    'is refused, not forgotten, when the file holds %j',
    async (text) => {
      const file = join(folder, 's.json')
      writeFileSync(file, text)
      await expect(recall(file)).rejects.toMatchObject({ code: 'MCP_MEMORY_UNREADABLE' })
    },
  )
})

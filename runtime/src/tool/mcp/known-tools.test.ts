import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { definitionOf } from './definition.ts'
import { isChanged, mergeDefinitions, readKnown, writeKnown } from './known-tools.ts'

const define = (name: string, description = name) =>
  definitionOf({ name, description, inputSchema: { type: 'object' } })
const at = { origin: 'one', now: 1 }

describe('listing the tools of a server', () => {
  test('for the first time accepts them', () => {
    const known = mergeDefinitions(undefined, [define('a')], at)
    expect(known.tools.a).toEqual({ accepted: define('a'), seen: define('a') })
  })

  test('again records changed, new and removed tools, and accepts none of them', () => {
    const first = mergeDefinitions(undefined, [define('a'), define('b'), define('c')], at)
    const again = mergeDefinitions(first, [define('a'), define('b', 'other words'), define('d')], at)
    expect(
      Object.entries(again.tools)
        .filter(([, tool]) => isChanged(tool))
        .map(([name]) => name),
    ).toEqual(['b', 'd'])
    expect(again.tools).toMatchObject({ b: { accepted: define('b') }, c: { seen: null }, d: { accepted: null } })
    const third = mergeDefinitions(again, [define('d')], at)
    expect(third.tools.d).toMatchObject({ accepted: null })
  })

  test('a tool that returns unchanged counts as unchanged', () => {
    const gone = mergeDefinitions(mergeDefinitions(undefined, [define('a')], at), [], at)
    const back = mergeDefinitions(gone, [define('a')], at)
    expect(back.tools.a && isChanged(back.tools.a)).toBe(false)
  })

  test('another command or address under the same name starts from scratch', () => {
    const first = mergeDefinitions(undefined, [define('a')], at)
    const other = mergeDefinitions(first, [define('a', 'new')], { origin: 'two', now: 2 })
    expect(other.tools.a).toEqual({ accepted: define('a', 'new'), seen: define('a', 'new') })
  })
})

describe('the stored tools', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'writ-known-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('are read back unchanged, and no other file is left behind', async () => {
    const file = join(folder, 'deep/s.json')
    const known = mergeDefinitions(undefined, [define('a')], at)
    await writeKnown(file, known)
    expect(await readKnown(file)).toEqual(known)
    expect(readdirSync(join(folder, 'deep'))).toEqual(['s.json'])
  })

  test('are undefined without a file', async () => {
    expect(await readKnown(join(folder, 's.json'))).toBeUndefined()
  })

  test.each(['', '{', '[]', '{"v":1,"origin":"x","seenAt":0,"tools":{"a":{}}}'])(
    'are refused, not dropped, when the file contains %j',
    async (text) => {
      const file = join(folder, 's.json')
      writeFileSync(file, text)
      await expect(readKnown(file)).rejects.toMatchObject({ code: 'MCP_MEMORY_UNREADABLE' })
    },
  )
})

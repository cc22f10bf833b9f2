import { describe, expect, test } from 'vitest'
import { type Entry, type PlanInput, planFiles, type Tree } from './plan.ts'

const file = (id: string): Entry => ({ kind: 'file', id, perm: 0o644 })
const tree = (files: Record<string, string>): Tree =>
  new Map(Object.entries(files).map(([path, id]) => [path, file(id)]))
const plan = (input: Partial<PlanInput>) => {
  const no = () => false
  const { files, conflicts } = planFiles({
    segments: [],
    now: tree({}),
    isShared: no,
    isUnseen: no,
    isLater: no,
    ...input,
  })
  return { files: files.map(({ path, change }) => `${path} ${change}`), conflicts }
}

describe('which files an undo restores', () => {
  test('X-UNDO-11: of a killed run, everything that changed before it was certainly dead', () => {
    const now = tree({ run: '2', hand: '2', created: '1' })
    const segments = [{ before: tree({ run: '1', hand: '1', deleted: '1' }) }]
    expect(plan({ segments, now, isLater: (path) => path === 'hand' })).toEqual({
      files: ['created created', 'deleted deleted', 'run modified'],
      conflicts: [{ path: 'hand', why: 'changed' }],
    })
  })

  test('X-UNDO-3: a file that changed between two parts of a run is left', () => {
    const segments = [
      { before: tree({ a: '1' }), after: tree({ a: '2' }) },
      { before: tree({ a: '3' }), after: tree({ a: '4' }) },
    ]
    expect(plan({ segments, now: tree({ a: '4' }) })).toEqual({
      files: [],
      conflicts: [{ path: 'a', why: 'changed' }],
    })
  })

  test('X-UNDO-3: a file that is as before needs nothing', () => {
    const segments = [{ before: tree({ a: '1' }), after: tree({ a: '2' }) }]
    expect(plan({ segments, now: tree({ a: '1' }) })).toEqual({ files: [], conflicts: [] })
  })
})

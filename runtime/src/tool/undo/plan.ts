/** Which files an undo changes, and which it leaves: a pure comparison of recorded trees. */

export interface Entry {
  kind: 'file' | 'link' | 'folder'
  /** The id of its content; empty for a folder. */
  id: string
  perm: number
}

/** The path of a folder ends with a slash. */
export function isFolder(path: string): boolean {
  return path.endsWith('/')
}

export type Tree = ReadonlyMap<string, Entry>

/** The time from a recording before a change to the next one. `after` is absent when the process was killed. */
export interface Segment {
  before: Tree
  after?: Tree
}

export interface RestoredFile {
  path: string
  /** What the run did to it. */
  change: 'modified' | 'deleted' | 'created'
  /** Absent: the file is deleted. */
  target?: Entry
  current?: Entry
  /** A folder that comes or goes with what is in it. */
  implied?: true
}

/** `changed`: it is not as the run left it. `shared`: another run or an undo worked at the same time. */
export interface Conflict {
  path: string
  why: 'changed' | 'shared'
}

export interface FilePlan {
  files: RestoredFile[]
  conflicts: Conflict[]
}

export interface PlanInput {
  segments: readonly Segment[]
  now: Tree
  /** Whether another run may have changed the path meanwhile. */
  isShared(path: string): boolean
  /** True for a path that exists but is not recorded, so that it cannot be compared. */
  isUnseen(path: string): boolean
  /** Whether it changed after the run had ended. */
  isLater(path: string): boolean
}

export function planFiles({ segments, now, isShared, isUnseen, isLater }: PlanInput): FilePlan {
  const plan: FilePlan = { files: [], conflicts: [] }
  const closed = segments.map(({ before, after = now }) => ({ before, after }))
  const first = closed[0]
  const last = closed.at(-1)
  if (first === undefined || last === undefined) return plan
  const changed = changedPaths(closed)
  for (const [i, path] of changed.entries()) {
    const target = first.before.get(path)
    const current = now.get(path)
    const isMoved = closed.some(({ after }, i) => {
      const next = closed[i + 1]
      return next !== undefined && !isSame(after.get(path), next.before.get(path))
    })
    if (isFolder(path) && (target === undefined || current === undefined)) {
      if (isUnseen(path) || isSame(current, target)) continue
      // Deleted only when it is empty, so no one's files are lost.
      const hasContent = changed[i + 1]?.startsWith(path) === true || [...now.keys()].some((one) => isBelow(one, path))
      plan.files.push({ ...restored(path, target, current), ...(hasContent && { implied: true as const }) })
    } else if (isUnseen(path)) plan.conflicts.push({ path, why: 'changed' })
    else if (isSame(current, target)) continue
    else if (isMoved || isLater(path) || !isSame(current, last.after.get(path)))
      plan.conflicts.push({ path, why: 'changed' })
    else if (isShared(path)) plan.conflicts.push({ path, why: 'shared' })
    else plan.files.push(restored(path, target, current))
  }
  return plan
}

export function changedPaths(segments: readonly Required<Segment>[]): string[] {
  const changed = new Set<string>()
  for (const { before, after } of segments) {
    for (const [path, entry] of before) if (!isSame(entry, after.get(path))) changed.add(path)
    for (const path of after.keys()) if (!before.has(path)) changed.add(path)
  }
  return [...changed].sort()
}

function isBelow(path: string, folder: string): boolean {
  return path.length > folder.length && path.startsWith(folder)
}

function restored(path: string, target: Entry | undefined, current: Entry | undefined): RestoredFile {
  if (target === undefined) return { path, change: 'created', ...(current && { current }) }
  return current === undefined ? { path, change: 'deleted', target } : { path, change: 'modified', target, current }
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.kind === b?.kind && a?.id === b?.id && a?.perm === b?.perm
}

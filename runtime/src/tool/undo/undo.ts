/** Compares what was recorded with the workspace as it is, and restores it. */

import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { changedPaths, type Entry, type FilePlan, planFiles, type Segment, type Tree } from './plan.ts'
import { keepRecording, listRecordings, type Recording, readRecording, recordedAt } from './recordings.ts'
import { type Restored, restoreFiles } from './restore.ts'
import { findShadow, hasGit, type Shadow } from './shadow.ts'
import { plainPerm, type Snapshot, takeSnapshot } from './snapshot.ts'
import { type UnrestoredFile, unrestoredFiles } from './unrestored.ts'

/** The records of one change, as the journal has them. Without `after` the process was killed meanwhile. */
export interface RecordedSegment {
  before: string
  after?: string
}

export interface UndoDeps {
  world: World
  data: string
  maxBytes: number
  now(): number
  signal?: AbortSignal
}

export interface WorkspacePlan extends FilePlan {
  unrestored: UnrestoredFile[]
}

export interface OpenedUndo {
  plan: WorkspacePlan
  /** The workspace before the undo. */
  tree: string
  restore(): Promise<Restored>
}

export async function openUndo(
  runId: string,
  segments: readonly RecordedSegment[],
  deps: UndoDeps,
): Promise<OpenedUndo> {
  const { world, data, maxBytes, signal } = deps
  if (!hasGit()) throw new WritError('UNDO_UNAVAILABLE.noGit')
  const shadow = findShadow(world)
  const [first] = segments
  if (shadow === undefined || first === undefined) throw new WritError('UNDO_GONE')
  const recordings = await Promise.all(
    segments.map(async ({ before, after }) => ({
      before: await readRecording(shadow, before),
      ...(after !== undefined && { after: await readRecording(shadow, after) }),
    })),
  )
  await verifyObjects(
    shadow,
    recordings.flatMap(({ before, after }) => [before, ...(after ? [after] : [])]),
  )
  const now = await takeSnapshot(shadow, world, { maxBytes, anySize: true, ...(signal && { signal }) })
  if (now === undefined) throw new WritError('UNDO_GONE')
  const trees = new Map<Snapshot, Tree>()
  const treeOf = async (snapshot: Snapshot): Promise<Tree> => {
    const tree = trees.get(snapshot) ?? (await readTree(shadow, snapshot))
    trees.set(snapshot, tree)
    return tree
  }
  const compared: Segment[] = []
  for (const { before, after } of recordings)
    compared.push({ before: await treeOf(before), ...(after && { after: await treeOf(after) }) })
  const shared = await sharedPaths(shadow, { runId, recordings, treeOf })
  const since = await recordedAt(shadow, first.before)
  const plan = planFiles({
    segments: compared,
    now: await treeOf(now),
    isShared: (path) => shared.has(path),
    isUnseen: (path) => Object.hasOwn(now.skipped, path),
  })
  const unrestored = await unrestoredFiles(shadow, { world, skipped: now.skipped, since, signal })
  return {
    plan: { ...plan, unrestored },
    tree: now.tree,
    restore: async () => {
      // What an undo overwrites stays recorded.
      await keepRecording(shadow, { ...now, runId, phase: 'undo', data, at: deps.now() })
      return restoreFiles(shadow, plan.files, { since, ...(signal && { signal }) })
    },
  }
}

/** Git does not check contents when it reads them; a changed object must not reach the workspace. */
async function verifyObjects(shadow: Shadow, recordings: readonly Recording[]): Promise<void> {
  const trees = [...new Set(recordings.map(({ tree }) => tree))]
  if (!trees.every((tree) => /^[0-9a-f]{40}$/.test(tree))) throw new WritError('UNDO_DAMAGED')
  // Git names a changed object and still ends with 0.
  await shadow.git(['rev-list', '--quiet', '--verify-objects', ...trees], { strict: true }).catch((cause: unknown) => {
    throw new WritError('UNDO_DAMAGED', undefined, { cause })
  })
}

async function readTree(shadow: Shadow, { tree, perms }: Snapshot): Promise<Tree> {
  const listing = (await shadow.git(['ls-tree', '-r', '-z', '--full-tree', tree])).toString('latin1')
  const entries = listing.split('\0').flatMap((line): [string, Entry][] => {
    const [, mode = '', id = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t([\s\S]*)$/.exec(line) ?? []
    if (id === '') return []
    if (mode === '120000') return [[path, { kind: 'link', id, perm: 0 }]]
    const perm = Object.hasOwn(perms, path) ? perms[path] : undefined
    return [[path, { kind: 'file', id, perm: perm ?? plainPerm(mode === '100755') }]]
  })
  return new Map(entries)
}

interface SharedInput {
  runId: string
  recordings: readonly { before: Recording; after?: Recording }[]
  treeOf(snapshot: Snapshot): Promise<Tree>
}

/** Paths that other runs changed in this workspace while this one worked. */
async function sharedPaths(shadow: Shadow, { runId, recordings, treeOf }: SharedInput): Promise<Set<string>> {
  const others = (await listRecordings(shadow)).map(({ recording }) => recording).filter((one) => one.runId !== runId)
  const shared = new Set<string>()
  for (const own of Map.groupBy(others, (one) => one.runId).values()) {
    for (const [i, before] of own.entries()) {
      const after = own[i + 1]
      if (before.phase !== 'before' || after?.phase !== 'after') continue
      const overlaps = recordings.some(
        (one) => before.at < (one.after?.at ?? Number.POSITIVE_INFINITY) && one.before.at < after.at,
      )
      if (!overlaps) continue
      const segment = { before: await treeOf(before), after: await treeOf(after) }
      for (const path of changedPaths([segment])) shared.add(path)
    }
  }
  return shared
}

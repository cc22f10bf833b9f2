/** Compares what was recorded with the workspace as it is, and restores it. */
import { lstatSync, type Stats } from 'node:fs'
import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { changedPaths, type FilePlan, isFolder, planFiles, type Segment, type Tree } from './plan.ts'
import { readTree } from './recorded-tree.ts'
import { keepUndo, listRecordings, type Recording, readRecording, recordedAt } from './recordings.ts'
import { type Restored, restoreFiles } from './restore.ts'
import { findShadow, hasGit, type Shadow } from './shadow.ts'
import { type Snapshot, skippedIn, takeSnapshot } from './snapshot.ts'
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
  /** When the run had certainly ended; files changed later are not its own. Used where it was killed. */
  endedBy: number
  /** Whether the run may still be working. */
  isLive(runId: string): Promise<boolean>
  signal?: AbortSignal
}

export interface WorkspacePlan extends FilePlan {
  unrestored: UnrestoredFile[]
}

export interface OpenedUndo {
  plan: WorkspacePlan
  /** The workspace before the undo. */
  tree: string
  /** It has no second recording. */
  wasKilled: boolean
  /** When the file changed; 0 for one that is gone. */
  changedAt(path: string): number
  restore(): Promise<Restored>
}

export async function openUndo(
  runId: string,
  segments: readonly RecordedSegment[],
  deps: UndoDeps,
): Promise<OpenedUndo> {
  const { world, data, maxBytes, endedBy, isLive, signal } = deps
  if (!hasGit()) throw new WritError('UNDO_UNAVAILABLE.noGit')
  const shadow = await findShadow(world)
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
  const now = await takeSnapshot(shadow, world, { maxBytes, anySize: true, since: recordings[0]?.before, signal })
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
  const shared = await sharedPaths(shadow, { runId, recordings, treeOf, now, isLive })
  const since = await recordedAt(shadow, first.before)
  const tree = await treeOf(now)
  const wasKilled = recordings.at(-1)?.after === undefined
  const plan = planFiles({
    segments: compared,
    now: tree,
    isShared: (path) => shared.has(path),
    isUnseen: (path) =>
      skippedIn(now, path) !== undefined || (!isFolder(path) && !tree.has(path) && isThere(shadow, path)),
    isLater: (path) => wasKilled && changedAt(shadow, path) > endedBy,
  })
  const unrestored = await unrestoredFiles(shadow, { world, skipped: now.skipped, since, signal })
  return {
    plan: { ...plan, unrestored },
    tree: now.tree,
    wasKilled,
    changedAt: (path) => changedAt(shadow, path),
    restore: () => {
      const paths = plan.files.map(({ path }) => path)
      // What an undo overwrites stays recorded.
      return keepUndo(
        shadow,
        { ...now, runId, phase: 'undo', data, at: deps.now(), paths },
        { act: () => restoreFiles(shadow, plan.files, { ...(signal && { signal }) }), now: deps.now },
      )
    },
  }
}

function statOf({ workspace }: Shadow, path: string): Stats | undefined {
  const place = Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(path, 'latin1')])
  try {
    return lstatSync(place, { throwIfNoEntry: false })
  } catch {
    // A part of the path is a file.
    return undefined
  }
}

function isThere(shadow: Shadow, path: string): boolean {
  return statOf(shadow, path)?.isDirectory() === false
}

/** By the time of the inode, which no program can set. */
function changedAt(shadow: Shadow, path: string): number {
  return statOf(shadow, path)?.ctimeMs ?? 0
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

interface SharedInput {
  runId: string
  recordings: readonly { before: Recording; after?: Recording }[]
  treeOf(snapshot: Snapshot): Promise<Tree>
  now: Snapshot
  isLive(runId: string): Promise<boolean>
}

/** Paths that other runs, or undos of them, changed in this workspace while this one worked. */
async function sharedPaths(
  shadow: Shadow,
  { runId, recordings, treeOf, now, isLive }: SharedInput,
): Promise<Set<string>> {
  const others = (await listRecordings(shadow)).map(({ recording }) => recording).filter((one) => one.runId !== runId)
  const shared = new Set<string>()
  for (const { phase, at, until = at, paths = [] } of others) {
    if (phase !== 'undo') continue
    const overlaps = recordings.some(({ before, after }) => before.at <= until && at <= (after?.at ?? Infinity))
    if (overlaps) for (const path of paths) shared.add(path)
  }
  for (const [other, own] of Map.groupBy(others, (one) => one.runId)) {
    for (const [i, before] of own.entries()) {
      if (before.phase !== 'before') continue
      const next = own[i + 1]
      const after = next?.phase === 'after' ? next : undefined
      // Without an end it works now, or it was killed and what it did is unknown.
      if (after === undefined && (next !== undefined || !(await isLive(other)))) continue
      const overlaps = recordings.some(
        (one) => before.at < (one.after?.at ?? Infinity) && one.before.at < (after?.at ?? Infinity),
      )
      if (!overlaps) continue
      const segment = { before: await treeOf(before), after: await treeOf(after ?? now) }
      for (const path of changedPaths([segment])) shared.add(path)
    }
  }
  return shared
}

/** Records the workspace around the changes of a run. A failure never stops the run: it only cannot be undone. */
import { messageOf } from '../../base/errors.ts'
import { canonical } from '../../base/json.ts'
import type { World } from '../tool.ts'
import { keepRecording, limitRecordings, type RecordPlace, readRecording } from './recordings.ts'
import { hasGit, openShadow } from './shadow.ts'
import { takeSnapshot } from './snapshot.ts'

export interface Recorded {
  tree: string
  /** The hash of the record. */
  record: string
}

export type UnrecordedReason = 'too_large' | 'no_git' | 'failed'

export interface Unrecorded {
  reason: UnrecordedReason
  message?: string
}

export interface Recorder {
  /** The limit, for texts about it. */
  readonly maxBytes: number
  before(runId: string, signal: AbortSignal): Promise<Recorded | Unrecorded>
  /** `changed` is false when the workspace is as it was; then nothing more is kept. */
  after(runId: string, start: Recorded, signal: AbortSignal): Promise<(Recorded & { changed: boolean }) | Unrecorded>
}

export interface RecorderDeps {
  world: World
  /** The data folder with the journal of the runs. */
  data: string
  maxBytes: number
  now(): number
}

export function openRecorder({ world, data, maxBytes, now }: RecorderDeps): Recorder {
  const take = async (place: Omit<RecordPlace, 'data' | 'at'>, signal: AbortSignal, start?: Recorded) => {
    if (!hasGit()) return { reason: 'no_git' } as const
    try {
      const shadow = await openShadow(world)
      const since = start === undefined ? undefined : await readRecording(shadow, start.record)
      const snapshot = await takeSnapshot(shadow, world, { maxBytes, since, signal })
      if (snapshot === undefined) return { reason: 'too_large' } as const
      if (start !== undefined && start.tree === snapshot.tree) {
        const isSame = (of: 'perms' | 'folders') => canonical(since?.[of]) === canonical(snapshot[of])
        if (isSame('perms') && isSame('folders')) return { ...start, changed: false }
      }
      const record = await keepRecording(shadow, { ...place, ...snapshot, data, at: now() })
      if (place.phase === 'after') await limitRecordings(shadow, { now: Date.now(), maxBytes })
      return { tree: snapshot.tree, record, changed: true }
    } catch (error) {
      return { reason: 'failed', message: messageOf(error) } as const
    }
  }
  return {
    maxBytes,
    async before(runId, signal) {
      const taken = await take({ runId, phase: 'before' }, signal)
      return 'reason' in taken ? taken : { tree: taken.tree, record: taken.record }
    },
    after: (runId, start, signal) => take({ runId, phase: 'after' }, signal, start),
  }
}

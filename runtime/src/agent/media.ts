/** Pictures and PDFs of a run: kept in files, loaded again for each prompt. */
import { type MediaBytes, mediaKindsOf } from '../model/media-input.ts'
import type { Message } from '../protocol/message.ts'
import type { MediaAccess } from '../tool/media/read-media.ts'
import type { RunContext } from './context.ts'

export interface MediaOwner extends Pick<RunContext, 'model' | 'media'> {
  sessionId: string
  runId: string
  /** False where no model reads the results: a single call of a workflow. */
  isRead: boolean
}

export function mediaAccess({
  sessionId,
  runId,
  isRead,
  model: { id, standsFor = id },
  media,
}: MediaOwner): MediaAccess {
  return {
    ...(isRead && { reader: { model: standsFor, takes: media.takes ?? mediaKindsOf(standsFor) } }),
    async keep(file, bytes) {
      const kept = { ...file, runId }
      await media.files.write(sessionId, kept, bytes)
      return kept
    },
    pagesOf: media.pagesOf,
  }
}

/** Throws MEDIA_GONE when a file is missing or was changed: the model must not answer about less than it was given. */
export async function loadMedia(
  { media: { files }, state }: Pick<RunContext, 'media' | 'state'>,
  messages: readonly Message[],
): Promise<MediaBytes> {
  const loaded = new Map<string, Uint8Array>()
  for (const message of messages) {
    if (message.role === 'assistant' || message.media === undefined) continue
    for (const media of message.media) {
      if (!loaded.has(media.sha256)) loaded.set(media.sha256, await files.read(state.sessionId, media))
    }
  }
  return loaded
}

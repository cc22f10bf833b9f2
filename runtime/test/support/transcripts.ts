/** Transcripts in any of the places they can be kept. Run as a program, it adds turns to one, for races between processes. */

import { openTranscripts, type TranscriptDeps, type Transcripts } from '../../src/context/transcript.ts'
import { makeRedactor } from '../../src/journal/redact.ts'
import type { TranscriptArchive } from '../../src/ports/transcripts.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import { openDatabase, type StoreLocation } from '../../src/storage/open.ts'
import { redisLink } from '../../src/storage/redis.ts'
import { transcriptArchive } from '../../src/storage/transcript-archive.ts'
import { redisTranscripts } from '../../src/storage/transcript-redis.ts'

export type TranscriptPlace = StoreLocation | { kind: 'redis'; url: string }

export async function openArchive(
  place: TranscriptPlace,
): Promise<{ archive: TranscriptArchive; close(): Promise<void> }> {
  if (place.kind === 'redis') {
    const redis = redisLink(place.url)
    return { archive: redisTranscripts(redis), close: () => redis.close() }
  }
  const db = await openDatabase(place)
  return { archive: transcriptArchive(db), close: () => db.close() }
}

/** Those of the local user, and of any other. */
export function transcriptsOn(
  archive: TranscriptArchive,
  own: Partial<TranscriptDeps> = {},
): Transcripts & ReturnType<Transcripts['of']> {
  const transcripts = openTranscripts({
    archive,
    limits: { window: 50, ttlMs: 86_400_000 },
    redact: makeRedactor([]),
    inspect: undefined,
    clock: { now: () => Date.now() },
    ...own,
  })
  return { ...transcripts, ...transcripts.of(LOCAL) }
}

const [place, name = '', turns = '0'] = process.argv.slice(2)
if (import.meta.main && place !== undefined) {
  const { archive, close } = await openArchive(JSON.parse(place) as TranscriptPlace)
  const transcripts = transcriptsOn(archive, { limits: { window: 1000, ttlMs: 86_400_000 } })
  for (let i = 0; i < Number(turns); i++) {
    await transcripts.persist('race', [
      { role: 'user', content: `${name} ${i}` },
      { role: 'assistant', content: `answer to ${name} ${i}` },
    ])
  }
  await close()
}

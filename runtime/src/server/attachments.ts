/** Files sent with a request: only as bytes, never as a path or an address that the server would open. */
import { Buffer } from 'node:buffer'
import { type AttachedFile, assertTotal } from '../agent/attachments.ts'
import { isObject } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Media } from '../protocol/media.ts'
import { mediaTypeOf } from '../tool/media/media-type.ts'
import { assertSize, describe } from '../tool/media/read-media.ts'
import type { SentFile } from './contract/sessions.ts'
import { Refusal } from './failure.ts'
import type { ServerDeps } from './server-deps.ts'

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function filesIn(sent: readonly SentFile[]): AttachedFile[] {
  const files = sent.map(({ name, data }, at) => ({ name, bytes: decoded(data, `attachments.${at}.data`) }))
  assertTotal(files)
  return files
}

/** Stored before the job is: a worker of another process reads them from the data folder. */
export async function storeFiles(
  { current }: ServerDeps,
  { sessionId, runId }: { sessionId: string; runId: string },
  sent: readonly SentFile[] | undefined,
): Promise<Media[] | undefined> {
  if (sent === undefined) return undefined
  const stored: Media[] = []
  for (const { name, bytes } of filesIn(sent)) {
    const type = mediaTypeOf(bytes)
    if (type === undefined) throw new WritError('ATTACHMENT_INVALID.type', { name })
    assertSize(name, type, bytes.length)
    const media = { ...describe({ name, type, bytes }, {}), runId }
    await current.agent.engine.media.files.write(sessionId, media, bytes)
    stored.push(media)
  }
  return stored
}

/** OpenAI's parts: `image_url` with a data: address, `file` with `file_data`. Undefined: some other part. */
export function fileInPart(part: Record<string, unknown>, where: string): AttachedFile | undefined {
  if (part.type === 'image_url') {
    const url = isObject(part.image_url) ? part.image_url.url : part.image_url
    return { name: 'image', bytes: inDataUrl(url, `${where}.image_url`) }
  }
  if (part.type !== 'file' || !isObject(part.file)) return undefined
  const { filename, file_data: data } = part.file
  const name = typeof filename === 'string' && filename !== '' ? filename : 'file'
  return { name, bytes: inDataUrl(data, `${where}.file.file_data`) }
}

function inDataUrl(url: unknown, where: string): Uint8Array {
  const [, data] = /^data:[\w.+/-]{0,100};base64,(.*)$/s.exec(typeof url === 'string' ? url : '') ?? []
  if (data === undefined) throw new Refusal('ATTACHMENT_INVALID.address', { where }, { field: where })
  return decoded(data, where)
}

function decoded(data: string, where: string): Uint8Array {
  if (data.length % 4 === 0 && BASE64.test(data)) return Buffer.from(data, 'base64')
  throw new Refusal('ATTACHMENT_INVALID.base64', { where }, { field: where })
}

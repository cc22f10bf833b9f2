import { Buffer } from 'node:buffer'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { MediaType } from '../../protocol/media.ts'
import { describeReading, READS_FILES } from '../file-reading.ts'
import { claimPath, pathFailure, withFile } from '../guard/paths.ts'
import { HEAD_BYTES, mediaTypeOf } from '../media/media-type.ts'
import { assertSize, type MediaAccess, readMedia } from '../media/read-media.ts'
import { outputsWithout } from '../outputs.ts'
import { defineTool, type ToolOutput } from '../tool.ts'

const NOTHING = '(the file is empty)'
const MAX_BYTES = 256 * 1024
const CHUNK = 64 * 1024

interface FileReadArgs {
  path: string
  offset?: number
  limit?: number
}

export const fileReadTool = defineTool<FileReadArgs>({
  name: 'file_read',
  description:
    'Read a text file, PDF or picture of the workspace. Long files come in parts: the answer says which offset is next.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'Path of the file, relative to the workspace.' },
      offset: { type: 'integer', minimum: 1, description: 'First line (PDF: page), from 1.' },
      limit: { type: 'integer', minimum: 1, description: 'Most lines (PDF: pages).' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  ...READS_FILES,
  outputs: outputsWithout(NOTHING),

  preValidate: ({ path }, world) => describeReading({ path, preview: `read ${path}` }, world),

  async execute({ path, offset = 1, limit = Number.POSITIVE_INFINITY }, { world, signal, media }): Promise<ToolOutput> {
    try {
      const real = await claimPath({ path, access: 'read' }, world)
      // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      return await withFile(real, async (at) => {
        const file = await open(at, flags)
        try {
          const stat = await file.stat()
          if (stat.isDirectory()) return { ok: false, error: `${path} is a folder; use file_list` }
          if (!stat.isFile()) return { ok: false, error: `${path} is not a regular file` }
          const type = mediaTypeOf(await head(file))
          if (type === undefined) return await readLines(file, { path, offset, limit, signal })
          return await readShown(file, { path, offset, limit, signal, type, size: stat.size, media })
        } finally {
          await file.close()
        }
      })
    } catch (error) {
      return pathFailure(error, path)
    }
  },
})

interface ReadRange {
  path: string
  offset: number
  limit: number
  signal: AbortSignal
}

/** At its start, without moving on. */
async function head(file: FileHandle): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

type ShownFile = ReadRange & { type: MediaType; size: number; media: MediaAccess }

async function readShown(
  file: FileHandle,
  { path: name, type, size, media, ...range }: ShownFile,
): Promise<ToolOutput> {
  assertSize(name, type, size)
  // No more than its size was: the file may grow meanwhile.
  const bytes = Buffer.alloc(size)
  let filled = 0
  for (let read = 1; read > 0 && filled < size; filled += read) {
    range.signal.throwIfAborted()
    read = (await file.read(bytes, filled, size - filled, filled)).bytesRead
  }
  const { text, media: shown } = await readMedia({ name, type, bytes: bytes.subarray(0, filled) }, range, media)
  return { ok: true, text, ...(shown && { media: [shown] }) }
}

/** Limited by bytes, not lines: one line of a log can be larger than memory. */
async function readLines(file: FileHandle, range: ReadRange): Promise<ToolOutput> {
  const kept: Buffer[] = []
  let bytes = 0
  let line = 1
  let cutLine = false
  let ended = false
  reading: while (!ended) {
    range.signal.throwIfAborted()
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK)
    ended = bytesRead === 0
    const chunk = buffer.subarray(0, bytesRead)
    if (chunk.includes(0)) return { ok: false, error: `${range.path} is a binary file` }
    for (let start = 0; start < bytesRead; ) {
      if (line >= range.offset + range.limit) break reading
      const newline = chunk.indexOf(10, start)
      const end = newline < 0 ? bytesRead : newline + 1
      if (line >= range.offset && !cutLine) {
        const part = chunk.subarray(start, end)
        // A line that does not fit is left for the next part, unless it alone fills this one.
        if (bytes + part.length > MAX_BYTES) {
          if (bytes > 0 && line > range.offset) break reading
          kept.push(part.subarray(0, MAX_BYTES - bytes))
          bytes = MAX_BYTES
          cutLine = true
        } else {
          kept.push(part)
          bytes += part.length
        }
      }
      if (newline >= 0) {
        line++
        if (cutLine) break reading
      }
      start = end
    }
  }
  return describe(Buffer.concat(kept), { ...range, line, ended, cutLine })
}

function describe(content: Buffer, read: ReadRange & { line: number; ended: boolean; cutLine: boolean }): ToolOutput {
  let text = content.toString('utf8')
  if (text.startsWith('\ufeff')) text = text.slice(1)
  if (read.ended && text === '') {
    const past = `${read.path} has no line ${read.offset}`
    return read.offset > 1 ? { ok: false, error: past } : { ok: true, text: NOTHING }
  }
  if (read.ended) return { ok: true, text: read.cutLine ? `${text}\n[the rest of this line is left out]` : text }
  // The last line is incomplete: the next part starts with it.
  const next = read.line
  const whole = read.cutLine ? text : text.slice(0, text.lastIndexOf('\n') + 1)
  const cut = read.cutLine ? `\n[the rest of line ${read.offset} is left out]` : ''
  return { ok: true, text: `${whole}${cut}\n[more follows: continue with offset ${next}]` }
}

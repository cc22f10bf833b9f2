/** Pictures and PDFs as a model can read them: the text of a PDF, else the file itself where the model takes it. */
import { sha256 } from '../../base/hash.ts'
import { present } from '../../base/present.ts'
import { WritError } from '../../errors/writ-error.ts'
import { kindOf, type Media, type MediaKind, type MediaType } from '../../protocol/media.ts'
import { pictureSize } from './picture-size.ts'

/** Anthropic takes 5 MB of base64, the smallest limit of the providers. */
const MAX_PICTURE_BYTES = 3_750_000
const MAX_SIDE = 8_000
const MAX_PIXELS = 40_000_000
/** Gemini takes 20 MB of base64 in a request. */
const MAX_PDF_BYTES = 15_000_000
/** Pages of a PDF that a model is shown as a file. */
const MAX_SCANNED_PAGES = 100
/** Characters of one answer. */
const MAX_TEXT = 256 * 1024

/** What a call can do with pictures and PDFs. */
export interface MediaAccess {
  /** The model that will read the result. Absent where none does. */
  reader?: { model: string; takes: readonly MediaKind[] }
  /** Stores the bytes for the prompts of this run. */
  keep(media: Omit<Media, 'runId'>, bytes: Uint8Array): Promise<Media>
  /** The text of each page. Throws a WritError when it cannot be read. */
  pagesOf(pdf: Uint8Array, name: string): Promise<readonly string[]>
}

export interface NamedFile {
  name: string
  type: MediaType
  bytes: Uint8Array
}

export interface PageRange {
  /** The first page, counted from 1. */
  offset: number
  limit: number
  /** Characters; what is beyond cannot be read. Absent: the next part can be asked for. */
  most?: number
}

export interface ReadMedia {
  text: string
  /** Absent where the text is all the model reads. */
  media?: Media
  pages?: number
}

/** Checked before the bytes are read. */
export function assertSize(name: string, type: MediaType, bytes: number): void {
  const max = type === 'application/pdf' ? MAX_PDF_BYTES : MAX_PICTURE_BYTES
  if (bytes > max) throw new WritError('MEDIA_TOO_LARGE.bytes', { name, bytes, max })
}

export async function readMedia(file: NamedFile, range: PageRange, access: MediaAccess): Promise<ReadMedia> {
  assertSize(file.name, file.type, file.bytes.length)
  return file.type === 'application/pdf'
    ? readPdf(file, range, access)
    : readPicture({ ...file, type: file.type }, access)
}

async function readPicture(
  file: NamedFile & { type: Exclude<MediaType, 'application/pdf'> },
  access: MediaAccess,
): Promise<ReadMedia> {
  const { name, type, bytes } = file
  const size = pictureSize(bytes, type)
  if (size === undefined) throw new WritError('MEDIA_DAMAGED', { name, type })
  const { width, height } = size
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw new WritError('MEDIA_TOO_LARGE.pixels', { name, width, height, side: MAX_SIDE, pixels: MAX_PIXELS })
  assertTakes(file, access)
  const media = await access.keep(describe(file, { width, height }), bytes)
  return { text: `[picture ${name}: ${type}, ${width} x ${height} pixels, ${bytes.length} bytes]`, media }
}

async function readPdf(file: NamedFile, range: PageRange, access: MediaAccess): Promise<ReadMedia> {
  const { name, bytes } = file
  const pages = await access.pagesOf(bytes, name)
  if (pages.some((page) => page.trim() !== '')) return { text: pageText(name, pages, range), pages: pages.length }
  const { reader } = access
  if (reader !== undefined && !reader.takes.includes('pdf'))
    throw new WritError('MEDIA_UNSUPPORTED.scan', { name, model: reader.model })
  assertTakes(file, access)
  if (pages.length > MAX_SCANNED_PAGES)
    throw new WritError('MEDIA_TOO_LARGE.pages', { name, pages: pages.length, max: MAX_SCANNED_PAGES })
  const media = await access.keep(describe(file, { pages: pages.length }), bytes)
  return { text: `[PDF ${name}: ${pages.length} pages without text, shown as a file]`, media, pages: pages.length }
}

function assertTakes({ name, type }: NamedFile, { reader }: MediaAccess): void {
  if (reader === undefined) throw new WritError('MEDIA_UNSUPPORTED.noModel', { name })
  const kind = kindOf(type)
  if (!reader.takes.includes(kind)) throw new WritError('MEDIA_UNSUPPORTED', { name, model: reader.model, kind })
}

export function describe(
  { name, type, bytes }: NamedFile,
  more: Pick<Partial<Media>, 'width' | 'height' | 'pages'>,
): Omit<Media, 'runId'> {
  return { type, sha256: sha256(bytes), bytes: bytes.length, name, ...present(more) }
}

/** Whole pages, as many as fit; a page that alone is too long is cut. */
function pageText(name: string, pages: readonly string[], { offset, limit, most }: PageRange): string {
  if (offset > pages.length) throw new WritError('PDF_END', { name, page: offset, pages: pages.length })
  const end = Math.min(pages.length, offset - 1 + limit)
  const max = most ?? MAX_TEXT
  const parts: string[] = []
  let chars = 0
  let next = offset - 1
  for (; next < end; next++) {
    const page = `[page ${next + 1} of ${pages.length}]\n${pages[next]?.trim() ?? ''}`
    if (parts.length > 0 && chars + page.length > max) break
    parts.push(page.length > max ? `${page.slice(0, max).toWellFormed()}\n[the rest of this page is left out]` : page)
    chars += page.length
  }
  if (next >= pages.length) return parts.join('\n\n')
  const more =
    most === undefined ? `[more follows: continue with offset ${next + 1}]` : '[the other pages are left out]'
  return `${parts.join('\n\n')}\n${more}`
}

/** Pictures and PDFs that a model is shown. */

/** What a model may be able to read besides text. */
export const MEDIA_KINDS = ['image', 'pdf'] as const
/** What a model may read besides text. */
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** The media types that are recognised. */
export type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf'

/** The journal has only this; the bytes are in a file of the run, named after their hash. */
export interface Media {
  type: MediaType
  sha256: string
  bytes: number
  /** As the user or the tool named it; only shown. */
  name: string
  /** The run that stored the file. */
  runId: string
  /** Pixels of a picture, from its header. */
  width?: number
  height?: number
  /** Of a PDF. */
  pages?: number
}

/** A file the user gave with a message. */
export interface Attachment {
  file: Media
  /** What the model reads of it: a line that names it, and the text of a PDF after inspection. */
  text: string
  /** The model is shown the file itself. False for a PDF whose text it reads. */
  isShown: boolean
}

export function kindOf(type: MediaType): MediaKind {
  return type === 'application/pdf' ? 'pdf' : 'image'
}

/** In a prompt, beside what must be kept of the current task: providers refuse more. */
export const PROMPT_MEDIA = { files: 20, bytes: 15_000_000 } as const

/** The size of a picture, from its header. Nothing is decoded: a small file can unpack to gigabytes. */
import { Buffer } from 'node:buffer'
import type { MediaType } from '../../protocol/media.ts'

export interface PictureSize {
  width: number
  height: number
}

/** Undefined when the header is damaged or incomplete. */
export function pictureSize(bytes: Uint8Array, type: Exclude<MediaType, 'application/pdf'>): PictureSize | undefined {
  const size = READERS[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

const READERS: Record<Exclude<MediaType, 'application/pdf'>, (file: Buffer) => PictureSize | undefined> = {
  'image/png': (file) =>
    file.length >= 24 && file.toString('latin1', 12, 16) === 'IHDR'
      ? { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
      : undefined,
  'image/gif': (file) =>
    file.length >= 10 ? { width: file.readUInt16LE(6), height: file.readUInt16LE(8) } : undefined,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
}

/** The frame header comes after any number of segments with metadata. */
function jpegSize(file: Buffer): PictureSize | undefined {
  for (let at = 2; at + 9 <= file.length; ) {
    if (file[at] !== 0xff) return undefined
    const marker = file[at + 1] ?? 0
    // Fill bytes, and markers without a length.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) }
    const length = file.readUInt16BE(at + 2)
    // Picture data begins, or the segment is impossible.
    if (marker === 0xda || marker === 0xd9 || length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

function webpSize(file: Buffer): PictureSize | undefined {
  if (file.length < 30) return undefined
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = file.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Small pictures, written by hand. `size` is what the header claims; the data of the PNG is one red pixel. */
import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'

interface Size {
  width: number
  height: number
}

const ONE: Size = { width: 1, height: 1 }

export function makePng({ width, height }: Size = ONE): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.alloc(1 + 3 * Math.min(width, 64), 0)
  row.fill(Buffer.from([220, 40, 40]), 1)
  const rows = Buffer.concat(Array.from({ length: Math.min(height, 64) }, () => row))
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

export function makeGif({ width, height }: Size = ONE): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\xff\0\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  return head
}

/** With a segment of metadata before the frame. */
export function makeJpeg({ width, height }: Size = ONE): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const metadata = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 8]), Buffer.from('Exif\0\0', 'latin1')])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), metadata, frame, Buffer.from([0xff, 0xd9])])
}

export function makeWebp({ width, height }: Size = ONE): Buffer {
  const file = Buffer.alloc(30)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(22, 4)
  file.write('WEBPVP8X', 8, 'latin1')
  file.writeUInt32LE(10, 16)
  file.writeUIntLE(width - 1, 24, 3)
  file.writeUIntLE(height - 1, 27, 3)
  return file
}

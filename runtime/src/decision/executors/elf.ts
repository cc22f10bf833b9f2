/**
 * Which libraries a program needs, read off its file. `ldd` would answer too, but it runs the program's own loader,
 * and nothing here may run because of a prediction.
 */
import { open } from 'node:fs/promises'

export interface ElfNeeds {
  libraries: string[]
  /** The program's own search folders, `$ORIGIN` still in them. */
  folders: string[]
  interpreter: string | undefined
}

const MAGIC = 0x7f454c46
const PT_LOAD = 1
const PT_DYNAMIC = 2
const PT_INTERP = 3
const DT_NEEDED = 1
const DT_STRTAB = 5
const DT_RPATH = 15
const DT_RUNPATH = 29
const MAX_HEADERS = 128
const MAX_SECTION = 1024 * 1024

/** Undefined for anything but a 64-bit little-endian program: a script, another machine's, a torn file. */
export async function readNeeds(path: string): Promise<ElfNeeds | undefined> {
  const file = await open(path, 'r')
  try {
    const part = async (at: number, size: number) => {
      const buffer = Buffer.alloc(Math.min(size, MAX_SECTION))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      return buffer.subarray(0, bytesRead)
    }
    const head = await part(0, 64)
    if (head.length < 64 || head.readUInt32BE(0) !== MAGIC || head[4] !== 2 || head[5] !== 1) return undefined
    const size = head.readUInt16LE(54)
    const count = head.readUInt16LE(56)
    if (size < 56 || count > MAX_HEADERS) return undefined
    const table = await part(Number(head.readBigUInt64LE(32)), size * count)
    const segments = Array.from({ length: Math.floor(table.length / size) }, (_, i) => segmentAt(table, i * size))
    return await needsOf(segments, part)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  } finally {
    await file.close()
  }
}

interface Segment {
  type: number
  offset: number
  address: number
  size: number
}

function segmentAt(table: Buffer, at: number): Segment {
  return {
    type: table.readUInt32LE(at),
    offset: Number(table.readBigUInt64LE(at + 8)),
    address: Number(table.readBigUInt64LE(at + 16)),
    size: Number(table.readBigUInt64LE(at + 32)),
  }
}

async function needsOf(
  segments: readonly Segment[],
  part: (at: number, size: number) => Promise<Buffer>,
): Promise<ElfNeeds> {
  const named = segments.find(({ type }) => type === PT_INTERP)
  const interpreter = named === undefined ? undefined : textAt(await part(named.offset, named.size), 0)
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC)
  if (dynamic === undefined) return { libraries: [], folders: [], interpreter }
  const table = await part(dynamic.offset, dynamic.size)
  const entries = Array.from({ length: Math.floor(table.length / 16) }, (_, i) => ({
    tag: Number(table.readBigInt64LE(i * 16)),
    value: Number(table.readBigUInt64LE(i * 16 + 8)),
  }))
  const address = entries.find(({ tag }) => tag === DT_STRTAB)?.value ?? 0
  const home = segments.find(
    (each) => each.type === PT_LOAD && address >= each.address && address < each.address + each.size,
  )
  if (home === undefined) return { libraries: [], folders: [], interpreter }
  const strings = await part(home.offset + address - home.address, home.address + home.size - address)
  const all = (...tags: number[]) =>
    entries.filter(({ tag }) => tags.includes(tag)).map(({ value }) => textAt(strings, value))
  const folders = all(DT_RPATH, DT_RUNPATH).flatMap((paths) => paths.split(':'))
  return { libraries: all(DT_NEEDED), folders, interpreter }
}

function textAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(0, at)
  return bytes.toString('utf8', at, end < 0 ? bytes.length : end)
}

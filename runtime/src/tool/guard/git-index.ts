/** Reads the paths in git's index without running git. */
import { readFileSync, statSync } from 'node:fs'

const MAX_BYTES = 200_000_000

interface Entry {
  path: string
  mode: number
}

/** Undefined: the index cannot be read. */
export function trackedPaths(path: string): string[] | undefined {
  return entriesOf(path)?.map((entry) => entry.path)
}

const LINK = 0o160000

/** Paths of the submodules in the index, which git also enters. Undefined: the index cannot be read. */
export function linkedPaths(path: string): string[] | undefined {
  return entriesOf(path)
    ?.filter(({ mode }) => (mode & 0o170000) === LINK)
    .map((entry) => entry.path)
}

function entriesOf(path: string): Entry[] | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (!stat.isFile() || stat.size > MAX_BYTES) return undefined
  try {
    return parseIndex(readFileSync(path))
  } catch {
    return undefined
  }
}

function parseIndex(bytes: Buffer): Entry[] | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  if (version < 2 || version > 4) return undefined
  const entries: Entry[] = []
  let at = 12
  let last = Buffer.alloc(0)
  for (let i = 0; i < count; i++) {
    const start = at
    // Sizes and times, then the object id: 20 bytes of SHA-1. An index with SHA-256 ids is not supported.
    const flags = bytes.readUInt16BE(at + 60)
    at += 62 + ((flags & 0x4000) !== 0 ? 2 : 0)
    let kept = Buffer.alloc(0)
    if (version === 4) {
      const strip = readOffset(bytes, at)
      at = strip.next
      kept = last.subarray(0, last.length - strip.value)
    }
    const end = bytes.indexOf(0, at)
    if (end < 0) return undefined
    last = Buffer.concat([kept, bytes.subarray(at, end)])
    entries.push({ path: last.toString('utf8'), mode: bytes.readUInt32BE(start + 24) })
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7)
  }
  // A split index stores most of its entries in another file.
  return bytes.includes('link', at, 'latin1') && hasExtension(bytes, at, 'link') ? undefined : entries
}

function hasExtension(bytes: Buffer, from: number, name: string): boolean {
  for (let at = from; at + 8 <= bytes.length - 20; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString('latin1', at, at + 4) === name) return true
  }
  return false
}

/** As in pack files: seven bits per byte, the highest bit means that more follow, and each further byte adds one. */
function readOffset(bytes: Buffer, from: number): { value: number; next: number } {
  let at = from
  let byte = bytes.readUInt8(at++)
  let value = byte & 127
  while ((byte & 128) !== 0) {
    byte = bytes.readUInt8(at++)
    value = ((value + 1) << 7) | (byte & 127)
  }
  return { value, next: at }
}

/** Finds the documents of a workspace: readable files without secrets and generated content. */
import { constants } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { covers } from '../gate/stages/content.ts'
import { describePath, isWithin, withFile } from '../tool/guard/paths.ts'
import type { World } from '../tool/tool.ts'

/** What the agent may read. */
export interface View {
  world: World
  blockedPaths: readonly string[]
}

export interface FoundFile {
  /** Relative to the workspace. */
  path: string
  real: string
  size: number
  stamp: string
  /** ctime, which programs cannot set back. */
  changedAt: number
}

export interface Stats {
  size: number
  mtimeMs: number
  ctimeMs: number
}

const MAX_FILES = 100_000
const MAX_DEPTH = 64

/** Generated files. */
const SKIPPED_FOLDERS = new Set(
  'node_modules bower_components jspm_packages dist build out target vendor coverage __pycache__ venv site-packages'.split(
    ' ',
  ),
)
const SKIPPED_NAMES =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|.*\.lock|go\.sum|.*\.min\.(?:js|css|mjs)|.*\.(?:js|css)\.map)$/i
/** Names of credential files. Hidden files are always skipped. */
const SECRET_NAMES =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|env)|credentials(?:\.\w+)?|secrets?\.\w+|service-account.*\.json)$/i
/** Formats without text. */
const BINARY = new Set(
  '.png .jpg .jpeg .gif .webp .avif .bmp .ico .tif .tiff .psd .heic .svg .mp3 .mp4 .m4a .mov .avi .mkv .webm .wav .flac .ogg .zip .gz .tgz .bz2 .xz .zst .7z .rar .tar .jar .war .exe .dll .so .dylib .a .o .obj .lib .bin .dat .db .sqlite .sqlite3 .wasm .class .pyc .woff .woff2 .ttf .otf .eot .doc .docx .xls .xlsx .ppt .pptx .odt .ods .iso .dmg .img .apk .deb .rpm .npy .pt .onnx .safetensors .gguf .parquet'.split(
    ' ',
  ),
)

/** The existing and readable folders, each once, and the others. */
export async function findRoots(
  roots: readonly string[],
  view: View,
): Promise<{ found: { path: string; real: string }[]; lost: string[] }> {
  const found: { path: string; real: string }[] = []
  const lost: string[] = []
  for (const root of roots) {
    const real = await realPlace(root, view)
    if (real === undefined || (await lstat(real).catch(() => undefined)) === undefined) lost.push(root)
    else found.push({ path: relative(view.world.workspace, real) || '.', real })
  }
  const outermost = found.filter(
    ({ real }, i) => !found.some((other, j) => (other.real === real ? j < i : isWithin(real, other.real))),
  )
  return { found: outermost, lost }
}

/** The real path of a document, if the gate would allow reading it. */
export async function realPlace(id: string, view: View): Promise<string | undefined> {
  const fact = await describePath({ path: id, access: 'read' }, view.world)
  return fact.insideWorkspace && !view.blockedPaths.some((entry) => covers(entry, fact)) ? fact.real : undefined
}

/** By folder, sorted by name. Links are not followed, so nothing outside is found and nothing twice. */
export async function* walkDocs(
  roots: readonly { real: string }[],
  view: View,
  signal: AbortSignal,
): AsyncGenerator<FoundFile> {
  const { workspace, protectedPaths } = view.world
  const guarded = await Promise.all(protectedPaths.map((path) => realpath(path).catch(() => path)))
  const closed = (real: string): boolean => {
    const path = relative(workspace, real)
    return (
      guarded.some((place) => isWithin(real, place)) || view.blockedPaths.some((entry) => covers(entry, { path, real }))
    )
  }
  let room = MAX_FILES
  async function* below(folder: string, depth: number): AsyncGenerator<FoundFile> {
    signal.throwIfAborted()
    // A missing or unreadable folder does not end the walk.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const open = entries.filter(({ name }) => !name.startsWith('.') && !closed(join(folder, name)))
    open.sort((a, b) => (a.name < b.name ? -1 : 1))
    const files = open.filter((entry) => entry.isFile() && isDocument(entry.name)).slice(0, room)
    room -= files.length
    const found = await Promise.all(files.map(({ name }) => foundAt(join(folder, name), workspace)))
    yield* found.filter((file) => file !== undefined)
    if (depth === MAX_DEPTH) return
    for (const { name } of open.filter((entry) => entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name))) {
      yield* below(join(folder, name), depth + 1)
    }
  }
  for (const { real } of roots) {
    if (closed(real)) continue
    const file = await foundAt(real, workspace)
    if (file === undefined) yield* below(real, 0)
    else yield file
  }
}

/** Undefined: no such file. */
async function foundAt(real: string, workspace: string): Promise<FoundFile | undefined> {
  const stat = await lstat(real).catch(() => undefined)
  if (stat?.isFile() !== true) return undefined
  const { size, ctimeMs: changedAt } = stat
  return { path: relative(workspace, real), real, size, stamp: stampOf(stat), changedAt }
}

function isDocument(name: string): boolean {
  return !SKIPPED_NAMES.test(name) && !SECRET_NAMES.test(name) && !BINARY.has(extname(name).toLowerCase())
}

/** Version of sections and words; when it changes, every document is read again. */
export const FORM = 2

export function stampOf({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${FORM}:${size}:${mtimeMs}:${ctimeMs}`
}

/** The bytes of a file, unless larger than `max`, and its metadata before reading. */
export function readWhole(
  real: string,
  max: number,
): Promise<{ stats: Stats; bytes: Uint8Array<ArrayBuffer> | undefined } | undefined> {
  return withFile(real, async (at) => {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
    const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) return undefined
      if (stats.size > max) return { stats, bytes: undefined }
      // The file may grow while it is read. The buffer is separate so that it can be transferred to another thread.
      const bytes = new Uint8Array(Math.min(stats.size + 1, max))
      let length = 0
      for (let got = -1; got !== 0 && length < bytes.length; length += got) {
        got = (await file.read(bytes, length, bytes.length - length)).bytesRead
      }
      return { stats, bytes: bytes.slice(0, length) }
    } finally {
      await file.close()
    }
  })
}

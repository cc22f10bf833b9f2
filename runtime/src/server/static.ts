/** Serves the built console from its folder. Unknown paths serve index.html. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { Readable } from 'node:stream'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
}

/** Undefined when the console is not built, or the path leaves its folder. */
export async function consoleFile(folder: string, path: string): Promise<Response | undefined> {
  const found = (await fileAt(folder, path)) ?? (extname(path) === '' ? await fileAt(folder, '/index.html') : undefined)
  if (found === undefined) return undefined
  // Vite puts a content hash in their names.
  const isImmutable = found.file.includes(`${sep}assets${sep}`)
  const body = Readable.toWeb(createReadStream(found.file)) as ReadableStream<Uint8Array>
  return new Response(body, {
    headers: {
      'content-type': TYPES[extname(found.file)] ?? 'application/octet-stream',
      'content-length': String(found.size),
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  })
}

async function fileAt(folder: string, path: string): Promise<{ file: string; size: number } | undefined> {
  let name: string
  try {
    name = decodeURIComponent(path)
  } catch {
    return undefined
  }
  if (name.includes('\0') || name.includes('\\')) return undefined
  const file = normalize(join(folder, name))
  if (!file.startsWith(folder + sep)) return undefined
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() ? { file, size: found.size } : undefined
}

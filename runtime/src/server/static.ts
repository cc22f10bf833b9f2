/** Serves the built console and the documentation from their folders. */
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
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
}

/** Beside each file, as the build left them; the best first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

/** Unknown paths serve index.html. Undefined when the console is not built, or the path leaves its folder. */
export async function consoleFile(
  folder: string,
  path: string,
  acceptEncoding: string | undefined,
): Promise<Response | undefined> {
  const found = (await fileAt(folder, path)) ?? (extname(path) === '' ? await fileAt(folder, '/index.html') : undefined)
  return found && sent(found, acceptEncoding)
}

const CHINESE = '/zh/'

/** Public, without a token. Unknown paths get a page that says so. Undefined when the documentation is not built. */
export async function docsFile(
  folder: string,
  path: string,
  acceptEncoding: string | undefined,
): Promise<Response | undefined> {
  const found = await fileAt(folder, path.endsWith('/') ? `${path}index.html` : path)
  if (found !== undefined) return sent(found, acceptEncoding)
  const missing = await fileAt(folder, path.startsWith(CHINESE) ? `${CHINESE}404.html` : '/404.html')
  return missing && sent(missing, acceptEncoding, 404)
}

async function sent(found: Found, acceptEncoding: string | undefined, status = 200): Promise<Response> {
  const { file, encoding, size } = await compressed(found, acceptedIn(acceptEncoding))
  // The builds put a content hash in their names.
  const isImmutable = found.file.includes(`${sep}assets${sep}`)
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  return new Response(body, {
    status,
    headers: {
      'content-type': TYPES[extname(found.file)] ?? 'application/octet-stream',
      'content-length': String(size),
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'Accept-Encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
  })
}

interface Found {
  file: string
  size: number
}

async function compressed(found: Found, accepted: ReadonlySet<string>): Promise<Found & { encoding?: string }> {
  for (const { name, suffix } of ENCODINGS) {
    if (!accepted.has(name)) continue
    const file = found.file + suffix
    const size = await sizeOf(file)
    if (size !== undefined) return { file, size, encoding: name }
  }
  return found
}

/** `br;q=0` is a refusal. */
function acceptedIn(header = ''): Set<string> {
  const offers = header.toLowerCase().split(',')
  return new Set(
    offers.flatMap((offer) => {
      const [name = '', ...parameters] = offer.split(';').map((part) => part.trim())
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name]
    }),
  )
}

async function fileAt(folder: string, path: string): Promise<Found | undefined> {
  let name: string
  try {
    name = decodeURIComponent(path)
  } catch {
    return undefined
  }
  if (name.includes('\0') || name.includes('\\')) return undefined
  const file = normalize(join(folder, name))
  if (!file.startsWith(folder + sep)) return undefined
  const size = await sizeOf(file)
  return size === undefined ? undefined : { file, size }
}

async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}

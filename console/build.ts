/** Builds the console into the runtime package if its source has changed. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = import.meta.dirname
const VITE = join(ROOT, '../node_modules/vite/bin/vite.js')
export const BUILT = join(ROOT, '../runtime/dist/console')

export default function buildConsole(): void {
  const page = join(BUILT, 'index.html')
  const contract = join(ROOT, '../runtime/src/server/client.ts')
  const sources = [
    ...filesIn(join(ROOT, 'src')),
    ...filesIn(join(ROOT, 'public')),
    ...['index.html', 'vite.config.ts', 'package.json', 'build.ts'].map(inRoot),
    contract,
  ]
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs))
  if (existsSync(page) && statSync(page).mtimeMs > newest) return
  // In a separate process: with the NODE_ENV of the tests, React would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, [VITE, 'build', '--logLevel', 'error'], { cwd: ROOT, env, stdio: 'inherit' })
  filesIn(BUILT).filter(isText).forEach(compress)
}

/** Smaller files would not become smaller by as much as a packet. */
const WORTH_IT = 1024

function isText(file: string): boolean {
  return /\.(?:js|css|html|svg)$/.test(file) && statSync(file).size >= WORTH_IT
}

/** The server sends these files as they are; compressing for every request would cost more than it saves. */
function compress(file: string): void {
  const bytes = readFileSync(file)
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  )
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
}

function inRoot(name: string): string {
  return join(ROOT, name)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

if (import.meta.main) buildConsole()

/** Builds the console into the runtime package if its source has changed. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compressTexts, filesIn, newestOf } from '../scripts/built-files.ts'

const ROOT = import.meta.dirname
const VITE = join(ROOT, '../node_modules/vite/bin/vite.js')
export const BUILT = join(ROOT, '../runtime/dist/console')

/** Smaller files would not become smaller by as much as a packet. */
const WORTH_IT = 1024

/** Built, and no source is newer. */
export function isConsoleBuilt(): boolean {
  const page = join(BUILT, 'index.html')
  const contract = join(ROOT, '../runtime/src/server/client.ts')
  const sources = [
    ...filesIn(join(ROOT, 'src')),
    ...filesIn(join(ROOT, 'public')),
    ...['index.html', 'vite.config.ts', 'package.json', 'build.ts'].map(inRoot),
    contract,
  ]
  return existsSync(page) && statSync(page).mtimeMs > newestOf(sources)
}

export default function buildConsole(): void {
  if (isConsoleBuilt()) return
  // In a separate process: with the NODE_ENV of the tests, React would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, [VITE, 'build', '--logLevel', 'error'], { cwd: ROOT, env, stdio: 'inherit' })
  compressTexts(BUILT, WORTH_IT)
}

function inRoot(name: string): string {
  return join(ROOT, name)
}

if (import.meta.main) buildConsole()

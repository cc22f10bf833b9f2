// Imported first by `dist/index.js`. Plain JavaScript for Node 18 and newer: whatever `dist/index.js` imports is only
// linked, not yet run, when this runs.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isCurrent } from './checkout.js'
import { load } from './own-code.js'
import { NEEDED, tooOld } from './too-old.js'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  const { code, message, hint } = tooOld()
  throw Object.assign(new Error(`${code}: ${message}\n${hint}`), { name: 'WritError', code, hint })
}

// In a checkout, a bundle that is older than the sources must not run.
if (existsSync(new URL('../src/index.ts', import.meta.url))) {
  if (!isCurrent(DIST)) {
    throw new Error(
      'runtime/dist is older than the sources. Run `npm run build -w writ`, or use the sources with --conditions=writ-source.',
    )
  }
}

/**
 * The exports of a file of the bundle.
 * @param {string} name
 */
export const loadOwn = (name) => load(DIST + name)

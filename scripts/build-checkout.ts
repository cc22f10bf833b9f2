/** Bundles the sources of this checkout, for `runtime/bin/checkout.js`. Fails while they are being changed. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLES } from '../runtime/bin/checkout.js'
import { bundle } from './bundle.ts'

/** Older ones may still be used by a running server, which loads parts of it later. */
const KEPT = 5

mkdirSync(BUNDLES, { recursive: true })
const folder = mkdtempSync(join(BUNDLES, 'new-'))
try {
  await bundle(folder)
  // As the sources: another user of this checkout would make a bundle for every command, and could keep none.
  chmodSync(folder, statSync(BUNDLES).mode & 0o777)
  renameSync(folder, folder.replace('new-', ''))
  removeOld()
} catch (error) {
  rmSync(folder, { recursive: true, force: true })
  if (process.env.WRIT_DEBUG === '1') console.error(error)
  process.exitCode = 1
}

function removeOld(): void {
  const newestFirst = readdirSync(BUNDLES)
    .map((name) => ({ path: join(BUNDLES, name), at: statSync(join(BUNDLES, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at)
  for (const { path } of newestFirst.slice(KEPT)) rmSync(path, { recursive: true, force: true })
}

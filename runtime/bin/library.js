// Imported first by `dist/index.js`.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isCurrent } from './checkout.js'

// In a checkout, a bundle that is older than the sources must not run.
if (existsSync(new URL('../src/index.ts', import.meta.url))) {
  if (!isCurrent(fileURLToPath(new URL('../dist', import.meta.url)))) {
    throw new Error(
      'runtime/dist is older than the sources. Run `npm run build -w writ`, or use the sources with --conditions=writ-source.',
    )
  }
}

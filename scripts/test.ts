/** `npm test`: prerequisites, source checks, then all tests. */
import { currentBundle } from '../runtime/bin/checkout.js'
import { checkSource } from './check.ts'
import { ensurePrerequisites } from './prerequisites.ts'

process.exitCode = ensurePrerequisites() ? await checkSource() : 1
if (process.exitCode === 0) {
  // Made once here: otherwise each worker would make one for its first process.
  currentBundle()
  // In this process: a process between the launcher and the tests could be orphaned.
  process.argv.splice(2, 0, 'run')
  const vitest: string = '../node_modules/vitest/vitest.mjs'
  await import(vitest)
}

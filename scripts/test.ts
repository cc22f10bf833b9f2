/** `npm test`: what the tests need, the checks of the source, then every test. */
import { checkSource } from './check.ts'
import { ensurePrerequisites } from './prerequisites.ts'

process.exitCode = ensurePrerequisites() ? await checkSource() : 1
if (process.exitCode === 0) {
  // In this process: one more between the launcher and the tests could be left behind.
  process.argv.splice(2, 0, 'run')
  const vitest: string = '../node_modules/vitest/vitest.mjs'
  await import(vitest)
}

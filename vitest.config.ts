import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import { PATIENCE_MS } from './runtime/test/support/until.ts'

/** A skipped test proves nothing: in CI it counts as a failure. */
const noSkips: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    for (const test of skipped) console.log(`skipped: ${test.module.moduleId} > ${test.fullName}`)
    if (process.env.CI && skipped.length > 0) process.exitCode = 1
  },
}

export default defineConfig({
  resolve: { conditions: ['writ-source'] },
  ssr: { resolve: { conditions: ['writ-source'] } },
  test: {
    include: ['runtime/**/*.test.ts', 'examples/**/*.test.ts', 'console/**/*.test.{ts,tsx}'],
    globalSetup: ['runtime/test/support/temporary.ts', 'console/build.ts'],
    setupFiles: ['runtime/test/support/seed.ts', 'runtime/test/support/orphans.ts'],
    // Not a performance limit, only a safety net: a busy machine must not fail the tests.
    testTimeout: 1.5 * PATIENCE_MS,
    hookTimeout: 1.5 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
    allowOnly: false,
    pool: 'forks',
    // No test replaces modules or leaves its settings behind: loading all modules again for each file costs two minutes.
    isolate: false,
    // Two cores stay busy while a third file waits for a lease, a disk or a process. With more, browsers and databases
    // starve each other.
    maxWorkers: 3,
    reporters: ['default', noSkips],
  },
})

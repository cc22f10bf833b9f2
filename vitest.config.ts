import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'

/** A test nobody ran proves nothing: in CI it counts as a failure. */
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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    allowOnly: false,
    pool: 'forks',
    // More than this, and real browsers, databases and processes starve each other on two cores.
    maxWorkers: 2,
    // They may starve anyway where others use the machine too; a test that needed its second chance is listed as such.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', noSkips],
  },
})

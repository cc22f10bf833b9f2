import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'
import { PATIENCE_MS } from './runtime/test/support/until.ts'

/** A skipped test proves nothing: in CI it counts as a failure. */
const noSkips: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    for (const test of skipped) console.log(`skipped: ${test.module.moduleId} > ${test.fullName}`)
    if (process.env.CI && skipped.length > 0) process.exitCode = 1
  },
}

/** Files that take half a minute or more, longest first. */
const LONG = [
  'runtime/test/hostile/hostile.test.ts',
  'console/test/pages.test.ts',
  'runtime/test/scenarios/package.test.ts',
  'runtime/test/scenarios/crash.test.ts',
  'runtime/test/scenarios/fleet.test.ts',
  'runtime/test/scenarios/launch.test.ts',
  'console/test/sign-in.test.ts',
  'console/test/chat.test.ts',
  'runtime/test/contracts/dispatch.test.ts',
  'runtime/test/contracts/store.test.ts',
  'runtime/test/contracts/docs.test.ts',
  'runtime/test/scenarios/checkout.test.ts',
  'runtime/src/context/docs.test.ts',
  'runtime/src/context/docs-extractor.test.ts',
  'runtime/src/tool/builtin/files.test.ts',
  'runtime/test/scenarios/cli-question.test.ts',
  'runtime/src/tool/browser/tools.test.ts',
  'runtime/test/scenarios/chat.test.ts',
  'runtime/test/scenarios/property.test.ts',
]

/** A long file that starts last keeps one core busy and the other idle. Its size does not tell how long it takes. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(name))
      return at === -1 ? LONG.length : at
    }
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b))
  }
}

export default defineConfig({
  resolve: { conditions: ['writ-source'] },
  ssr: { resolve: { conditions: ['writ-source'] } },
  test: {
    include: ['runtime/**/*.test.ts', 'examples/**/*.test.ts', 'console/**/*.test.{ts,tsx}', 'docs-site/**/*.test.ts'],
    globalSetup: ['runtime/test/support/temporary.ts', 'console/build.ts', 'docs-site/build.ts'],
    setupFiles: ['runtime/test/support/seed.ts', 'runtime/test/support/orphans.ts'],
    // Not a performance limit, only a safety net: a busy machine must not fail the tests.
    testTimeout: 1.5 * PATIENCE_MS,
    hookTimeout: 1.5 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // No test replaces modules or leaves its settings behind: loading all modules again for each file costs two minutes.
    isolate: false,
    // Two cores stay busy while a third file waits for a lease, a disk or a process. With more, browsers and databases
    // starve each other.
    maxWorkers: 3,
    reporters: ['default', noSkips],
  },
})

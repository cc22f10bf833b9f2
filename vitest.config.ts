import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'
import { PATIENCE_MS } from './runtime/test/support/until.ts'

/**
 * Two cores stay busy while a third file waits for a lease, a disk or a process. With more, browsers and databases starve
 * each other.
 */
const WORKERS = 3

/** A skipped test proves nothing: in CI it counts as a failure. */
const noSkips: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    for (const test of skipped) console.log(`skipped: ${test.module.moduleId} > ${test.fullName}`)
    if (process.env.CI && skipped.length > 0) process.exitCode = 1
  },
}

/** To start a program, the system copies the page tables of the worker's native memory: fewer of them for huge pages. */
process.env.GLIBC_TUNABLES ??= 'glibc.malloc.hugetlb=1'

/**
 * These start a hundred programs each, or a thousand. The native memory of a worker grows with every file: first, they
 * take half the time.
 */
const STARTING_PROGRAMS = [
  'runtime/test/scenarios/pages.test.ts',
  'runtime/test/hostile/hostile.test.ts',
  'runtime/test/scenarios/undo.test.ts',
  'runtime/test/scenarios/hook-traffic.test.ts',
  'runtime/src/tool/builtin/git-programs.test.ts',
  'runtime/src/tool/guard/boundary.test.ts',
  'runtime/test/scenarios/patch-history.test.ts',
  'runtime/src/tool/builtin/git-closed.test.ts',
  'runtime/test/scenarios/undo-command.test.ts',
  'runtime/test/scenarios/chat.test.ts',
  'runtime/test/soak/soak.test.ts',
  'runtime/test/scenarios/server-approvals.test.ts',
  'runtime/test/scenarios/setup.test.ts',
  'runtime/test/fuzz/git.test.ts',
  'runtime/test/scenarios/elicitation-terminal.test.ts',
  'runtime/src/tool/builtin/git-work.test.ts',
  'runtime/src/tool/builtin/apply-patch.test.ts',
  'runtime/src/tool/builtin/git-network.test.ts',
  'runtime/src/tool/builtin/shell-network.test.ts',
]

/** A long file that starts last keeps one core busy and the other idle. Its size does not tell how long it takes. */
const LONG = [
  'runtime/test/scenarios/package.test.ts',
  'runtime/test/scenarios/crash.test.ts',
  'runtime/test/scenarios/fleet.test.ts',
  'console/test/pages.test.ts',
  'runtime/test/contracts/dispatch.test.ts',
  'console/test/chat.test.ts',
  'runtime/test/scenarios/launch.test.ts',
  'runtime/test/scenarios/serve-open.test.ts',
  'console/test/sign-in.test.ts',
  'docs-site/test/browser.test.ts',
  'runtime/test/scenarios/work.test.ts',
  'runtime/test/scenarios/property.test.ts',
  'runtime/test/contracts/docs.test.ts',
  'runtime/src/context/docs.test.ts',
  'runtime/test/scenarios/mcp-gateway.test.ts',
  'runtime/test/scenarios/mcp.test.ts',
  'runtime/test/contracts/store.test.ts',
  'runtime/test/scenarios/checkout.test.ts',
  'runtime/test/scenarios/deaf-network.test.ts',
  'console/test/conversations.test.ts',
  'console/test/runs.test.ts',
  'runtime/src/tool/browser/tools.test.ts',
  'runtime/src/tool/builtin/files.test.ts',
  'runtime/test/crash/one-machine.test.ts',
]

const FIRST = [...STARTING_PROGRAMS, ...LONG]

class FirstToLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = FIRST.filter((name) => !existsSync(join(import.meta.dirname, name)))
    if (gone.length > 0) throw new Error(`vitest.config.ts names files that do not exist: ${gone.join(', ')}`)
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((name) => moduleId.endsWith(name))
      return at === -1 ? FIRST.length : at
    }
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b))
  }
}

/** A run of all files says which ones the list above lacks. */
const ENOUGH_FILES = 100
const SHARE = 0.05
const missingInOrder: Reporter = {
  onTestRunEnd(modules) {
    const times = modules.map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
    const whole = times.reduce((sum, { ms }) => sum + ms, 0)
    const late = times.filter(({ file, ms }) => ms > (SHARE * whole) / WORKERS && !FIRST.includes(file))
    if (times.length < ENOUGH_FILES) return
    for (const { file, ms } of late)
      console.log(`long, but not named in vitest.config.ts: ${file} (${Math.round(ms)} ms)`)
  },
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
    sequence: { sequencer: FirstToLast },
    pool: 'forks',
    // No test replaces modules or leaves its settings behind: loading all modules again for each file costs two minutes.
    isolate: false,
    maxWorkers: WORKERS,
    reporters: ['default', noSkips, missingInOrder],
  },
})

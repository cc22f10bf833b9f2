/** A test that waits a fixed time fails on a slow machine. Tests wait for a condition instead. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const TESTS = [
  'runtime/test/**/*.ts',
  'runtime/src/**/*.test.ts',
  'console/test/**/*.ts',
  'console/src/**/*.test.{ts,tsx}',
  'docs-site/test/**/*.ts',
]

/** Fixed delays and short timeouts of a test's own. Use `until` or `expect.poll` instead. */
const IMPATIENT =
  /timers\/promises'?.*|vi\.waitFor|vi\.waitUntil|waitForTimeout|new Promise\([^\n]*setTimeout\(|expect\.poll\([^\n]*timeout:/g

/** Files that may wait a fixed time, and why. */
const ALLOWED: Record<string, string> = {
  'runtime/test/support/until.ts': 'implements the wait',
  'runtime/test/soak/soak.ts': 'simulates slow models and tools',
  'runtime/test/crash/sweep.ts': 'releases a transaction after a while if no worker waits for it',
  'runtime/test/hostile/server-access.ts': 'a stream checks its token again once a second',
  'runtime/test/hostile/server-wire.ts': 'pauses between requests, and measures memory again',
}

test('no test sleeps: it waits with `until` or `expect.poll`, for as long as the machine needs', () => {
  const paths = globSync(TESTS, { cwd: ROOT }).filter((path) => ALLOWED[path] === undefined)
  expect(paths.length).toBeGreaterThan(150)
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const hits = text.match(IMPATIENT)?.filter((hit) => !isSettling(text, hit)) ?? []
    return path.endsWith('waiting.test.ts') ? [] : hits.map((hit) => `${path}: ${hit}`)
  })
  expect(found).toEqual([])
})

/** `setImmediate` only yields to other tasks; it does not wait. */
function isSettling(text: string, hit: string): boolean {
  return hit.startsWith('timers/promises') && !/setTimeout( as \w+)?[^}]*\} from 'node:timers\/promises'/.test(text)
}

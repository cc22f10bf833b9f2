/** A test that waits for a time fails on a machine that needs longer: it waits for what must come instead. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const TESTS = [
  'runtime/test/**/*.ts',
  'runtime/src/**/*.test.ts',
  'console/test/**/*.ts',
  'console/src/**/*.test.{ts,tsx}',
]

/** Its own, shorter limits, or a time that should do: `until` and `expect.poll` are the ways to wait. */
const IMPATIENT =
  /timers\/promises'?.*|vi\.waitFor|vi\.waitUntil|waitForTimeout|new Promise\([^\n]*setTimeout\(|expect\.poll\([^\n]*timeout:/g

/** Why each of these is given time, and not a condition. */
const ALLOWED: Record<string, string> = {
  'runtime/test/support/until.ts': 'it is the wait itself',
  'runtime/test/soak/soak.ts': 'models and tools that dawdle are what it is about',
  'runtime/test/crash/sweep.ts': 'a transaction that nobody waits for ends after a while',
  'runtime/test/hostile/server-door.ts': 'a stream asks again for its token once a second',
  'runtime/test/hostile/server-wire.ts': 'a flood that pauses, and memory that is measured again',
}

test('no test sleeps: it waits with `until` or `expect.poll`, as long as the machine takes', () => {
  const paths = globSync(TESTS, { cwd: ROOT }).filter((path) => ALLOWED[path] === undefined)
  expect(paths.length).toBeGreaterThan(150)
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const hits = text.match(IMPATIENT)?.filter((hit) => !isSettling(text, hit)) ?? []
    return path.endsWith('waiting.test.ts') ? [] : hits.map((hit) => `${path}: ${hit}`)
  })
  expect(found).toEqual([])
})

/** `setImmediate` gives others their turn and waits for no time. */
function isSettling(text: string, hit: string): boolean {
  return hit.startsWith('timers/promises') && !/setTimeout( as \w+)?[^}]*\} from 'node:timers\/promises'/.test(text)
}

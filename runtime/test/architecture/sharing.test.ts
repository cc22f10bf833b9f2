/** Test files of a worker share its modules and its process: what one changes, the next would find. */
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
const CHANGES =
  /\bvi\.(?:mock|doMock|stubEnv|stubGlobal|useFakeTimers|setSystemTime)\b|process\.env(?:\.\w+|\[\w+\]) = |process\.(?:chdir|umask)\(|globalThis\.\w+ = /g

/** Files that may change them, and why. */
const ALLOWED: Record<string, string> = {
  'runtime/test/support/temporary.ts': 'before the first and after the last test of a run',
  'runtime/src/tool/builtin/shell.test.ts': 'goes back to its folder',
  'runtime/src/tool/guard/planted-files.test.ts': 'in a process of its own',
  'console/test/panel.test.ts': 'in the page of a browser',
}

test('no test replaces a module, or changes the environment, the folder or the clock of the process', () => {
  const paths = globSync(TESTS, { cwd: ROOT }).filter((path) => !path.endsWith('sharing.test.ts'))
  expect(paths.length).toBeGreaterThan(150)
  const changing = paths.flatMap((path) => {
    const changes = readFileSync(join(ROOT, path), 'utf8').match(CHANGES) ?? []
    return changes.map((change) => ({ path, change }))
  })
  expect(changing.filter(({ path }) => ALLOWED[path] === undefined)).toEqual([])
  expect(new Set(changing.map(({ path }) => path))).toEqual(new Set(Object.keys(ALLOWED)))
})

// Runs modules one after the other, each in a folder of its own, and writes what they print as JSON. A file of the
// project that `package.test.ts` makes, started there.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

const root = process.cwd()
const write = console.log
for (const name of process.argv.slice(2)) {
  const workspace = join(root, 'runs', name)
  mkdirSync(workspace, { recursive: true })
  writeFileSync(join(workspace, 'notes.txt'), 'buy milk\n')
  process.chdir(workspace)
  /** @type {string[]} */
  const printed = []
  console.log = (...values) => printed.push(format(...values))
  let failed = ''
  try {
    await import(pathToFileURL(join(root, name)).href)
  } catch (error) {
    failed = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  write(JSON.stringify({ name, printed, failed }))
}
process.exit(0)

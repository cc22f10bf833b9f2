/** Runs every attack of runtime/test/hostile and writes the results to docs/security.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { AREAS } from '../runtime/test/hostile/areas.ts'
import { attackTables, BEGIN, END } from '../runtime/test/hostile/page.ts'

const file = new URL('../docs/security.md', import.meta.url)
const results = new Map<string, string>()
for (const { id, expected, happens } of AREAS.flatMap(({ attacks }) => attacks)) {
  const result = await happens()
  results.set(id, result === expected ? 'held' : `**${result}**`)
  if (result !== expected) process.exitCode = 1
}
const page = readFileSync(file, 'utf8')
const before = page.slice(0, page.indexOf(BEGIN))
const after = page.slice(page.indexOf(END) + END.length)
writeFileSync(file, before + attackTables(AREAS, (id) => results.get(id) ?? '') + after)
console.log(`${results.size} attacks, ${[...results.values()].filter((result) => result === 'held').length} held`)

/** Measures the inspection of tool results: `node scripts/measure-detector.ts FOLDER`. FOLDER contains detector.jsonl. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '../runtime/src/inspect/inspect.ts'

interface Row {
  source: string
  lang: string
  kind: 'attack' | 'benign'
  tool: string
  text: string
  note: string
}

interface Count {
  rows: number
  warn: number
  review: number
  block: number
}

const ROUNDS = 20
const PAGE = 65_536
const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: node scripts/measure-detector.ts FOLDER')
  process.exit(2)
}

const rows = readFileSync(join(folder, 'detector.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line): Row => JSON.parse(line))
  .filter(({ note }) => !note.startsWith('grey'))

const counts = new Map<string, Count>()
for (const { kind, source, lang, tool, text } of rows) {
  const { verdict } = inspect(text, { tool })
  for (const name of [source, ...(lang === 'zh' ? ['all Chinese'] : []), 'all']) {
    const key = `${kind} | ${name}`
    const count = counts.get(key) ?? { rows: 0, warn: 0, review: 0, block: 0 }
    counts.set(key, count)
    count.rows++
    if (verdict !== 'pass') count.warn++
    if (verdict === 'review' || verdict === 'block') count.review++
    if (verdict === 'block') count.block++
  }
}
// Page-sized pieces of ordinary text, in a warmed-up process.
const ordinary = rows.filter(({ kind }) => kind === 'benign').map(({ text }) => text)
const pages = Buffer.from(ordinary.join('\n\n'))
const pieces = Array.from({ length: Math.ceil(pages.length / PAGE) }, (_, i) =>
  pages.subarray(i * PAGE, (i + 1) * PAGE).toString(),
)
const began = process.cpuUsage()
for (let round = 0; round < ROUNDS; round++) for (const piece of pieces) inspect(piece)
const { user, system } = process.cpuUsage(began)
const bytes = ROUNDS * pages.length

console.log('| kind | source | rows | warn or above | review or above | block |')
console.log('| --- | --- | ---: | ---: | ---: | ---: |')
for (const [key, { rows: all, warn, review, block }] of [...counts].toSorted(([a], [b]) => a.localeCompare(b))) {
  const share = (part: number) => `${((100 * part) / all).toFixed(1)} %`
  console.log(`| ${key} | ${all} | ${share(warn)} | ${share(review)} | ${share(block)} |`)
}
for (const kind of ['attack', 'benign']) {
  const own = [...counts].filter(([key]) => key.startsWith(kind) && !key.includes('| all'))
  const mean = own.reduce((sum, [, { rows: all, review }]) => sum + (100 * review) / all, 0) / own.length
  console.log(`\n${kind}: ${mean.toFixed(1)} % at review or above, mean over ${own.length} sources`)
}
console.log(`\n${(bytes / (user + system)).toFixed(1)} MB of ordinary text per second of one core`)

/**
 * Which requirements of docs/spec/inventory.md have a test. A test cites those it proves first in its title:
 * `S1-98: …` or `S1-98 S1-99: …`, at most four.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const MAX_IDS = 4
/** The start of a title, or of the row of a table whose title begins with `%s`. */
const TITLE = /['`"]((?:(?:S\d|X-[A-Z]+)-\d+(?:, | ))*(?:S\d|X-[A-Z]+)-\d+)(?=:|['`"]| \()/g

interface Row {
  id: string
  text: string
}

export interface Coverage {
  rows: Row[]
  missing: Row[]
  /** Titles with too many ids. */
  crowded: string[]
  /** Ids that are not in the inventory. */
  unknown: string[]
}

export function specCoverage(): Coverage {
  const inventory = readFileSync(join(ROOT, 'docs/spec/inventory.md'), 'utf8')
  const all = [...inventory.matchAll(/^\| ((?:S\d|X-[A-Z]+)-\d+) \| ([a-d]) \| (.*?) \|/gm)]
  const rows = all.flatMap(([, id = '', mark, text = '']) => (mark === 'd' ? [] : [{ id, text }]))
  const known = new Set(all.map(([, id = '']) => id))
  const cited = new Set<string>()
  const crowded: string[] = []
  for (const path of globSync('{runtime,console,docs-site,examples}/{src,test}/**/*.test.{ts,tsx}', { cwd: ROOT })) {
    for (const [, list = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(TITLE)) {
      const ids = list.split(/,? /)
      if (ids.length > MAX_IDS) crowded.push(`${path}: ${list}`)
      for (const id of ids) cited.add(id)
    }
  }
  return {
    rows,
    missing: rows.filter(({ id }) => !cited.has(id)),
    crowded,
    unknown: [...cited].filter((id) => !known.has(id)),
  }
}

if (import.meta.main) {
  const { rows, missing, crowded, unknown } = specCoverage()
  for (const { id, text } of missing) console.log(`${id} ${text}`)
  for (const title of crowded) console.log(`more than ${MAX_IDS} ids: ${title}`)
  for (const id of unknown) console.log(`not in the inventory: ${id}`)
  for (const seed of ['S0', 'S1', 'S2', 'S3', 'S4', 'X']) {
    const own = (list: readonly Row[]) => list.filter(({ id }) => id.startsWith(seed)).length
    console.log(`${seed}: ${own(rows) - own(missing)} of ${own(rows)} rows are cited by a test`)
  }
  if (missing.length + crowded.length + unknown.length > 0) process.exitCode = 1
}

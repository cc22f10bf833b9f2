/** Lists the requirements of docs/spec/inventory.md that no test title cites. `--all` lists the cited ones too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const inventory = readFileSync(join(root, 'docs/spec/inventory.md'), 'utf8')
const rows = [...inventory.matchAll(/^\| (S\d-\d+|X-[A-Z]+-\d+) \| ([a-d]) \| (.*?) \|/gm)].map(
  ([, id = '', mark = '', text = '']) => ({
    id,
    mark,
    text,
  }),
)

const cited = new Set<string>()
for (const folder of ['runtime', 'examples', 'console'].filter((name) => existsSync(join(root, name)))) {
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (path.includes('node_modules') || !/\.test\.tsx?$/.test(path)) continue
    for (const [id] of readFileSync(join(root, folder, path), 'utf8').matchAll(/\b(?:S\d|X-[A-Z]+)-\d+\b/g))
      cited.add(id)
  }
}

const binding = rows.filter((row) => row.mark !== 'd')
const missing = binding.filter((row) => !cited.has(row.id))
for (const { id, mark, text } of missing) console.log(`${id} (${mark}) ${text}`)
for (const seed of ['S0', 'S1', 'S2', 'S3', 'S4', 'X-BUDGET', 'X-UNDO']) {
  const own = binding.filter((row) => row.id.startsWith(seed))
  const tested = own.filter((row) => cited.has(row.id)).length
  console.log(`${seed}: ${tested} of ${own.length} rows are cited by a test`)
}

/** Writes `verdicts.txt` again: `node scripts/node.js runtime/test/recorded/record.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePlace } from '../support/cli.ts'
import { judgeMaterial } from './verdicts.ts'

const place = makePlace()
try {
  writeFileSync(join(import.meta.dirname, 'verdicts.txt'), await judgeMaterial(place))
} finally {
  place.remove()
}

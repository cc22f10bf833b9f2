/** `node bench/help.ts`: compares `writ --help` with `node -e 0`. The target is at most 2×. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { figureOf } from './figures.ts'

const WARM_UPS = 3
const PAIRS = 30
const commands = {
  'node -e 0': ['-e', '0'],
  'writ --help': [join(import.meta.dirname, '../runtime/bin/writ.js'), '--help'],
}

function time(args: readonly string[]): number {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const elapsed = performance.now() - start
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with code ${status}: ${stderr.trim()}`)
  return elapsed
}

for (let i = 0; i < WARM_UPS; i++) for (const args of Object.values(commands)) time(args)
const bare: number[] = []
const help: number[] = []
for (let i = 0; i < PAIRS; i++) {
  bare.push(time(commands['node -e 0']))
  help.push(time(commands['writ --help']))
}
const [floor, own] = [figureOf(bare), figureOf(help)]
const ratio = own.median / floor.median
console.log(`node -e 0    ${floor.median.toFixed(1)} ±${floor.spread.toFixed(1)} ms`)
console.log(`writ --help  ${own.median.toFixed(1)} ±${own.spread.toFixed(1)} ms`)
console.log(`ratio        ${ratio.toFixed(2)}×  (${ratio <= 2 ? 'met' : 'NOT MET'}: at most 2×)`)

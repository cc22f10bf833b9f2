/**
 * `npm run bench:texts`: what a text costs that a run has read. A verdict on a call whose target is named in a text of
 * 5 kB, the first in a process and later ones, compared with a verdict without a target; and the inspection of this
 * repository's own documents and sources, compared with one pass of one pattern.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { judge } from '../runtime/src/gate/gate.ts'
import { inspect } from '../runtime/src/inspect/inspect.ts'
import { toolInput } from '../runtime/test/support/gate-input.ts'
import { figureOf } from './figures.ts'
import { cost, mail } from './first-verdict.ts'

const ROUNDS = 15
const STARTS = 9
const PAGE = 65_536
const root = join(import.meta.dirname, '..')
const own = join(import.meta.dirname, 'first-verdict.ts')

/** Microseconds each. */
function perCall(times: number, work: (i: number) => void): number {
  const rounds = Array.from({ length: ROUNDS }, (_, round) =>
    cost(() => {
      for (let i = 0; i < times; i++) work(round * times + i)
    }),
  )
  // The first rounds are warm-up.
  return (figureOf(rounds.slice(ROUNDS / 3)).median / times) * 1000
}

function report(label: string, value: number, { unit, ratio, to }: { unit: string; ratio: number; to: string }): void {
  console.log(
    `${label.padEnd(44)}${value.toFixed(1).padStart(8)} ${unit.padEnd(5)}${ratio.toFixed(1).padStart(7)}× ${to}`,
  )
}

function verdict(text: string, met: boolean): void {
  console.log(`${met ? 'met    ' : 'NOT MET'}  ${text}`)
}

const plainInput = toolInput()
const plain = perCall(20_000, () => judge(plainInput))
const known = mail(0)
const warm = perCall(2_000, () => judge(known))
const inputs = Array.from({ length: ROUNDS * 100 }, (_, i) => mail(i + 1))
const fresh = perCall(100, (i) => judge(inputs[i] ?? known))
/** Medians of new processes. */
function firstOf(file: string): { plain: number; mail: number } {
  const starts = Array.from({ length: STARTS + 2 }, () => {
    const { stdout } = spawnSync(process.execPath, [file, 'first', root], { encoding: 'utf8' })
    return JSON.parse(stdout) as { plain: number; mail: number }
  }).slice(2)
  const median = (key: 'plain' | 'mail') => figureOf(starts.map((one) => one[key])).median
  return { plain: median('plain'), mail: median('mail') }
}

/** As in the package: one file, with the code that an earlier process has compiled. */
async function firstFromBundle(): Promise<{ plain: number; mail: number }> {
  const { rolldown } = await import('rolldown')
  const { patternsLater } = await import('../scripts/bundle-lazy.ts')
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
  const folder = mkdtempSync(join(import.meta.dirname, 'results/first-'))
  try {
    const code = await rolldown({ input: own, platform: 'node', plugins: [patternsLater] })
    await code.write({ dir: folder, format: 'cjs', entryFileNames: 'first.cjs' })
    await code.close()
    const loader = pathToFileURL(join(root, 'runtime/bin/own-code.js'))
    const start = join(folder, 'start.mjs')
    writeFileSync(start, `import { load } from '${loader}'\nload(${JSON.stringify(join(folder, 'first.cjs'))})\n`)
    return firstOf(start)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const source = firstOf(own)
const first = await firstFromBundle()

const guides = readdirSync(join(root, 'docs/guides')).map((name) => join(root, 'docs/guides', name))
const sources = ['gate', 'journal', 'agent'].flatMap((folder) =>
  readdirSync(join(root, 'runtime/src', folder)).map((name) => join(root, 'runtime/src', folder, name)),
)
const files = [...guides, ...sources].filter((name) => /\.(?:md|ts)$/.test(name))
const all = Buffer.from(files.map((file) => readFileSync(file, 'utf8')).join('\n\n'))
const pages = Array.from({ length: Math.ceil(all.length / PAGE) }, (_, i) =>
  all.subarray(i * PAGE, (i + 1) * PAGE).toString(),
)
const PATTERN = /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|prompt)\b|<\|im_start\|>|\[system\]/i
const inspection = perCall(1, () => {
  for (const text of pages) inspect(text)
})
const pattern = perCall(5, () => {
  for (const text of pages) PATTERN.test(text)
})
const speed = all.length / inspection

const ofPlain = 'a verdict without a target'
report('verdict without a target', plain, { unit: 'µs', ratio: 1, to: ofPlain })
report('target in a text of 5 kB, text known', warm, { unit: 'µs', ratio: warm / plain, to: ofPlain })
report('target in a text of 5 kB, text new', fresh, { unit: 'µs', ratio: fresh / plain, to: ofPlain })
const toPlain = (one: { plain: number; mail: number }) => ({
  unit: 'ms',
  ratio: one.mail / one.plain,
  to: 'the first without one',
})
report('the same, first in a process', first.mail, toPlain(first))
report('the same, from the sources', source.mail, toPlain(source))
report('inspection', speed, { unit: 'MB/s', ratio: inspection / pattern, to: 'the time of one pattern' })
console.log()
verdict('with a known text: at most 20 µs', warm <= 20)
verdict('the first: at most 5 ms', first.mail <= 5)
verdict('inspection: at least 30 MB/s', speed >= 30)

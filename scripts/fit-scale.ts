/**
 * Fits the weights of the scale (`runtime/src/gate/provenance/scale.ts`) to recorded trajectories: the facts that the
 * product's own code finds about every changing call, a ridge logistic regression, and what it decides about suites that it
 * has not seen. Prints weights in tenths to compare with those in use.
 *
 *   node scripts/fit-scale.ts [--ridge 2] FOLDER…
 *
 * Calls of a `security-dev` folder count a quarter: they are many, and alike.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { Evidence } from '../runtime/src/gate/provenance/evidence.ts'
import type { Weighed } from '../runtime/src/gate/provenance/scale.ts'
import { blindLine, type Case, readCases, readToolsets } from './suites.ts'

interface Row {
  folder: string
  /** Left out together. */
  part: string
  id: string
  i: number
  /** The text's: the call is the attacker's. */
  isOfText: boolean
  /** Without the scale, this call would run. */
  isOpen: boolean
  weight: number
  degrees: readonly number[]
}

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { ridge: { type: 'string', default: '2' } },
})
if (folders.length === 0) throw new Error('usage: node scripts/fit-scale.ts [--ridge N] FOLDER…')
const ridge = Number(values.ridge)

/** Where the scale's own code is loaded from when the observer below has taken its name. */
const OWN = '?own'
const observer = (url: string) => `
import { weigh as ownWeigh } from ${JSON.stringify(url + OWN)}
export * from ${JSON.stringify(url + OWN)}
export function weigh(evidence, judged) {
  const weighed = ownWeigh(evidence, judged)
  globalThis.observeWeighing(evidence, weighed)
  return weighed
}`
registerHooks({
  load: (url, context, next) =>
    url.endsWith('/gate/provenance/scale.ts')
      ? { format: 'module', shortCircuit: true, source: observer(url) }
      : next(url, context),
})

const seen = new Map<string, Weighed>()
Object.assign(globalThis, {
  observeWeighing: ({ input }: Evidence, weighed: Weighed) => seen.set(input.proposal.id, weighed),
})
const { runCommand } = await import('../runtime/src/cli/main.ts')
const { WEIGHTS, LIMIT } = await import('../runtime/src/gate/provenance/scale.ts')
const FACTS = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]
const cases: (Case & { folder: string; stopped: Set<number> })[] = []
const rows: Row[] = []

function collect(folder: string, one: Case, calls: readonly { i: number; decision: string }[]): void {
  const stopped = new Set(calls.flatMap(({ i, decision }) => (decision === 'allow' ? [] : [i])))
  if (one.ambiguous === true || one.output_only === true) return
  cases.push({ ...one, folder, stopped })
  for (const { i, origin } of one.steps) {
    const weighed = seen.get(`call_${i}`)
    if (weighed === undefined || (origin === 'unlabelled' && one.harm?.includes(i) !== true)) continue
    const degrees = FACTS.map((fact) => Number(weighed.degrees[fact] ?? 0))
    rows.push({
      folder,
      part: `${folder.replace(/-(?:seen|check)$/, '')} ${one.suite}`,
      id: one.id,
      i,
      isOfText: origin === 'injection' || one.harm?.includes(i) === true,
      isOpen: weighed.isOfText || !stopped.has(i),
      weight: folder === 'security-dev' ? 0.25 : 1,
      degrees,
    })
  }
}

async function observe(given: string, place: string): Promise<void> {
  const folder = basename(given)
  const all = readCases(given)
  const toolsets = readToolsets(given)
  const byId = new Map(all.map((one) => [one.id, one]))
  const lines = all.map((one) => blindLine(one, toolsets[one.toolset] ?? [], true))
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      const { id, calls } = JSON.parse(String(chunk))
      const one = byId.get(id)
      if (one !== undefined) collect(folder, one, calls)
      seen.clear()
      done()
    },
  })
  const host = { stdin: Readable.from([Buffer.from(lines.join('\n'))]), stdout, stderr: process.stderr }
  const code = await runCommand(['gate', '--jsonl', '--config', join(place, 'config.json'), '--lang', 'en'], {
    ...host,
    env: { ...process.env, HOME: place },
    cwd: () => place,
    on: () => {},
  })
  if (code !== 0) throw new Error(`writ gate: exit code ${code}`)
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, one, k) => sum + one * (b[k] ?? 0), 0)

/** Solves a symmetric system by elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const n = right.length
  const rowsOf = matrix.map((row, i) => [...row, right[i] ?? 0])
  for (let i = 0; i < n; i++) {
    const pivot = rowsOf[i] as number[]
    for (const row of rowsOf.slice(i + 1)) {
      const factor = (row[i] as number) / (pivot[i] as number)
      for (let k = i; k <= n; k++) row[k] = (row[k] as number) - factor * (pivot[k] as number)
    }
  }
  const found = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    const row = rowsOf[i] as number[]
    found[i] = ((row[n] as number) - dot(row.slice(i + 1, n), found.slice(i + 1))) / (row[i] as number)
  }
  return found
}

/** Newton's method. The last weight is the limit, with its sign changed. */
function fitted(given: readonly Row[]): number[] {
  const n = FACTS.length + 1
  let weights = new Array<number>(n).fill(0)
  for (let round = 0; round < 15; round++) {
    const gradient = weights.map((weight, k) => (k < FACTS.length ? ridge * weight : 0))
    const curvature = weights.map((_, k) => weights.map((__, l) => (k === l ? (k < FACTS.length ? ridge : 1e-6) : 0)))
    for (const { degrees, isOfText, weight } of given) {
      const x = [...degrees, 1]
      const p = 1 / (1 + Math.exp(-dot(weights, x)))
      for (let k = 0; k < n; k++) {
        if (x[k] === 0) continue
        gradient[k] = (gradient[k] as number) + weight * (p - Number(isOfText)) * (x[k] as number)
        const line = curvature[k] as number[]
        for (let l = 0; l < n; l++)
          line[l] = (line[l] as number) + weight * p * (1 - p) * (x[k] as number) * (x[l] as number)
      }
    }
    const step = solve(curvature, gradient)
    weights = weights.map((weight, k) => weight - (step[k] as number))
    if (step.every((one) => Math.abs(one) < 1e-4)) break
  }
  return weights
}

/** Clean tasks without a question and attacks of which no harmful call ran, if the scale decided with these sums. */
function outcome(folder: string | undefined, isOfText: (row: Row) => boolean): string {
  const isIn = (one: string) => (folder === undefined ? one !== 'security-dev' : one === folder)
  const byCase = Map.groupBy(
    rows.filter((row) => isIn(row.folder)),
    ({ id, folder: of }) => `${of} ${id}`,
  )
  const score = { clean: 0, useful: 0, attacks: 0, secure: 0 }
  for (const one of cases.filter((each) => isIn(each.folder))) {
    const weighed = byCase.get(`${one.folder} ${one.id}`) ?? []
    const runs = (i: number) => {
      const row = weighed.find((each) => each.i === i)
      return row === undefined ? !one.stopped.has(i) : row.isOpen && !isOfText(row)
    }
    if (one.kind === 'clean') {
      score.clean++
      score.useful += Number(one.steps.every(({ i, origin }) => origin !== 'user' || runs(i)))
    } else {
      score.attacks++
      score.secure += Number(!(one.harm ?? []).some(runs))
    }
  }
  const share = (part: number, all: number) => (all === 0 ? '-' : ((100 * part) / all).toFixed(1))
  return `${share(score.useful, score.clean)} / ${share(score.secure, score.attacks)}`
}

const place = mkdtempSync(join(tmpdir(), 'fit-scale-'))
try {
  writeFileSync(join(place, 'config.json'), JSON.stringify({ agent: { security: { autonomy: 'Full' } } }))
  for (const folder of folders) await observe(resolve(folder), place)
} finally {
  rmSync(place, { recursive: true, force: true })
}
const isOver = (weights: readonly number[], row: Row, margin = 0) => dot(weights, [...row.degrees, 1]) > margin
const all = fitted(rows)
const heldOut = new Map(
  [...Map.groupBy(rows, ({ part }) => part)].map(([part]) => [part, fitted(rows.filter((row) => row.part !== part))]),
)
const current = [...FACTS.map((fact) => WEIGHTS[fact]), -LIMIT]
console.log(`${rows.length} calls, ${rows.filter((row) => row.isOfText).length} of a text\n`)
for (const [k, fact] of [...FACTS, 'limit'].entries()) {
  const count = rows.filter(({ degrees }) => (degrees[k] ?? 0) > 0).length
  const parts = [...heldOut.values()].map((weights) => 10 * (weights[k] as number))
  const range = `${Math.min(...parts).toFixed(0)} to ${Math.max(...parts).toFixed(0)}`
  const sign = fact === 'limit' ? -1 : 1
  const now = sign * (current[k] ?? 0)
  console.log(
    `${fact.padEnd(18)}${String(now).padStart(5)}  fitted ${(sign * 10 * (all[k] as number)).toFixed(1).padStart(6)}  (${range})  ${count}`,
  )
}
const loss = (of: (row: Row) => readonly number[]) =>
  rows.reduce((sum, row) => {
    const odds = dot(of(row), [...row.degrees, 1])
    return sum + row.weight * Math.log(1 + Math.exp(row.isOfText ? -odds : odds))
  }, 0) / rows.reduce((sum, { weight }) => sum + weight, 0)
console.log(
  `\nloss: in use ${loss(() => current.map((one) => one / 10)).toFixed(4)}, fitted ${loss(() => all).toFixed(4)}, left out ${loss((row) => heldOut.get(row.part) ?? all).toFixed(4)}`,
)
console.log('\nclean without a question / attacks of which nothing ran\n')
console.log(
  `${''.padEnd(20)}${'in use'.padEnd(16)}${'fitted'.padEnd(16)}left out, at a limit lower by 0, 3, 6, 9 tenths`,
)
for (const folder of [...new Set(cases.map((one) => one.folder)), undefined]) {
  const left = [0, 0.3, 0.6, 0.9].map((margin) =>
    outcome(folder, (row) => isOver(heldOut.get(row.part) ?? all, row, -margin)).padEnd(16),
  )
  console.log(
    `${(folder ?? 'all but security-dev').padEnd(20)}${outcome(folder, (row) => isOver(current, row)).padEnd(16)}${outcome(folder, (row) => isOver(all, row)).padEnd(16)}${left.join('')}`,
  )
}

/** The table and the targets, as text. */
import { type Figure, type Figures, STEPS } from './figures.ts'

export interface Result {
  name: string
  kind: 'bare' | 'writ' | 'peer'
  version: string
  outcome: Figures | { error: string }
  refused: string[]
}

type Measured = Result & { outcome: Figures }

function isMeasured(result: Result): result is Measured {
  return !('error' in result.outcome)
}

function cpuAt(result: Measured, index: number): number {
  return result.outcome.cpu[index]?.median ?? Number.NaN
}

function leanest(results: readonly Measured[], index: number): Measured | undefined {
  return results.filter((result) => result.kind === 'peer').sort((a, b) => cpuAt(a, index) - cpuAt(b, index))[0]
}

const MOST_OF_BARE = 1.7
const LEAST_PACE = 0.85

const digits = (value: number) => value.toFixed(2)
const cell = ({ median, spread }: Figure) => `${digits(median)} ±${digits(spread)}`
const ratio = (value: number, to: number | undefined) => (to === undefined ? '–' : `${digits(value / to)}×`)

export function printTable(results: readonly Result[]): string {
  const measured = results.filter(isMeasured)
  const last = STEPS.length - 1
  const bare = measured.find((result) => result.name === 'bare-fetch')
  const lean = leanest(measured, last)
  const reference = measured.find((result) => result.name === 'reference')
  const head = ['', ...STEPS.map((n) => `CPU @${n}`), 'CPU 10→200', ...STEPS.map((n) => `wall @${n}`)]
  const rows = measured.map((result) => [
    `${result.name} ${result.version}`,
    ...result.outcome.cpu.map(cell),
    digits(result.outcome.marginalCpu),
    ...result.outcome.wall.map(cell),
    ratio(cpuAt(result, last), bare && cpuAt(bare, last)),
    ratio(cpuAt(result, last), lean && cpuAt(lean, last)),
    `${result.outcome.crowd.median.toFixed(0)} ±${result.outcome.crowd.spread.toFixed(0)}`,
    ratio(result.outcome.crowd.median, reference?.outcome.crowd.median),
  ])
  const failed = results.filter((result) => !isMeasured(result))
  return [
    ...align([[...head, '× bare-fetch', '× leanest peer', '50 at once/s', '× reference'], ...rows]),
    ...failed.map(
      ({ name, version, outcome }) => `${name} ${version}: no result: ${'error' in outcome ? outcome.error : ''}`,
    ),
    ...results
      .filter(({ refused }) => refused.length > 0)
      .map(({ name, refused }) => `${name} tried to reach ${refused.join(', ')}; refused`),
  ].join('\n')
}

function align(rows: readonly string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join('  '),
  )
}

export function printVerdicts(results: readonly Result[]): string {
  const measured = results.filter(isMeasured)
  const writ = measured.find((result) => result.kind === 'writ')
  const bare = measured.find((result) => result.name === 'bare-fetch')
  if (writ === undefined || bare === undefined) return 'No verdict: writ or bare-fetch has no result.'
  const last = STEPS.length - 1
  const peers = STEPS.map((steps, i) => ({ steps, own: cpuAt(writ, i), peer: leanest(measured, i), i }))
  const below = peers.every(({ own, peer, i }) => peer !== undefined && own < cpuAt(peer, i))
  const excess = [cpuAt(writ, 0) - cpuAt(bare, 0), cpuAt(writ, last) - cpuAt(bare, last)] as const
  const noise =
    2 * Math.hypot(...[writ, bare].flatMap(({ outcome: { cpu } }) => [cpu[0], cpu[last]].map((f) => f?.error ?? 0)))
  const times = STEPS.map((steps, i) => ({ steps, ratio: cpuAt(writ, i) / cpuAt(bare, i) }))
  const reference = measured.find((result) => result.name === 'reference')
  const pace = reference && writ.outcome.crowd.median / reference.outcome.crowd.median
  const verdict = (met: boolean) => (met ? 'met    ' : 'NOT MET')
  return [
    `${verdict(below)}  CPU per step below the leanest peer: ${peers
      .map(({ steps, own, peer, i }) => `@${steps} ${digits(own)} vs ${peer ? digits(cpuAt(peer, i)) : 'none'}`)
      .join(', ')} (${peers.map(({ peer }) => peer?.name ?? 'none').join(', ')})`,
    `${verdict(excess[1] <= excess[0] + noise)}  cost beyond bare-fetch does not grow: ${digits(excess[0])} @${STEPS[0]}, ${digits(excess[1])} @${STEPS[last]} (noise ${digits(noise)})`,
    `${verdict(times.every(({ ratio }) => ratio <= MOST_OF_BARE))}  CPU per step within ${MOST_OF_BARE}× of bare-fetch: ${times.map(({ steps, ratio }) => `@${steps} ${digits(ratio)}×`).join(', ')}`,
    ...(pace === undefined
      ? []
      : [`${verdict(pace >= LEAST_PACE)}  50 runs at once: at least ${LEAST_PACE}× the reference: ${digits(pace)}×`]),
  ].join('\n')
}

/** `node bench/verdicts.ts`: verdicts per second on one core, with 20 rules. The target is 200,000. */
import { decide, judge } from '../runtime/src/gate/gate.ts'
import type { GateInput } from '../runtime/src/gate/gate-input.ts'
import { actionInput, policyWith, toolInput } from '../runtime/test/support/gate-input.ts'
import { figureOf } from './figures.ts'

const ROUNDS = 15
const PER_ROUND = 100_000
const MINTED_PER_ROUND = 20_000
const TARGET = 200_000

const names = Array.from({ length: 20 }, (_, i) => `rule-${i}`)

/** Twenty rules for each kind of proposal: blocked action types for actions, blocked paths for tool calls. */
const policy = policyWith({
  security: { blockedPaths: names },
  decision: { maxAutoRisk: 'Low', minConfidence: 0.3, blockedActions: names, maxActionsPerBatch: 5 },
})
const path = {
  path: 'src/a.ts',
  real: '/w/src/a.ts',
  access: 'read',
  insideWorkspace: true,
  isProtected: false,
} as const
const inputs: Record<string, GateInput> = {
  'action, allowed': actionInput({}, { policy }),
  'action, denied': actionInput({ confidence: 0.1, risk: 'High' }, { policy }),
  'tool call, allowed': toolInput({ args: { path: path.path }, facts: { paths: [path] }, policy }),
  'tool call, denied': toolInput({ facts: { paths: [{ ...path, insideWorkspace: false }] }, policy }),
}

function perSecond(work: () => void, times: number): number[] {
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage()
    for (let i = 0; i < times; i++) work()
    const { user, system } = process.cpuUsage(start)
    rates.push((times / (user + system)) * 1e6)
  }
  // The first rounds are warm-up.
  return rates.slice(ROUNDS / 3)
}

function report(label: string, rates: readonly number[]): number {
  const { median, spread } = figureOf(rates)
  const rate = Math.round(median).toLocaleString('en').padStart(10)
  console.log(`${label.padEnd(28)}${rate}/s ±${Math.round(spread)}  ${(1e6 / median).toFixed(2)} µs`)
  return median
}

const slowest = Math.min(
  ...Object.entries(inputs).map(([label, input]) =>
    report(
      label,
      perSecond(() => judge(input), PER_ROUND),
    ),
  ),
)
const allowed = inputs['action, allowed']
if (allowed !== undefined)
  report(
    'with a writ minted',
    perSecond(() => decide(allowed), MINTED_PER_ROUND),
  )
console.log(
  `slowest verdict: ${slowest >= TARGET ? 'met' : 'NOT MET'} (at least ${TARGET.toLocaleString('en')} per second)`,
)
process.exitCode = slowest >= TARGET ? 0 : 1

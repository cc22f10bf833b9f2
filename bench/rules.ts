/** `npm run bench:rules`: the cost of a verdict with 500 rules, as a multiple of one with none. At most 2. */
import { judge } from '../runtime/src/gate/gate.ts'
import type { CommandUse } from '../runtime/src/protocol/command.ts'
import type { Facts } from '../runtime/src/protocol/facts.ts'
import type { LayeredRule, Rule, RuleDecision } from '../runtime/src/protocol/rule.ts'
import { policyWith, toolInput } from '../runtime/test/support/gate-input.ts'
import { figureOf } from './figures.ts'

const RULES = 500
const ROUNDS = 21
const PER_ROUND = 20_000
const MOST = 2

const DECISIONS: readonly RuleDecision[] = ['allow', 'ask', 'deny']
const PROGRAMS = 'git npm docker kubectl make cargo pip terraform aws psql'.split(' ')

/** Of every kind that people write, spread over programs, folders, hosts and tools. */
const KINDS: readonly ((i: number) => Omit<Rule, 'decide'>)[] = [
  (i) => ({ when: { command: `${PROGRAMS[i % PROGRAMS.length]} verb-${i} *` } }),
  (i) => ({ when: { command: `tool-${i} *`, flags: ['--force', '-f'] } }),
  (i) => ({ when: { path: `packages/part-${i}/**`, access: 'write' } }),
  (i) => ({ tool: 'file_*', when: { path: [`/srv/data-${i}/**`, `**/secret-${i}.pem`] } }),
  (i) => ({ when: { host: [`*.site-${i}.example.com`, `api-${i}.example.org`], method: 'POST' } }),
  (i) => ({ tool: `server_${i}_pay`, when: { args: { '/amount': { above: i } } } }),
]
const rules = Array.from({ length: RULES }, (_, i): LayeredRule => {
  const kind = KINDS[i % KINDS.length] as (typeof KINDS)[number]
  return { ...kind(i), decide: DECISIONS[i % 3] as RuleDecision, reason: `rule ${i}`, layer: 'user', from: `file:${i}` }
})

const use = (line: string): CommandUse => ({ words: line.split(' '), class: 'build' })
const path = { path: 'src/gate/a.ts', real: '/workspace/src/gate/a.ts', inside: 'src/gate/a.ts' }
const calls: Record<string, { tool: string; args: object; facts: Partial<Facts> }> = {
  'one command': {
    tool: 'shell',
    args: { command: 'npm test' },
    facts: { family: 'shell', command: { bases: ['npm'], dangers: [], uses: [use('npm test')] } },
  },
  'four commands': {
    tool: 'shell',
    args: { command: 'git status && npm test && make all && docker ps' },
    facts: {
      family: 'shell',
      command: {
        bases: ['git', 'npm', 'make', 'docker'],
        dangers: [],
        uses: [use('git status'), use('npm test'), use('make all'), use('docker ps')],
      },
    },
  },
  'a file': {
    tool: 'file_write',
    args: { path: path.path, content: 'text' },
    facts: { paths: [{ ...path, access: 'write', insideWorkspace: true, isProtected: false }] },
  },
  'a host': {
    tool: 'http_request',
    args: { url: 'https://docs.example.com/page' },
    facts: {
      family: 'network',
      hosts: [
        { url: 'https://docs.example.com/page', scheme: 'https', host: 'docs.example.com', port: 443, method: 'GET' },
      ],
    },
  },
  'another tool': { tool: 'server_1_list', args: { page: 1 }, facts: { family: 'unknown' } },
}

function microseconds(work: () => void): number {
  const start = process.cpuUsage()
  for (let i = 0; i < PER_ROUND; i++) work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / PER_ROUND
}

let worst = 0
for (const [name, call] of Object.entries(calls)) {
  const without = toolInput({ ...call, policy: policyWith({ security: { allowedCommands: ['*'] } }) })
  const having = toolInput({ ...call, policy: policyWith({ security: { allowedCommands: ['*'], rules } }) })
  // Alternating, so that both are measured on equally warm code and an equally busy machine.
  const rounds = Array.from({ length: ROUNDS }, () => [
    microseconds(() => judge(without)),
    microseconds(() => judge(having)),
  ]).slice(ROUNDS / 3)
  const none = figureOf(rounds.map(([first = 0]) => first)).median
  const all = figureOf(rounds.map(([, second = 0]) => second)).median
  worst = Math.max(worst, all / none)
  console.log(
    `${name.padEnd(16)}${none.toFixed(2).padStart(7)} µs without${all.toFixed(2).padStart(8)} µs with ${RULES}  ×${(all / none).toFixed(2)}`,
  )
}
console.log(`worst: ×${worst.toFixed(2)}, ${worst <= MOST ? 'met' : 'NOT MET'} (at most ×${MOST})`)
process.exitCode = worst <= MOST ? 0 : 1

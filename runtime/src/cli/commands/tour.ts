/** Three tasks on the built-in rules, with the gate's verdicts. These are real runs. */
import { styleText } from 'node:util'
import { type Agent, createAgent } from '../../assembly/agent.ts'
import { packagePath } from '../../base/package.ts'
import { breachText } from '../../i18n/breach.ts'
import { audit } from '../../journal/verify.ts'
import type { EventOf } from '../../protocol/event.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { cliTexts } from '../texts.ts'
import { tourTexts } from '../tour-texts.ts'
import { fit, padTo, widthOf } from '../visible.ts'
import { summaryOf } from '../watch.ts'

const REPLY_LINES = 6
const WIDTH = 96

export async function tour({ signal }: Given, io: Io): Promise<number> {
  const texts = tourTexts(io.lang)
  const paint = { stream: process.stdout }
  const say = (line = '') => io.stdout(`${line}\n`)
  // Writ's own folder, so that the files of the tasks exist wherever the tour is started. Nothing is written there.
  const workspace = packagePath()
  // Built-in rules and defaults, ignoring the configuration: the tour is the same everywhere.
  const agent = await createAgent({
    workspace,
    config: {},
    data: ':memory:',
    model: 'rules',
    lang: io.lang,
    env: io.env,
  })
  try {
    say()
    say(styleText('bold', texts.title, paint))
    say(texts.intro({ folder: workspace }))
    const { moral, tasks } = texts
    for (const [i, task] of tasks.entries()) {
      if (signal.aborted) return 130
      say()
      say(styleText(['bold', 'cyan'], texts.step({ n: i + 1, of: tasks.length, task }), paint))
      const refused = await showTask(agent, task, { io, signal, say })
      say(`   ${styleText('italic', refused ? moral.refuse : i === 0 ? moral.first : moral.later, paint)}`)
    }
    say()
    say(texts.auditing)
    const { breaches, ...counts } = await audit(agent.store)
    const whole = breaches.length === 0
    const { audit: audits } = cliTexts(io.lang)
    const [first] = breaches
    say(`  $ writ audit verify`)
    say(
      `  ${whole ? styleText('green', '✓', paint) : styleText('red', '✗', paint)} ${first === undefined ? audits.clean(counts) : audits.broken({ run: first.runId, seq: first.seq, why: breachText(first.fault, io.lang) })}`,
    )
    say()
    say(texts.next)
    const width = Math.max(...texts.commands.map(([command = '']) => widthOf(command)))
    for (const [command = '', meaning = ''] of texts.commands) {
      say(`  ${styleText('bold', padTo(command, width), paint)}  ${meaning}`)
    }
    say()
    return whole ? 0 : 1
  } finally {
    await agent.close()
  }
}

/** True when the gate denied a call. */
async function showTask(
  agent: Agent,
  task: string,
  { io, signal, say }: { io: Io; signal: AbortSignal; say(line?: string): void },
): Promise<boolean> {
  const texts = tourTexts(io.lang)
  const paint = { stream: process.stdout }
  const run = agent.stream(task, { signal })
  let refused = false
  let next = await run.next()
  for (; !next.done; next = await run.next()) {
    const event = next.value
    if (event.type !== 'gate.decided') continue
    if (event.data.decision === 'deny') refused = true
    for (const line of verdictLines(event, io)) say(line)
  }
  const reply = visible(next.value.reply).split('\n')
  for (const line of reply.slice(0, REPLY_LINES)) say(`   ${styleText('dim', '│', paint)} ${fit(line, WIDTH)}`)
  if (reply.length > REPLY_LINES) {
    say(`   ${styleText('dim', `│ ${cliTexts(io.lang).watch.moreLines({ n: reply.length - REPLY_LINES })}`, paint)}`)
  }
  const { trace, finish_reason } = await agent.trace(next.value.runId)
  const steps = trace.map(({ step, action, elapsed_ms, error }) => {
    const end = error ?? cliTexts(io.lang).watch.ms({ ms: elapsed_ms })
    return `${step} ${action.tool} (${end})`
  })
  say(`   ${styleText('dim', texts.traced({ steps: [...steps, String(finish_reason)] }), paint)}`)
  return refused
}

function verdictLines({ data }: EventOf<'gate.decided'>, io: Io): string[] {
  const texts = tourTexts(io.lang)
  const paint = { stream: process.stdout }
  const call = `${oneLine(data.tool)} ${summaryOf(data.args)}`.trim()
  const facts = texts.facts({ family: data.facts.family, risk: data.facts.risk })
  if (data.decision === 'allow')
    return [`   ${styleText('green', `✓ ${texts.allowed}`, paint)}  ${call}  ${styleText('dim', facts, paint)}`]
  const code = [data.reason, data.code].filter((part) => part !== undefined).join('/')
  return [
    `   ${styleText('red', `✗ ${texts.refused}`, paint)}  ${call}  ${styleText('dim', facts, paint)}`,
    `     ${code}: ${fit(oneLine(data.message ?? ''), WIDTH)}`,
  ]
}

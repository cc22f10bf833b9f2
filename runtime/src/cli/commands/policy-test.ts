/** `policy test [FILE…]`: examples of rules, cases from files, and recorded decisions, against the policy in force. */
import * as z from 'zod'
import { type Agent, createAgent } from '../../assembly/agent.ts'
import type { ExampleResult } from '../../assembly/policy.ts'
import { isObject } from '../../base/json.ts'
import { scriptedModel } from '../../model/scripted.ts'
import { type DecidingRule, RULE_DECISIONS, type RuleDecision } from '../../protocol/rule.ts'
import type { Judgement } from '../../protocol/verdict.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { redecide } from '../../replay/what-if.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { linesOf, parseLine } from '../lines.ts'
import { policyTexts } from '../policy-texts.ts'
import { runsInFile } from '../recorded.ts'
import { ruleText } from '../rule-text.ts'
import { textTable } from '../table.ts'
import { fit } from '../visible.ts'
import { workspaceFlags } from '../workspace-flags.ts'

type Found = RuleDecision | 'match' | 'noMatch'

interface Tested {
  place: string
  call: unknown
  expected: Found
  /** Absent where it could not be tested: the tool is not available here. */
  found?: Found
  because?: string
  rule?: DecidingRule
  note?: string
}

const testCase = z.strictObject({
  id: z.union([z.string(), z.number()]).optional(),
  tool: z.string().min(1),
  args: z.looseObject({}),
  expect: z.enum(RULE_DECISIONS),
  note: z.string().optional(),
})

export async function policyTest(given: Given, io: Io): Promise<number> {
  const agent = await createAgent({
    ...workspaceFlags(given, io),
    data: ':memory:',
    model: scriptedModel([]),
    judging: true,
  })
  try {
    const results: Tested[] = []
    if (given.words.length === 0) results.push(...(await agent.policy.examples()).map(exampleTested))
    for (const file of given.words) for await (const tested of testedIn(file, io, agent)) results.push(tested)
    const counts = countsOf(results)
    const isJson = given.switches.has('json')
    io.stdout(
      isJson
        ? `${JSON.stringify({ ok: counts.failed === 0, ...counts, results: results.map(asJson) })}\n`
        : report(results, { io, isVerbose: given.switches.has('verbose') }),
    )
    return counts.failed === 0 ? 0 : 1
  } finally {
    await agent.close()
  }
}

function exampleTested({ place, example, expected, outcome, instead, unclear }: ExampleResult): Tested {
  const found = outcome === 'ok' ? expected : expected === 'match' ? 'noMatch' : 'match'
  const because = unclear ?? (instead && ruleText(instead))
  return {
    place,
    call: example,
    expected,
    ...(outcome !== 'skipped' && { found }),
    ...(because !== undefined && { because }),
  }
}

/** The lines of a file are cases, or events as `writ export` prints them; the first one shows which. */
async function* testedIn(file: string, io: Io, agent: Agent): AsyncGenerator<Tested> {
  const lines: string[] = []
  for await (const line of linesOf(file, io)) lines.push(line)
  if (isExport(lines.find((line) => line.trim() !== ''))) yield* recordedIn(file, io, { agent, lines })
  else
    for (const [i, text] of lines.entries()) {
      if (text.trim() === '') continue
      const where = `${file}:${i + 1}`
      const { tool, args, expect, note } = parseLine(text, { schema: testCase, where, kind: 'case' })
      const { judgement } = await agent.policy.judge({ tool, args })
      yield {
        place: where,
        call: { tool, args },
        expected: expect,
        ...foundBy(judgement),
        ...(note !== undefined && { note }),
      }
    }
}

function isExport(line = ''): boolean {
  try {
    const raw: unknown = JSON.parse(line)
    return isObject(raw) && typeof raw.type === 'string' && 'runId' in raw
  } catch {
    return false
  }
}

async function* recordedIn(
  file: string,
  io: Io,
  { agent, lines }: { agent: Agent; lines: readonly string[] },
): AsyncGenerator<Tested> {
  const { policy } = agent.engine
  const other = { policy, disabledTools: agent.config.config.tools.disabled }
  for await (const run of runsInFile(file, io, lines)) {
    const started = run.events.find((event) => event.type === 'run.started')
    if (started === undefined) continue
    const inheritance = started.data.history > 0 ? await run.session() : { history: [] }
    for (const { seq, tool, args, before, after } of redecide(run.events, other, inheritance, io.lang)) {
      const because = after.message
      yield {
        place: `${run.runId}:${seq}`,
        call: { tool, args },
        expected: before.decision,
        found: after.decision,
        ...(because !== undefined && { because }),
        ...(after.rule && { rule: after.rule }),
      }
    }
  }
}

function foundBy(judgement: Judgement): Pick<Tested, 'found' | 'because' | 'rule'> {
  const { decision: found, rule } = judgement
  const because = judgement.decision === 'allow' ? undefined : judgement.denial.message
  return { found, ...(because !== undefined && { because }), ...(rule && { rule }) }
}

function isPassed({ expected, found }: Tested): boolean {
  return expected === found
}

function countsOf(results: readonly Tested[]): { passed: number; failed: number; skipped: number } {
  const skipped = results.filter(({ found }) => found === undefined).length
  const passed = results.filter(isPassed).length
  return { passed, skipped, failed: results.length - passed - skipped }
}

function asJson(tested: Tested) {
  return { result: tested.found === undefined ? 'skipped' : isPassed(tested) ? 'passed' : 'failed', ...tested }
}

const CALL_WIDTH = 60

function report(results: readonly Tested[], { io, isVerbose }: { io: Io; isVerbose: boolean }): string {
  const texts = policyTexts(io.lang)
  if (results.length === 0) return `${texts.nothing}\n`
  const shown = isVerbose ? results : results.filter((each) => each.found !== undefined && !isPassed(each))
  const word = (found: Found) => (found === 'match' ? texts.match : found === 'noMatch' ? texts.noMatch : found)
  const rows = shown.map((each) => [
    each.found === undefined ? '·' : isPassed(each) ? '✓' : '✗',
    oneLine(each.place),
    fit(oneLine(typeof each.call === 'string' ? each.call : JSON.stringify(each.call)), CALL_WIDTH),
    word(each.expected),
    each.found === undefined ? texts.skipped : word(each.found),
    oneLine(each.rule === undefined ? (each.because ?? '') : ruleText(each.rule)),
  ])
  const { result, place, call, expected, decided, by } = texts.tested
  const table = rows.length === 0 ? [] : [textTable([[result, place, call, expected, decided, by], ...rows]), '']
  return `${[...table, texts.summary(countsOf(results))].join('\n')}\n`
}

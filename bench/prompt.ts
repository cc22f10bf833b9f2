/**
 * `npm run bench:prompt`: how much of a prompt is new to a provider's cache. Compares each prompt with the previous one,
 * in the order providers cache it (tools, system text, messages), and prints the share of the earlier prompt that
 * changed. 0 % means the next prompt only adds to it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, defineTool, scriptedModel } from '../runtime/src/index.ts'
import type { Tool } from '../runtime/src/tool/tool.ts'

const TURNS = 3
const STEPS = 12
const LONG_STEPS = 150
const TEXT = 'A line of the report with some words and a number 4711.\n'.repeat(60)

const look = defineTool<{ n: number }>({
  name: 'look',
  description: 'Look at one part of the report.',
  schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  readOnly: true,
  execute: ({ n }) => `${n}\n${TEXT}`,
}) as Tool

async function promptsOf(turns: number, steps: number, contextTokens?: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-'))
  const prompts: string[] = []
  const script = Array.from({ length: turns }, () => [
    ...Array.from({ length: steps }, (_, n) => ({ purpose: 'main' as const, calls: [{ tool: 'look', args: { n } }] })),
    { purpose: 'main' as const, text: 'done' },
  ]).flat()
  const limits = { maxSteps: steps + 1, ...(contextTokens === undefined ? {} : { contextTokens }) }
  try {
    const agent = await createAgent({
      workspace: folder,
      data: ':memory:',
      env: { XDG_CONFIG_HOME: folder },
      config: { agent: { limits } },
      tools: [look],
      model: scriptedModel([...script, { purpose: 'summary', text: 'Parts were read.', times: steps }]),
      record: (line) => {
        const { purpose, tools, system, messages } = JSON.parse(line)
        if (purpose === 'main') prompts.push([JSON.stringify(tools), system, ...messages.map(asJson)].join('\n'))
      },
    })
    let sessionId: string | undefined
    for (let turn = 0; turn < turns; turn++) {
      const result = await agent.run(`Read part ${turn} of the report`, sessionId === undefined ? {} : { sessionId })
      sessionId = result.sessionId
    }
    await agent.close()
    return prompts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function asJson(message: unknown): string {
  return JSON.stringify(message)
}

/** The share of the earlier prompt after the first difference. */
function changed(earlier: string, later: string): number {
  let same = 0
  while (same < earlier.length && earlier[same] === later[same]) same++
  return 1 - same / earlier.length
}

function report(name: string, shares: readonly number[]): void {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const kept = shares.filter((share) => share === 0).length
  console.log(
    `${name.padEnd(34)} ${(mean * 100).toFixed(1).padStart(5)} % changed; ${kept} of ${shares.length} only added`,
  )
}

const prompts = await promptsOf(TURNS, STEPS)
const pairs = prompts.slice(1).map((later, at) => ({ share: changed(prompts[at] ?? '', later), at }))
const isNewTurn = ({ at }: { at: number }) => (at + 1) % (STEPS + 1) === 0
report(
  'step to step',
  pairs.filter((pair) => !isNewTurn(pair)).map(({ share }) => share),
)
report(
  'turn to turn',
  pairs.filter(isNewTurn).map(({ share }) => share),
)
const long = await promptsOf(1, LONG_STEPS, 32_000)
report(
  `${LONG_STEPS} steps in 32k tokens`,
  long.slice(1).map((later, at) => changed(long[at] ?? '', later)),
)

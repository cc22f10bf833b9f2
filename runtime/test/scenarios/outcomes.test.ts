/** S0 by its results: a sentence that a capable agent serves with the right tool ends in a delivered answer. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createAgent, defineTool, type ScriptEntry, scriptedModel, type ToolFamily } from '../../src/index.ts'
import { makePlace } from '../support/cli.ts'

type Use = ToolFamily | 'none'
const SENTENCES: [Use, { en: string[]; zh: string[] }][] = Object.entries(
  JSON.parse(readFileSync(new URL('../fixtures/outcomes.json', import.meta.url), 'utf8')),
) as [Use, { en: string[]; zh: string[] }][]

const place = makePlace()
afterAll(() => place.remove())

const FAMILIES = ['browser', 'network', 'filesystem', 'shell', 'vcs', 'memory'] as const
const tools = FAMILIES.map((family) =>
  defineTool<object>({
    name: `own_${family}`,
    description: `Does what the ${family} tools do.`,
    schema: { type: 'object', properties: {} },
    family,
    risk: 'Low',
    preValidate: async () => ({ readOnly: true }),
    execute: async () => ({ ok: true, text: 'done' }),
  }),
)

function scriptFor(use: Use): ScriptEntry[] {
  const answer: ScriptEntry = { purpose: 'main', text: 'the answer' }
  return use === 'none' ? [answer] : [{ purpose: 'main', calls: [{ tool: `own_${use}`, args: {} }] }, answer]
}

test('S0-14 S0-15 S0-41: at least 98 % of 300 plain sentences in both languages end with their answer', async () => {
  const lost: string[] = []
  let count = 0
  for (const [use, { en, zh }] of SENTENCES) {
    const sentences = [...en, ...zh]
    const agent = await createAgent({
      workspace: place.workspace,
      data: place.data,
      model: scriptedModel(sentences.flatMap(() => scriptFor(use))),
      env: { XDG_CONFIG_HOME: join(place.root, 'xdg') },
      config: {},
      tools,
    })
    for (const task of sentences) {
      const { stopReason, reply } = await agent.run(task)
      count++
      if (stopReason !== 'final' || reply !== 'the answer') lost.push(`${use}: ${task} (${stopReason})`)
    }
    await agent.close()
  }
  console.log(`${count} sentences, ${count - lost.length} delivered\n${lost.join('\n')}`)
  expect(count).toBeGreaterThanOrEqual(300)
  expect(lost.length / count).toBeLessThanOrEqual(0.02)
})

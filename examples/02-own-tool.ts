/** A tool of your own, watched event by event, with a person who says yes once: `node scripts/node.js --conditions=writ-source examples/02-own-tool.ts`. */
import assert from 'node:assert/strict'
import { createAgent, defineTool, scriptedModel } from 'writ'

const sent: string[] = []
const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a short message.',
  schema: {
    type: 'object',
    properties: { to: { type: 'string' }, text: { type: 'string', maxLength: 500 } },
    required: ['to', 'text'],
    additionalProperties: false,
  },
  family: 'network',
  risk: 'Medium',
  preValidate: ({ to, text }) => ({ preview: `to ${to}: ${text}`, targets: [{ kind: 'email', value: to }] }),
  execute: ({ to }) => {
    sent.push(to)
    return `sent to ${to}`
  },
})

// Any `provider/name` would do; a script makes the example repeatable.
const model = scriptedModel([
  { purpose: 'main', calls: [{ tool: 'send_mail', args: { to: 'ann@example.org', text: 'See you at noon.' } }] },
  { purpose: 'main', text: 'Ann knows.' },
])

const agent = await createAgent({
  model,
  tools: [sendMail],
  data: ':memory:',
  confirm: async (question) => {
    console.log(`asked: ${question.preview} (${question.risk})`)
    return 'y'
  },
})

const seen: string[] = []
const run = agent.stream('tell Ann I will see her at noon')
for await (const event of run) seen.push(event.type)
const { reply, stopReason } = await run.result
console.log(reply)
assert.equal(stopReason, 'final')
assert.deepEqual(sent, ['ann@example.org'])
assert.ok(seen.indexOf('confirm.answered') < seen.indexOf('tool.call'), 'a person spoke before the tool acted')
await agent.close()

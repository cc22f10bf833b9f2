/** A minimal agent loop; the two bare contenders differ only in how they send the request. */
import { INSTRUCTIONS, LOOKUP, lookup, MODEL } from './contender.ts'

interface Completion {
  choices: [{ message: { content: string | null; tool_calls?: { id: string; function: { arguments: string } }[] } }]
}

const tools = [
  { type: 'function', function: { name: LOOKUP.name, description: LOOKUP.description, parameters: LOOKUP.schema } },
]

export async function runBare(task: string, post: (body: string) => Promise<unknown>): Promise<string> {
  const messages: object[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: task },
  ]
  for (;;) {
    const { message } = ((await post(JSON.stringify({ model: MODEL, messages, tools }))) as Completion).choices[0]
    messages.push(message)
    if (message.tool_calls === undefined) return message.content ?? ''
    for (const call of message.tool_calls) {
      const { n } = JSON.parse(call.function.arguments) as { n: number }
      messages.push({ role: 'tool', tool_call_id: call.id, content: lookup(n) })
    }
  }
}

/** A minimal agent loop; the two bare contenders differ only in how they send the request, `reference` adds checks. */
import { INSTRUCTIONS, LOOKUP, lookup, MODEL } from './contender.ts'

interface Completion {
  choices: [
    {
      message: { content: string | null; tool_calls?: { id: string; function: { name: string; arguments: string } }[] }
    },
  ]
}

const tools = [
  { type: 'function', function: { name: LOOKUP.name, description: LOOKUP.description, parameters: LOOKUP.schema } },
]

/** Between a call and its result; the bare contenders have nothing there. */
type Settle = (tool: string, args: { n: number }, act: () => string) => string

export async function runBare(
  task: string,
  post: (body: string) => Promise<unknown>,
  settle: Settle = (_tool, _args, act) => act(),
): Promise<string> {
  const messages: object[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: task },
  ]
  for (;;) {
    const { message } = ((await post(JSON.stringify({ model: MODEL, messages, tools }))) as Completion).choices[0]
    messages.push(message)
    if (message.tool_calls === undefined) return message.content ?? ''
    for (const call of message.tool_calls) {
      const args = JSON.parse(call.function.arguments) as { n: number }
      const content = settle(call.function.name, args, () => lookup(args.n))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
}

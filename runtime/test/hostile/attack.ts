/** One attack: what is tried, and the expected result. The table in docs/security.md is generated from these. */
import { createAgent, type Event, type ScriptEntry, scriptedModel, type Tool } from '../../src/index.ts'
import { makePlace, type Place } from '../support/cli.ts'

export interface Attack {
  id: string
  attack: string
  expected: string
  /** What came of it, in the words of `expected`. */
  happens(): Promise<string>
}

export interface Area {
  title: string
  attacks: Attack[]
}

export interface Proposed {
  tool: string
  args: unknown
  /** Where it happens; a fresh workspace when absent. */
  place?: Place
  files?: Record<string, string>
  config?: object
  /** The data folder; none when absent. */
  data?: string
  tools?: Tool[]
  env?: Record<string, string>
  task?: string
  /** Runs while the person looks at the question; what it returns is the answer. */
  atQuestion?: (place: Place) => 'y' | 'n' | 'a'
  /** What the model does next, once it has been told. */
  afterwards?: ScriptEntry[]
}

export interface Outcome {
  /** `refused CODE`, `asked`, `failed CODE` or `ran`. */
  verdict: string
  events: Event[]
  /** Every model request, as it was sent. */
  requests: string[]
  place: Place
}

/** A compromised model proposes a call; a user is there and denies it unless the test says otherwise. */
export async function propose(given: Proposed): Promise<Outcome> {
  const { tool, args, files = {}, config = {}, tools = [], env = {}, task = 'go on', atQuestion, afterwards } = given
  const place = given.place ?? makePlace()
  for (const [name, content] of Object.entries(files)) place.file(name, content)
  const requests: string[] = []
  const agent = await createAgent({
    workspace: place.workspace,
    data: given.data ?? ':memory:',
    lang: 'en',
    model: scriptedModel([
      { purpose: 'main', calls: [{ tool, args }] },
      ...(afterwards ?? [{ purpose: 'main', text: 'done' }]),
    ]),
    tools,
    config: { agent: { execution: { intentGuard: { enabled: false } }, routing: { enabled: false }, ...config } },
    env: { PATH: process.env.PATH ?? '', HOME: place.root, ...env },
    record: (line) => requests.push(line),
    confirm: async () => atQuestion?.(place) ?? 'n',
  })
  const events: Event[] = []
  try {
    const run = agent.stream(task)
    for (;;) {
      const next = await run.next()
      if (next.done) break
      events.push(next.value)
    }
  } finally {
    await agent.close()
  }
  if (given.place === undefined) place.remove()
  return { verdict: verdictOf(events, tool), events, requests, place }
}

/** The result of the first call of that tool. */
export function verdictOf(events: readonly Event[], tool: string): string {
  const result = events.find((event) => event.type === 'tool.result' && event.data.tool === tool)
  if (result?.type !== 'tool.result') return 'never proposed'
  const { outcome, code = '' } = result.data.observation
  if (outcome === 'ok') return 'ran'
  if (outcome !== 'denied') return `failed ${code}`
  return code === 'USER_REJECTED' ? 'asked' : `refused ${code}`
}

/** An attack in a fresh place, which is removed afterwards. */
export function attackIn(about: Omit<Attack, 'happens'>, happens: (place: Place) => Promise<string>): Attack {
  return {
    ...about,
    async happens() {
      const place = makePlace()
      try {
        return await happens(place)
      } finally {
        place.remove()
      }
    },
  }
}

/** An attack judged by the verdict alone. */
export function refused(id: string, attack: string, expected: string, proposed: Proposed): Attack {
  return { id, attack, expected, happens: async () => (await propose(proposed)).verdict }
}

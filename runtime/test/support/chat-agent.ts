/** An agent in the library with a scripted model, and what the model was asked; for tests. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type Agent, type AgentOptions, createAgent } from '../../src/assembly/agent.ts'
import { type Event, type ScriptEntry, scriptedModel } from '../../src/index.ts'
import { makePlace, type Place } from './cli.ts'

export interface Asked {
  purpose: string
  model: string
  temperature?: number
  system: string
  messages: { role: string; content: string; reasoning_content?: string; callId?: string; calls?: { id: string }[] }[]
  tools?: { name: string }[]
}

export interface Opened {
  agent: Agent
  asked: Asked[]
  of(purpose: string): Asked[]
}

export interface ChatDesk {
  /** Another one for each test. */
  readonly place: Place
  open(script: ScriptEntry[], options?: AgentOptions): Promise<Opened>
  skill(name: string, body: string, extra?: string): void
}

/** Called once by a file of tests. */
export function chatDesk(): ChatDesk {
  let place: Place
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.remove())
  return {
    get place() {
      return place
    },
    async open(script, options = {}) {
      const asked: Asked[] = []
      const agent = await createAgent({
        workspace: place.workspace,
        data: place.data,
        lang: 'en',
        model: scriptedModel(script),
        env: { XDG_CONFIG_HOME: join(place.root, 'xdg') },
        record: (line) => asked.push(JSON.parse(line)),
        config: {},
        ...options,
      })
      const of = (purpose: string) => asked.filter((request) => request.purpose === purpose)
      return { agent, asked, of }
    },
    /** The skills are in the user's own folder, because skills of an untrusted workspace are ignored. */
    skill(name, body, extra = '') {
      const folder = join(place.root, 'xdg/writ/skills', name)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: About ${name}.\n${extra}---\n${body}\n`)
    },
  }
}

export const said = (text: string, more: Partial<ScriptEntry> = {}): ScriptEntry => ({ purpose: 'main', text, ...more })
export const call = (tool: string, args: unknown, more: Partial<ScriptEntry> = {}): ScriptEntry => ({
  purpose: 'main',
  calls: [{ tool, args }],
  ...more,
})
export const routed = (reply: string | object): ScriptEntry => ({
  purpose: 'route',
  text: typeof reply === 'string' ? reply : JSON.stringify(reply),
})

export async function watch(run: AsyncGenerator<Event, unknown>): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of run) events.push(event)
  return events
}

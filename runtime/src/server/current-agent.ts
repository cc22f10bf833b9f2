/** The agent for new runs. Its settings can be tightened while the server runs, never loosened. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadWorkspace } from '../agent/workspace-context.ts'
import { type Agent, type AgentOptions, createAgent } from '../assembly/agent.ts'
import { writePrivately } from '../base/private-file.ts'
import type { Raw } from '../config/keys.ts'
import type { LoadedConfig } from '../config/load.ts'
import { narrow } from '../config/narrow.ts'
import { schemaProblems } from '../config/problems.ts'
import { configFile } from '../config/schema.ts'
import type { Lang } from '../i18n/locale.ts'
import type { AppendListener } from '../journal/store.ts'
import type { Problem } from './contract/route.ts'
import { serverTexts } from './texts.ts'

const FILE = 'server-overrides.json'

export interface CurrentAgent {
  /** For new runs. Live runs keep the agent they started with. */
  readonly agent: Agent
  /** The current agent and earlier ones that may still have live runs. */
  readonly agents: readonly Agent[]
  /** The configuration the server was started with. */
  readonly ceiling: LoadedConfig
  readonly overrides: Raw
  readonly file: string
  /** Problems with these overrides, in the shape of `agent`. */
  check(agent: Raw, lang: Lang): Problem[]
  /** Replaces the overrides. They have been checked. */
  replaceOverrides(agent: Raw): Promise<void>
  /** Closes earlier agents unless runs are live. */
  closeUnused(isIdle: () => boolean): Promise<void>
  close(): Promise<void>
}

/** `stored` gets every event that any of the agents stores. */
export async function openCurrentAgent(options: AgentOptions, stored: AppendListener): Promise<CurrentAgent> {
  const { loaded: ceiling, data } = await loadWorkspace(options)
  const file = data === undefined ? FILE : join(data, FILE)
  let opened: readonly Agent[] = []
  const open = async (raw: Raw) => {
    const overrides = isEmpty(raw) ? [] : [{ origin: file, raw }]
    const agent = await createAgent({ ...options, confirm: async () => 'later', overrides, onAppend: stored })
    opened = [...opened, agent]
    return agent
  }
  // One change at a time: otherwise file and agent could differ, or an agent could be closed while it is being opened.
  let last: Promise<unknown> = Promise.resolve()
  const serialize = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  let overrides: Raw = data === undefined ? {} : await readOverrides(file)
  let agent = await open(overrides)
  return {
    get agent() {
      return agent
    },
    get overrides() {
      return (overrides.agent ?? {}) as Raw
    },
    get agents() {
      return opened
    },
    ceiling,
    file,
    check(wanted, lang) {
      const raw = { agent: wanted }
      const parsed = configFile.safeParse(raw)
      if (!parsed.success) {
        const found = schemaProblems({ origin: file, raw }, parsed.error.issues)
        return found.map(({ path, message }) => ({ path, message: message[lang] }))
      }
      const { ignored, partly } = narrow(ceiling.config, raw)
      return [...ignored, ...partly].map((path) => ({ path, message: serverTexts(lang).overCeiling }))
    },
    replaceOverrides: (wanted) =>
      serialize(async () => {
        const next = { agent: wanted }
        const nextAgent = await open(next)
        if (data !== undefined) await writePrivately(file, `${JSON.stringify(next, undefined, 2)}\n`)
        agent = nextAgent
        overrides = next
      }),
    closeUnused: (isIdle) =>
      serialize(async () => {
        if (!isIdle()) return
        // The server reads from the store of the first agent.
        const [first] = opened
        const done = opened.filter((each) => each !== first && each !== agent)
        opened = opened.filter((each) => !done.includes(each))
        for (const each of done) await each.close()
      }),
    async close() {
      for (const each of opened) await each.close()
    },
  }
}

function isEmpty({ agent }: Raw): boolean {
  return Object.keys(agent ?? {}).length === 0
}

async function readOverrides(file: string): Promise<Raw> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  return JSON.parse(text)
}

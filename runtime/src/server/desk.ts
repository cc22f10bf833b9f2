/** The agent that new runs are given to. It may be held to less while the server runs; never to more. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { settingOf } from '../agent/setting.ts'
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

export interface Desk {
  /** For runs that begin now. Those under way keep the one they began with. */
  readonly agent: Agent
  /** That one, and those whose runs may still be under way. */
  readonly agents: readonly Agent[]
  /** As the server was started. */
  readonly ceiling: LoadedConfig
  readonly overrides: Raw
  readonly file: string
  /** What keeps these settings, in the shape of `agent`, from being taken. */
  check(agent: Raw, lang: Lang): Problem[]
  /** Takes them in place of the earlier ones. They have been checked. */
  hold(agent: Raw): Promise<void>
  /** Closes agents that get no more runs, if none is under way by then. */
  tidy(isIdle: () => boolean): Promise<void>
  close(): Promise<void>
}

/** `stored` is told of every event any of its agents stores. */
export async function openDesk(options: AgentOptions, stored: AppendListener): Promise<Desk> {
  const { loaded: ceiling, data } = await settingOf(options)
  const file = data === undefined ? FILE : join(data, FILE)
  let opened: readonly Agent[] = []
  const open = async (raw: Raw) => {
    const overrides = isEmpty(raw) ? [] : [{ origin: file, raw }]
    const agent = await createAgent({ ...options, confirm: async () => 'later', overrides, onAppend: stored })
    opened = [...opened, agent]
    return agent
  }
  // One change at a time: else the file could say one thing and the agent be another, or an agent be closed on its way in.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
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
    check(wished, lang) {
      const raw = { agent: wished }
      const parsed = configFile.safeParse(raw)
      if (!parsed.success) {
        const found = schemaProblems({ origin: file, raw }, parsed.error.issues, lang)
        return found.map(({ path, message }) => ({ path, message }))
      }
      const { ignored, partly } = narrow(ceiling.config, raw)
      return [...ignored, ...partly].map((path) => ({ path, message: serverTexts(lang).overCeiling }))
    },
    hold: (wished) =>
      inTurn(async () => {
        const next = { agent: wished }
        const opening = await open(next)
        if (data !== undefined) await writePrivately(file, `${JSON.stringify(next, undefined, 2)}\n`)
        agent = opening
        overrides = next
      }),
    tidy: (isIdle) =>
      inTurn(async () => {
        if (!isIdle()) return
        // The first one's store is what the server reads from.
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

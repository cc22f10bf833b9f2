/** The browser tools as a run would use them, on a Chromium of the system; for tests. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WritError } from '../../src/errors/writ-error.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import { closeAll } from '../../src/tool/browser/sessions.ts'
import { browserTools } from '../../src/tool/browser/tools.ts'
import type { CallFacts, Tool, ToolContext, World } from '../../src/tool/tool.ts'
import { callIn } from './call.ts'
import { needChromium } from './chromium.ts'

export interface Said {
  ok: boolean
  text: string
  code?: string
}

export interface Desk {
  tools: Tool[]
  world: World
  artifacts: string
  /** What a call says, however it ends. */
  use(name: string, args?: object, own?: Pick<Partial<ToolContext>, 'sessionId' | 'signal' | 'policy'>): Promise<Said>
  facts(name: string, args?: object): Promise<CallFacts>
  close(): Promise<void>
}

/** Of every desk of this process: the sessions of all of them end with the first that is closed. */
const folders = new Set<string>()

export function openDesk(allowedHosts: string[], idleMs?: number): Desk {
  const artifacts = mkdtempSync(join(tmpdir(), 'writ-browser-'))
  folders.add(artifacts)
  const env = { ...process.env, WRIT_CHROMIUM: needChromium() }
  const tools = browserTools({ env, artifacts, ...(idleMs === undefined ? {} : { idleMs }) })
  const world: World = { workspace: artifacts, protectedPaths: [], blockedPaths: [], allowedHosts, env, sandbox: 'off' }
  let calls = 0
  const named = (name: string): Tool => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw new Error(`there is no tool ${name}`)
    return tool
  }
  return {
    tools,
    world,
    artifacts,
    async use(name, args = {}, own = {}) {
      calls += 1
      try {
        const output = await named(name).execute(
          args,
          callIn(world, { runId: 'run_1', sessionId: 'ses_1', callId: `c${calls}`, ...own }),
        )
        if (output.ok) return output
        const text = output.partial === undefined ? output.error : `${output.error}\n${output.partial}`
        return { ok: false, text, ...(output.code === undefined ? {} : { code: output.code }) }
      } catch (error) {
        const code = error instanceof WritError ? error.code : undefined
        return { ok: false, text: String(error), ...(code === undefined ? {} : { code }) }
      }
    },
    facts: async (name, args = {}) =>
      (await named(name).preValidate?.(args, world, { sessionId: 'ses_1', owner: LOCAL })) ?? {},
    async close() {
      await closeAll()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
      folders.clear()
    },
  }
}

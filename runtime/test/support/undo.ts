/** A workspace with an agent whose scripted calls can be undone; for tests. */
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Confirm } from '../../src/agent/context.ts'
import { type Agent, createAgent } from '../../src/assembly/agent.ts'
import type { RunResult } from '../../src/assembly/turns.ts'
import { previewUndo, type UndoEngine, undoRun } from '../../src/assembly/undo.ts'
import { present } from '../../src/base/present.ts'
import { defineTool } from '../../src/index.ts'
import type { ModelRequest } from '../../src/model/model.ts'
import { leasesOn } from '../../src/storage/leases.ts'
import { shadowFolder } from '../../src/tool/undo/shadow.ts'
import type { Place } from './cli.ts'

export interface Call {
  tool: string
  args: object
}

export const shell = (command: string): Call => ({ tool: 'shell', args: { command } })
export const write = (path: string, content: string): Call => ({ tool: 'file_write', args: { path, content } })

/** A tool of which only its author knows what it does to files. */
export const act = (script: string): Call => ({ tool: 'act', args: { script } })

export interface UndoDesk {
  agent: Agent
  shadow: string
  requests: ModelRequest[]
  run(calls: readonly Call[], sessionId?: string, confirm?: Confirm): Promise<RunResult>
  preview(runId: string): ReturnType<typeof previewUndo>
  undo(runId: string): ReturnType<typeof undoRun>
}

export async function undoDesk(
  place: Place,
  agentConfig: object = {},
  home = join(place.root, 'home'),
): Promise<UndoDesk> {
  const scripts: Call[][] = []
  const requests: ModelRequest[] = []
  let calls = 0
  const agent = await createAgent({
    workspace: place.workspace,
    lang: 'en',
    model: {
      id: 'test/undo',
      route: 'CloudLlm',
      reasoning: 'clear',
      async *ask(request) {
        requests.push(request)
        const due = request.purpose === 'main' ? (scripts.shift() ?? []) : []
        const own = due.map(({ tool, args }, i) => ({ id: `c${++calls}${i}`, tool, args }))
        const usage = { inputTokens: 1, outputTokens: 1 }
        if (own.length === 0) yield 'done'
        return { text: own.length === 0 ? 'done' : '', calls: own, usage, truncated: false }
      },
    },
    config: {
      agent: {
        security: { autonomy: 'Full', sandbox: 'off' },
        execution: { intentGuard: { enabled: false } },
        routing: { enabled: false },
        memory: { enabled: false },
        ...agentConfig,
      },
    },
    env: { PATH: process.env.PATH ?? '', HOME: home },
    confirm: async () => 'y',
    tools: [
      defineTool({
        name: 'risky',
        description: 'risky',
        schema: { type: 'object' },
        risk: 'High',
        execute: () => 'done',
      }),
      defineTool<{ script: string }>({
        name: 'act',
        description: 'act',
        schema: { type: 'object', properties: { script: { type: 'string' } } },
        execute: ({ script }) => execFileSync('sh', ['-c', script], { cwd: place.workspace, encoding: 'utf8' }),
      }),
    ],
  })
  const { engine, db, config } = agent
  const undoEngine: UndoEngine = { ...engine, leases: leasesOn(db), maxBytes: config.config.undo.maxBytes }
  const { signal } = new AbortController()
  return {
    agent,
    shadow: shadowFolder(engine.world) ?? '',
    requests,
    run: async (own, sessionId, confirm) => {
      scripts.push([...own])
      return agent.run('change the files', present({ sessionId, confirm }))
    },
    preview: (runId) => previewUndo(undoEngine, runId),
    undo: (runId) => undoRun(undoEngine, runId, { by: 'user', signal }),
  }
}

export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Every file below a folder with mode and content, names as bytes; folders and Writ's data are left out. */
export function filesIn(folder: string, without: readonly string[] = ['.writ']): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (at: Buffer, name: string): void => {
    for (const entry of readdirSync(at, { encoding: 'buffer' })) {
      const path = Buffer.concat([at, Buffer.from('/'), entry])
      const full = name === '' ? entry.toString('latin1') : `${name}/${entry.toString('latin1')}`
      if (without.includes(full)) continue
      const stat = lstatSync(path)
      if (stat.isDirectory()) visit(path, full)
      else if (stat.isSymbolicLink()) found[full] = `link ${readlinkSync(path, 'latin1')}`
      else found[full] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(path).toString('latin1')}`
    }
  }
  visit(Buffer.from(folder), '')
  return found
}

/** A guard of its own for tests: folder, data and sessions. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { drain } from '../../src/base/wait.ts'
import {
  createAgent,
  type Event,
  type Guard,
  type GuardOptions,
  openGuard,
  type SessionOptions,
  scriptedModel,
} from '../../src/index.ts'

export interface GuardPlace {
  root: string
  project: string
  data: string
  env: Record<string, string>
  events: Event[]
  file(name: string, content: string): string
  guard(options?: GuardOptions): Promise<Guard>
  /** As a person elsewhere answers an open question; without an answer, where there is no terminal. */
  answer(runId: string, answer?: 'y' | 'n' | 'a'): Promise<string>
  remove(): Promise<void>
}

export const OPEN_SHELL = { agent: { security: { autonomy: 'Full', allowedCommands: ['*'] } } } as const

export function makeGuardPlace(): GuardPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-guard-')))
  const project = join(root, 'project')
  const data = join(root, 'guard')
  const home = join(root, 'home')
  for (const folder of [project, home]) mkdirSync(folder)
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' }
  const events: Event[] = []
  const guards: Guard[] = []
  return {
    root,
    project,
    data,
    env,
    events,
    file(name, content) {
      const path = join(project, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    async guard(options = {}) {
      const onAppend = (batch: readonly Event[]) => events.push(...batch)
      const guard = await openGuard({ data, env, lang: 'en', config: OPEN_SHELL, onAppend, ...options })
      guards.push(guard)
      return guard
    },
    async answer(runId, answer) {
      const agent = await createAgent({ data, env, workspace: project, lang: 'en', model: scriptedModel([]) })
      try {
        const { reply } = await drain(agent.resume(runId, answer === undefined ? {} : { confirm: async () => answer }))
        return reply
      } finally {
        await agent.close()
      }
    },
    async remove() {
      for (const guard of guards) await guard.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

export function sessionIn(guard: Guard, place: GuardPlace, own: Partial<SessionOptions> = {}) {
  return guard.session({ id: 'one', agent: 'claude', cwd: place.project, ...own })
}

/** Folders of their own for outside agents and clients, what is recorded there, and a person elsewhere who answers. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drain } from '../../src/base/wait.ts'
import { createAgent, type Event, scriptedModel } from '../../src/index.ts'

export interface OutsidePlace {
  root: string
  project: string
  data: string
  env: Record<string, string>
  events: Event[]
  onAppend(batch: readonly Event[]): void
  /** As a person elsewhere answers an open question; without an answer, where there is no terminal. */
  answer(runId: string, answer?: 'y' | 'n' | 'a' | 'remember'): Promise<string>
  removeFolders(): void
}

export function makeOutsidePlace(name: string): OutsidePlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `writ-${name}-`)))
  const [project, home, data] = [join(root, 'project'), join(root, 'home'), join(root, 'data')]
  for (const folder of [project, home]) mkdirSync(folder)
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' }
  const events: Event[] = []
  return {
    root,
    project,
    data,
    env,
    events,
    onAppend: (batch) => void events.push(...batch),
    async answer(runId, answer) {
      const agent = await createAgent({ data, env, workspace: project, lang: 'en', model: scriptedModel([]) })
      try {
        const { reply } = await drain(
          agent.resume(runId, answer === undefined ? {} : { confirm: async () => replyOf(answer) }),
        )
        return reply
      } finally {
        await agent.close()
      }
    },
    removeFolders: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** `remember`: yes, and the first rule that is offered holds from now on. */
function replyOf(answer: 'y' | 'n' | 'a' | 'remember') {
  return answer === 'remember' ? ({ answer: 'y', by: 'ann', remember: { offer: 0, scope: 'always' } } as const) : answer
}

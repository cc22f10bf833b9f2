/** A guard of its own for tests: folder, data and sessions. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Guard, type GuardOptions, openGuard, type SessionOptions } from '../../src/index.ts'
import { makeOutsidePlace, type OutsidePlace } from './outside-place.ts'

export interface GuardPlace extends OutsidePlace {
  file(name: string, content: string): string
  guard(options?: GuardOptions): Promise<Guard>
  remove(): Promise<void>
}

export const OPEN_SHELL = { agent: { security: { autonomy: 'Full', allowedCommands: ['*'] } } } as const

export function makeGuardPlace(): GuardPlace {
  const place = makeOutsidePlace('guard')
  const { project, data, env, onAppend } = place
  const guards: Guard[] = []
  return {
    ...place,
    file(name, content) {
      const path = join(project, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    async guard(options = {}) {
      const guard = await openGuard({ data, env, lang: 'en', config: OPEN_SHELL, onAppend, ...options })
      guards.push(guard)
      return guard
    },
    async remove() {
      for (const guard of guards) await guard.close()
      place.removeFolders()
    },
  }
}

export function sessionIn(guard: Guard, place: GuardPlace, own: Partial<SessionOptions> = {}) {
  return guard.session({ id: 'one', agent: 'claude', cwd: place.project, ...own })
}

/** The verbs of `writ hooks`. */
import type { Verb } from './verb.ts'

export const HOOK_VERBS: readonly Verb[] = [
  {
    name: 'hooks install',
    words: 'claude|codex|opencode',
    takes: [1, 1],
    flags: ['user', 'project'],
    load: async () => (await import('./commands/hooks.ts')).hooksInstall,
  },
  {
    name: 'hooks remove',
    words: 'claude|codex|opencode',
    takes: [1, 1],
    flags: ['user', 'project'],
    load: async () => (await import('./commands/hooks.ts')).hooksRemove,
  },
  {
    name: 'hooks status',
    words: '',
    takes: [0, 0],
    flags: [],
    load: async () => (await import('./commands/hooks.ts')).hooksStatus,
  },
  {
    name: 'hooks serve',
    words: '',
    takes: [0, 0],
    flags: [],
    handlesInterrupt: true,
    load: async () => (await import('./commands/hooks.ts')).hooksServe,
  },
]

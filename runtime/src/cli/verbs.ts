/** The verbs: what each takes, and where it is. Nothing of a verb is loaded before it is used. */
import type { Flag, Given } from './flags.ts'
import type { Io } from './io.ts'
import type { VerbName } from './verb-names.ts'

type Command = (given: Given, io: Io) => Promise<number>

export interface Verb {
  name: VerbName
  words: string
  /** How many words it takes at least and at most. */
  takes: readonly [number, number]
  flags: readonly Flag[]
  /** Watches the signal it is given: Ctrl-C winds it up instead of killing it. */
  winds?: true
  load(): Promise<Command>
}

const SETTINGS: readonly Flag[] = ['model', 'base-url', 'autonomy']
const ANSWERS: readonly Flag[] = ['yes', 'no-input']
const MANY = Number.POSITIVE_INFINITY

export const VERBS: readonly Verb[] = [
  {
    name: 'chat',
    words: '',
    takes: [0, 0],
    flags: ['continue', 'session', 'script', 'record', ...ANSWERS, ...SETTINGS],
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'run',
    words: '"<task>" | -',
    takes: [1, MANY],
    flags: ['script', 'record', 'session', ...ANSWERS, ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'resume',
    words: '[RUN]',
    takes: [0, 1],
    flags: ['last', 'script', 'record', ...ANSWERS, ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  {
    name: 'trace',
    words: '[RUN]',
    takes: [0, 1],
    flags: ['last'],
    load: async () => (await import('./commands/trace.ts')).trace,
  },
  {
    name: 'replay',
    words: '[RUN|FILE]',
    takes: [0, 1],
    flags: ['all', 'since'],
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  {
    name: 'gate',
    words: '[FILE…]',
    takes: [0, MANY],
    flags: ['jsonl', 'autonomy'],
    load: async () => (await import('./commands/gate.ts')).gate,
  },
  {
    name: 'decide',
    words: '',
    takes: [0, 0],
    flags: ['batch', 'context', 'route', 'observe', 'watch', 'execute', 'model', 'base-url'],
    winds: true,
    load: async () => (await import('./commands/decide.ts')).decide,
  },
  {
    name: 'scan',
    words: '[FILE…]',
    takes: [0, MANY],
    flags: ['jsonl'],
    load: async () => (await import('./commands/scan.ts')).scan,
  },
  {
    name: 'audit verify',
    words: '',
    takes: [0, 0],
    flags: [],
    load: async () => (await import('./commands/audit.ts')).auditVerify,
  },
  {
    name: 'config check',
    words: '[FILE]',
    takes: [0, 1],
    flags: SETTINGS,
    load: async () => (await import('./commands/settings.ts')).check,
  },
  {
    name: 'config show',
    words: '',
    takes: [0, 0],
    flags: SETTINGS,
    load: async () => (await import('./commands/settings.ts')).show,
  },
  {
    name: 'config schema',
    words: '',
    takes: [0, 0],
    flags: [],
    load: async () => (await import('./commands/settings.ts')).schema,
  },
  {
    name: 'config init',
    words: '',
    takes: [0, 0],
    flags: [],
    load: async () => (await import('./commands/settings.ts')).init,
  },
  {
    name: 'config migrate',
    words: '[FILE]',
    takes: [0, 1],
    flags: [],
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    name: 'policy explain',
    words: '"<task>"',
    takes: [1, MANY],
    flags: SETTINGS,
    winds: true,
    load: async () => (await import('./commands/policy.ts')).policyExplain,
  },
  {
    name: 'routine add',
    words: 'NAME "<schedule>" "<task>"',
    takes: [3, MANY],
    flags: ['time-zone', 'autonomy'],
    load: async () => (await import('./commands/routine.ts')).routineAdd,
  },
  {
    name: 'routine list',
    words: '',
    takes: [0, 0],
    flags: [],
    load: async () => (await import('./commands/routine.ts')).routineList,
  },
  {
    name: 'routine run',
    words: 'NAME',
    takes: [1, 1],
    flags: ['script', 'record', ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/routine.ts')).routineRun,
  },
  {
    name: 'routine pause',
    words: 'NAME',
    takes: [1, 1],
    flags: ['resume'],
    load: async () => (await import('./commands/routine.ts')).routinePause,
  },
  {
    name: 'routine remove',
    words: 'NAME',
    takes: [1, 1],
    flags: [],
    load: async () => (await import('./commands/routine.ts')).routineRemove,
  },
  {
    name: 'routine start',
    words: '',
    takes: [0, 0],
    flags: ['script', 'record', ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/routine.ts')).routineStart,
  },
  {
    name: 'trust',
    words: '',
    takes: [0, 0],
    flags: ['revoke'],
    load: async () => (await import('./commands/settings.ts')).trusted,
  },
  {
    name: 'doctor',
    words: '',
    takes: [0, 0],
    flags: SETTINGS,
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'tour',
    words: '',
    takes: [0, 0],
    flags: [],
    winds: true,
    load: async () => (await import('./commands/tour.ts')).tour,
  },
]

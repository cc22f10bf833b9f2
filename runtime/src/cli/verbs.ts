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
    name: 'stats',
    words: '',
    takes: [0, 0],
    flags: ['since'],
    load: async () => (await import('./commands/stats.ts')).stats,
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
    flags: ['batch', 'context', 'route', 'routes', 'observe', 'watch', 'execute', 'script', 'record', ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/decide.ts')).decide,
  },
  {
    name: 'scan',
    words: '[FILE…]',
    takes: [0, MANY],
    flags: ['jsonl', 'fail-on'],
    load: async () => (await import('./commands/scan.ts')).scan,
  },
  {
    name: 'audit verify',
    words: '[FILE]',
    takes: [0, 1],
    flags: ['head', 'heads'],
    load: async () => (await import('./commands/audit.ts')).auditVerify,
  },
  {
    name: 'export',
    words: '',
    takes: [0, 0],
    flags: ['run', 'session', 'since', 'out'],
    load: async () => (await import('./commands/export.ts')).exportRuns,
  },
  {
    name: 'prune',
    words: '',
    takes: [0, 0],
    flags: ['keep', 'before', 'session', 'dry-run'],
    load: async () => (await import('./commands/prune.ts')).prune,
  },
  {
    name: 'backup',
    words: 'FILE',
    takes: [1, 1],
    flags: [],
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'data adopt',
    words: '[DIR]',
    takes: [0, 1],
    flags: ['yes', 'dry-run'],
    load: async () => (await import('./commands/data.ts')).dataAdopt,
  },
  {
    name: 'work',
    words: '',
    takes: [0, 0],
    flags: ['at-once', 'script', 'record', ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/work.ts')).work,
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
    flags: ['everyone'],
    load: async () => (await import('./commands/routine.ts')).routineList,
  },
  {
    name: 'routine run',
    words: 'NAME',
    takes: [1, 1],
    flags: ['everyone', 'script', 'record', ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/routine.ts')).routineRun,
  },
  {
    name: 'routine pause',
    words: 'NAME',
    takes: [1, 1],
    flags: ['resume', 'everyone'],
    load: async () => (await import('./commands/routine.ts')).routinePause,
  },
  {
    name: 'routine remove',
    words: 'NAME',
    takes: [1, 1],
    flags: ['everyone'],
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
    name: 'docs index',
    words: '',
    takes: [0, 0],
    flags: [],
    winds: true,
    load: async () => (await import('./commands/docs.ts')).docsIndex,
  },
  {
    name: 'docs search',
    words: '"<query>"',
    takes: [1, MANY],
    flags: [],
    winds: true,
    load: async () => (await import('./commands/docs.ts')).docsSearch,
  },
  {
    name: 'docs status',
    words: '',
    takes: [0, 0],
    flags: [],
    load: async () => (await import('./commands/docs.ts')).docsStatus,
  },
  {
    name: 'serve',
    words: '',
    takes: [0, 0],
    flags: ['at-once', 'host', 'port', 'open', 'script', 'record', ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'token add',
    words: 'NAME',
    takes: [1, 1],
    flags: ['scopes', 'principal'],
    load: async () => (await import('./commands/token.ts')).tokenAdd,
  },
  {
    name: 'token rotate',
    words: 'NAME',
    takes: [1, 1],
    flags: [],
    load: async () => (await import('./commands/token.ts')).tokenRotate,
  },
  {
    name: 'token list',
    words: '',
    takes: [0, 0],
    flags: [],
    load: async () => (await import('./commands/token.ts')).tokenList,
  },
  {
    name: 'token revoke',
    words: 'NAME',
    takes: [1, 1],
    flags: [],
    load: async () => (await import('./commands/token.ts')).tokenRevoke,
  },
  {
    name: 'workflow run',
    words: 'FILE',
    takes: [1, 1],
    flags: ['input', 'session', 'script', 'record', ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/workflow.ts')).workflowRun,
  },
  {
    name: 'workflow check',
    words: 'FILE',
    takes: [1, 1],
    flags: ['input', ...SETTINGS],
    load: async () => (await import('./commands/workflow.ts')).workflowCheck,
  },
  {
    name: 'workflow list',
    words: '[DIR]',
    takes: [0, 1],
    flags: [],
    load: async () => (await import('./commands/workflow.ts')).workflowList,
  },
  {
    name: 'workflow resume',
    words: 'RUN [FILE]',
    takes: [1, 2],
    flags: ['input', 'script', 'record', ...SETTINGS],
    winds: true,
    load: async () => (await import('./commands/workflow.ts')).workflowResume,
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

import type { VerbName } from './verb-names.ts'

/** Every flag with a value, and the placeholder shown for it. A flag means the same for every verb that has it. */
export const VALUE_FLAGS = {
  config: 'FILE',
  data: 'DIR',
  lang: 'en|zh',
  model: 'NAME',
  'base-url': 'URL',
  autonomy: 'LEVEL',
  script: 'FILE',
  record: 'FILE',
  session: 'ID',
  'time-zone': 'ZONE',
  allow: 'COMMANDS',
  batch: 'FILE',
  context: 'FILE',
  route: 'ROUTE',
  observe: 'SECONDS',
  watch: 'DIR',
  since: 'TIME',
  input: 'NAME=VALUE',
  host: 'ADDRESS',
  port: 'PORT',
  principal: 'NAME',
  scopes: 'LIST',
  before: 'TIME',
  keep: 'TIME',
  run: 'RUN',
  out: 'FILE',
  'at-once': 'N',
  head: 'HASH',
  heads: 'FILE',
  'fail-on': 'block|review',
  schema: 'FILE',
  attach: 'FILE',
  call: 'CALL',
  provider: 'NAME',
  task: 'TEXT',
  http: 'PORT',
} as const
export const SWITCHES = [
  'json',
  'help',
  'version',
  'yes',
  'no-input',
  'last',
  'all',
  'continue',
  'jsonl',
  'revoke',
  'resume',
  'execute',
  'routes',
  'open',
  'dry-run',
  'everyone',
  'verbose',
  'key-from-stdin',
  'user',
  'project',
  'own',
] as const

export type ValueFlag = keyof typeof VALUE_FLAGS
export type Switch = (typeof SWITCHES)[number]
export type Flag = ValueFlag | Switch

export const GLOBAL_FLAGS: readonly Flag[] = ['config', 'data', 'json', 'lang', 'help']
export const SHORT: Readonly<Record<string, Flag>> = { '-h': 'help', '-v': 'version', '-V': 'version' }

export function takesValue(flag: Flag): flag is ValueFlag {
  return Object.hasOwn(VALUE_FLAGS, flag)
}

/** What a command is given: its words, its flags and the signals that stop it. */
export interface Given {
  verb: VerbName
  words: string[]
  values: Partial<Record<ValueFlag, string>>
  switches: ReadonlySet<Switch>
  /** Every --input, in order. */
  inputs?: readonly string[] | undefined
  /** Every --attach, in order. */
  attach?: readonly string[] | undefined
  /** Aborted by Ctrl-C and by SIGTERM. */
  signal: AbortSignal
  /** Aborted by SIGTERM only: running work is left to be resumed. */
  terminated: AbortSignal
}

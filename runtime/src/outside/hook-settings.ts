/**
 * The hooks in the settings of an agent, as text to text: everything else in a file stays as it is. What Writ wrote is
 * recognised by its mark.
 */

import { parse as parseToml } from 'smol-toml'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'

export interface HookCommand {
  node: string
  /** `bin/hook.js`. */
  script: string
  /** The folder with the socket. */
  folder: string
}

export const MARK = '# writ hook'
const BEGIN = '# >>> writ hooks: managed by `writ hooks`, do not edit'
/** As `codexSettings` writes them. The last line is of an earlier version. */
const CODEX_LINES =
  /^(?:\[\[hooks\.(\w+)\]\]\n\[\[hooks\.\1\.hooks\]\]\ntype = "command"\ncommand = ".*# writ hook"\ntimeout = \d+|# >>> writ hooks.*|# <<< writ hooks)(?:\n|$)/gm
const FIRST_LINE = '// Managed by `writ hooks`, do not edit.'

/** Far above the deadline in `bin/hook-client.js`: an agent takes a hook that it had to stop for no objection. */
const TIMEOUT_S = 60
const EVENTS = {
  claude: [
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'Stop',
    'SessionEnd',
  ],
  codex: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'],
} as const

/** Thrown where a file is not what its agent would read; nothing is written then. */
export class UnreadableSettings extends Error {}

/** For these, exit code 2 blocks. For the end of a turn it would mean: go on. */
const BLOCKING: readonly string[] = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolBatch']

/** What the hook reads; anything else, such as NODE_OPTIONS of a project, could run a program in its place. */
const ENVIRONMENT = ['CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_ENTRYPOINT', 'LANG', 'LC_ALL']
  .map((name) => `${name}="$${name}"`)
  .join(' ')

/** A hook that cannot start, or crashes, blocks the call: agents take every other exit code for no objection. */
function commandLine(agent: string, event: string, { node, script, folder }: HookCommand): string {
  const end = BLOCKING.includes(event) ? '|| exit 2' : '|| true'
  const command = [node, script, agent, folder].map(quoted).join(' ')
  return `/usr/bin/env -i ${ENVIRONMENT} ${command} ${end} ${MARK}`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** `settings.json` of Claude Code with the hooks; undefined command: without them. Undefined: the file is not needed. */
export function claudeSettings(text: string | undefined, command: HookCommand | undefined): string | undefined {
  const settings = text === undefined || text.trim() === '' ? {} : objectIn(text)
  const { hooks: given = {} } = settings
  if (!isObject(given)) throw new UnreadableSettings('"hooks" is not an object')
  const hooks: Record<string, unknown> = {}
  for (const [event, entries] of Object.entries(given)) {
    if (!Array.isArray(entries)) throw new UnreadableSettings(`"hooks.${event}" is not a list`)
    const kept = entries.filter((entry) => !isOurs(entry))
    if (kept.length > 0 || entries.length === 0) hooks[event] = kept
  }
  if (command !== undefined) {
    for (const event of EVENTS.claude) {
      const hook = { type: 'command', command: commandLine('claude', event, command), timeout: TIMEOUT_S }
      const matcher = event.includes('ToolUse') ? { matcher: '*' } : {}
      hooks[event] = [...((hooks[event] as unknown[] | undefined) ?? []), { ...matcher, hooks: [hook] }]
    }
  }
  const { hooks: _, ...rest } = settings
  const isEmpty = Object.keys(hooks).length === 0
  if (isEmpty && Object.keys(rest).length === 0) return undefined
  // Replaced in its place: the order of the other keys stays.
  const next = isEmpty ? rest : 'hooks' in settings ? { ...settings, hooks } : { ...rest, hooks }
  return `${JSON.stringify(next, undefined, indentOf(text))}\n`
}

export function objectIn(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UnreadableSettings(messageOf(error))
  }
  if (!isObject(value)) throw new UnreadableSettings('not an object')
  return value
}

function isOurs(entry: unknown): boolean {
  if (!isObject(entry) || !Array.isArray(entry.hooks)) return false
  return entry.hooks.some((hook) => isObject(hook) && typeof hook.command === 'string' && hook.command.endsWith(MARK))
}

function indentOf(text = ''): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
}

/** `config.toml` of Codex: our hooks at its end, so that the rest stays byte for byte. */
export function codexSettings(text: string | undefined, command: HookCommand | undefined): string | undefined {
  const bare = withoutHooks(text ?? '')
  if (command === undefined) return bare === '' ? undefined : bare
  const tables = EVENTS.codex.map(
    (event) =>
      `[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(commandLine('codex', event, command))}\ntimeout = ${event === 'SessionEnd' ? 3 : TIMEOUT_S}\n`,
  )
  const gap = bare === '' || bare.endsWith('\n') ? '' : '\n'
  const next = `${bare}${gap}${BEGIN}\n${tables.join('')}`
  // Hooks written in another form cannot be added to: Codex would refuse the whole file.
  tomlIn(next)
  return next
}

export function tomlIn(text: string): Record<string, unknown> {
  try {
    return parseToml(text)
  } catch (error) {
    throw new UnreadableSettings(messageOf(error))
  }
}

/** Codex adds its own tables, such as the hooks you trust, between ours or behind them: those stay. */
function withoutHooks(text: string): string {
  const bare = text.replace(CODEX_LINES, '')
  if (bare.includes(MARK)) throw new UnreadableSettings(`a hook ending in "${MARK}" was changed; remove it by hand`)
  return bare
}

/** Whether the user has trusted the hooks of a file of Codex; `text`: the user's own settings. */
export function codexTrusts(text: string | undefined, file: string): boolean {
  try {
    const { hooks } = tomlIn(text ?? '')
    const state = isObject(hooks) && isObject(hooks.state) ? hooks.state : {}
    return Object.entries(state).some(
      ([key, held]) => key.startsWith(`${file}:`) && isObject(held) && typeof held.trusted_hash === 'string',
    )
  } catch {
    return false
  }
}

/** The plugin of opencode. It loads the client with each call: a client that is gone must block, not vanish. */
export function opencodePlugin(text: string | undefined, command: HookCommand | undefined): string | undefined {
  if (text !== undefined && !text.startsWith(FIRST_LINE)) throw new UnreadableSettings('the file is not from Writ')
  if (command === undefined) return undefined
  const client = JSON.stringify(command.script.replace(/hook\.js$/, 'opencode-client.js'))
  return `${FIRST_LINE}
const load = () => import(${client})
const folder = ${JSON.stringify(command.folder)}
const blocked = (error) => {
  throw new Error(\`Writ could not judge this, so it is blocked (\${error?.message ?? error}). \\\`writ hooks remove opencode\\\` switches this off.\`)
}
const unread = (_place, { messages = [] }) => {
  for (const { state } of messages.flatMap(({ parts = [] }) => parts)) {
    if (state?.status !== 'error') continue
    state.error = 'Writ could not inspect this error, so it is left out. \`writ hooks remove opencode\` switches this off.'
  }
}

export const Writ = async ({ directory, client }) => {
  const place = { folder, directory, client }
  return {
    'chat.message': async (input, output) => {
      await load().then(({ said }) => said(place, input, output)).catch(() => {})
    },
    'tool.execute.before': async (input, output) => {
      const { before } = await load().catch(blocked)
      await before(place, input, output)
    },
    'tool.execute.after': async (input, output) => {
      const { after } = await load().catch(blocked)
      await after(place, input, output)
    },
    'experimental.chat.messages.transform': async (input, output) => {
      const { failed } = await load().catch(() => ({ failed: unread }))
      await failed(place, output)
    },
    event: async ({ event }) => {
      await load().then(({ happened }) => happened(place, event)).catch(() => {})
    },
  }
}
`
}

/** The script of the hooks that a file has; undefined where it has none. */
export function hookIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (text.startsWith(FIRST_LINE)) return /import\("(.+?)"\)/.exec(text)?.[1]
  if (!text.includes(MARK)) return undefined
  return /'([^']*hook\.js)'/.exec(text)?.[1] ?? ''
}

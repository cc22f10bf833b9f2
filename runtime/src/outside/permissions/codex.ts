/** `config.toml` of Codex, and its files with `prefix_rule(…)`. */
import { isObject } from '../../base/json.ts'
import type { RuleDecision } from '../../protocol/rule.ts'
import { addRule, type Imported, isAbsoluteFolder, nothingImported } from './imported.ts'

export function importCodexConfig(config: unknown): Imported {
  const imported = nothingImported()
  if (!isObject(config)) return imported
  const note = (key: string, why: Imported['notes'][number]['note']) => {
    imported.notes.push({ entry: `${key} = ${JSON.stringify(valueIn(config, key))}`, note: why })
  }
  const { approval_policy: approval, sandbox_mode: mode } = config
  if (mode === 'read-only') imported.security.autonomy = 'ReadOnly'
  else if (mode === 'workspace-write') imported.security.autonomy = 'Supervised'
  else if (mode === 'danger-full-access') note('sandbox_mode', 'alwaysJudged')
  else if (mode !== undefined) note('sandbox_mode', 'notUnderstood')
  if (approval === 'never') note('approval_policy', 'alwaysJudged')
  else if (approval === 'on-request' || approval === 'untrusted') note('approval_policy', 'isDefault')
  else if (approval !== undefined) note('approval_policy', 'noEquivalent')
  const write = isObject(config.sandbox_workspace_write) ? config.sandbox_workspace_write : {}
  const given = Array.isArray(write.writable_roots) ? write.writable_roots.map(String) : []
  const roots = given.filter(isAbsoluteFolder)
  if (roots.length > 0) imported.security.writePaths = roots
  for (const root of given.filter((each) => !roots.includes(each))) {
    imported.notes.push({ entry: `writable_roots: ${root}`, note: 'absoluteFolder' })
  }
  for (const entry of elsewhere(config)) imported.notes.push({ entry, note: 'noEquivalent' })
  for (const key of Object.keys(write)) {
    if (key === 'network_access')
      note(`sandbox_workspace_write.${key}`, write[key] === true ? 'hostsByName' : 'isDefault')
    else if (key !== 'writable_roots') note(`sandbox_workspace_write.${key}`, 'noEquivalent')
  }
  return imported
}

/** Other settings of Codex that restrict what it may do. */
function elsewhere(config: Record<string, unknown>): string[] {
  const named = (key: string) => (isObject(config[key]) ? Object.entries(config[key]) : [])
  const ofServers = named('mcp_servers').flatMap(([name, server]) =>
    Object.keys(isObject(server) ? server : {})
      .filter((key) => /tools/.test(key))
      .map((key) => `mcp_servers.${name}.${key}`),
  )
  const whole = ['default_permissions', 'permissions', 'approvals_reviewer', 'web_search', 'shell_environment_policy']
  const present = whole.filter((key) => config[key] !== undefined)
  return [...present, ...named('profiles').map(([name]) => `profiles.${name}`), ...ofServers]
}

function valueIn(config: Record<string, unknown>, key: string): unknown {
  return key.split('.').reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), config)
}

const DECISIONS: Readonly<Record<string, RuleDecision>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' }

type Literal = string | Literal[]

/** Only calls with literals are read; anything else in the file is listed as not understood. */
export function importCodexRules(text: string): Imported {
  const imported = nothingImported()
  const reader = new Reader(text)
  while (!reader.isAtEnd) {
    const statement = reader.statement()
    const [, name = ''] = /^(\w+)\s*\(/.exec(statement) ?? []
    const given = name === 'prefix_rule' ? argumentsOf(statement) : undefined
    if (given === undefined) {
      imported.notes.push({
        entry: statement.split('\n')[0] ?? '',
        note: ['', 'prefix_rule'].includes(name) ? 'notUnderstood' : 'noEquivalent',
      })
      continue
    }
    const decide = DECISIONS[String(given.decision ?? 'allow')]
    const commands = commandsIn(given.pattern)
    if (decide === undefined || commands === undefined) {
      imported.notes.push({ entry: statement.replace(/\s+/g, ' '), note: 'notUnderstood' })
      continue
    }
    const entry = statement.replace(/\s+/g, ' ').slice(0, 200)
    addRule(imported, decide, { agent: 'Codex', entry }, { when: { command: commands.map((words) => `${words} *`) } })
  }
  return imported
}

/** A place in a pattern can hold several words to choose from. */
function commandsIn(pattern: Literal | undefined): string[] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined
  let commands = ['']
  for (const part of pattern) {
    const words = Array.isArray(part) ? part : [part]
    if (!words.every((word) => typeof word === 'string' && word !== '' && !/["*?[\]\\]/.test(word))) return undefined
    commands = commands.flatMap((begun) => words.map((word) => `${begun} ${quoted(String(word))}`.trim()))
    if (commands.length > 200) return undefined
  }
  return commands
}

function quoted(word: string): string {
  return /\s/.test(word) ? `"${word}"` : word
}

function argumentsOf(statement: string): Record<string, Literal> | undefined {
  const reader = new Reader(statement.slice(statement.indexOf('(') + 1, -1))
  const given: Record<string, Literal> = {}
  while (!reader.isAtEnd) {
    const name = reader.take(/\w+(?=\s*=)/y)
    if (name === undefined || reader.take(/=/y) === undefined) return undefined
    const value = reader.literal()
    if (value === undefined) return undefined
    given[name] = value
    if (reader.take(/,/y) === undefined && !reader.isAtEnd) return undefined
  }
  return given
}

/** A text over several lines is a comment: what is in it is no call. */
const TOKEN = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^"'()\n#]+|[\s\S]/y

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#skip()
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  take(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#text)?.[0]
    if (found === undefined) return undefined
    this.#at += found.length
    this.#skip()
    return found
  }

  literal(): Literal | undefined {
    if (this.take(/\[/y) !== undefined) {
      const items: Literal[] = []
      while (this.take(/\]/y) === undefined) {
        const item = this.literal()
        if (item === undefined) return undefined
        items.push(item)
        if (this.take(/,/y) === undefined && this.#text[this.#at] !== ']') return undefined
      }
      return items
    }
    // Other escapes, and several texts side by side, are not read.
    const text = this.take(/"(?:[^"\\\n]|\\["'\\])*"(?!")|'(?:[^'\\\n]|\\["'\\])*'(?!')/y)
    return text?.slice(1, -1).replace(/\\(.)/g, '$1')
  }

  /** Up to the parenthesis that closes a call, or the end of the line. */
  statement(): string {
    const from = this.#at
    let depth = 0
    while (!this.isAtEnd) {
      const text = this.take(TOKEN) ?? ''
      if (text === '(') depth++
      if (text === ')') depth--
      if (depth <= 0 && (text === ')' || this.#text[this.#at - 1] === '\n')) break
    }
    return this.#text.slice(from, this.#at).trim()
  }

  /** Blanks and comments. */
  #skip(): void {
    this.#at += /^(?:\s|#[^\n]*)*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0
  }
}

/** `permissions` in the settings of Claude Code. */
import { isObject } from '../../base/json.ts'
import { RULE_DECISIONS, type RuleDecision } from '../../protocol/rule.ts'
import type { Imported, ImportNote, Match } from './imported.ts'
import { ANY_COMMAND, addRule, commandsOf, filesOf, isAbsoluteFolder, nothingImported, pathsOf } from './imported.ts'

const FILE_TOOLS: Readonly<Record<string, 'read' | 'write'>> = {
  Read: 'read',
  Glob: 'read',
  Grep: 'read',
  LS: 'read',
  NotebookRead: 'read',
  Edit: 'write',
  Write: 'write',
  MultiEdit: 'write',
  NotebookEdit: 'write',
}

const ENTRY = /^([A-Za-z_*][\w*-]*)(?:\(([\s\S]*)\))?$/

const LISTS: ReadonlySet<string> = new Set([...RULE_DECISIONS, 'additionalDirectories'])

export function importClaude(settings: unknown): Imported {
  const imported = nothingImported()
  const { permissions: given, sandbox } = isObject(settings) ? settings : {}
  const permissions = isObject(given) ? given : {}
  if (given !== undefined && given !== permissions) imported.notes.push({ entry: 'permissions', note: 'notUnderstood' })
  if (sandbox !== undefined) imported.notes.push({ entry: 'sandbox', note: 'noEquivalent' })
  for (const [key, value] of Object.entries(permissions)) {
    if (key === 'disableBypassPermissionsMode') imported.notes.push({ entry: key, note: 'alwaysJudged' })
    else if (key !== 'defaultMode' && !LISTS.has(key)) imported.notes.push({ entry: key, note: 'noEquivalent' })
    else if (LISTS.has(key)) {
      for (const item of [value].flat().filter((each) => !Array.isArray(value) || typeof each !== 'string')) {
        imported.notes.push({ entry: `${key}: ${JSON.stringify(item)}`, note: 'notUnderstood' })
      }
    }
  }
  for (const decide of RULE_DECISIONS) {
    for (const entry of textsIn(permissions[decide])) importEntry(imported, entry, decide)
  }
  const folders = textsIn(permissions.additionalDirectories)
  const absolute = folders.filter(isAbsoluteFolder)
  if (absolute.length > 0) imported.security.writePaths = absolute
  for (const entry of folders.filter((folder) => !absolute.includes(folder))) {
    imported.notes.push({ entry: `additionalDirectories: ${entry}`, note: 'absoluteFolder' })
  }
  importMode(imported, permissions.defaultMode)
  return imported
}

function importEntry(imported: Imported, entry: string, decide: RuleDecision): void {
  const [, tool = '', given] = ENTRY.exec(entry) ?? []
  const from = { agent: 'Claude Code', entry }
  const specifier = given === '' || given === '*' ? undefined : given
  const add = (match: Match) => addRule(imported, decide, from, match)
  const note = (why: ImportNote) => {
    imported.notes.push({ entry, note: why })
  }
  const access = FILE_TOOLS[tool]
  if (access !== undefined) {
    if (specifier?.startsWith('!')) note('noEquivalent')
    else {
      const path = specifier === undefined ? '/**' : pathsOf(fromClaudePath(specifier), decide)
      add({ when: filesOf({ path, access }, decide) })
    }
  } else if (tool === 'Bash' && decide === 'allow' && specifier?.includes('?')) {
    // There the character itself, here any one.
    note('notUnderstood')
  } else if (tool === 'Bash') {
    const { command, isExact } = specifier === undefined ? ANY_COMMAND : commandsOf(specifier, decide)
    if (!isExact) note('oneWord')
    add({ when: command === undefined ? { family: 'shell' } : { command } })
  } else if (tool === 'WebFetch') {
    const host = specifier?.startsWith('domain:') ? specifier.slice(7) : undefined
    const tool = ['WebFetch', 'http_request']
    if (host !== undefined && decide === 'allow') add({ tool, when: { host, method: 'GET' } })
    else if (host !== undefined) add({ when: { host: [host, `*.${host}`] } })
    else if (decide === 'allow') note('hostsByName')
    else add({ tool })
  } else if (tool.startsWith('mcp__')) {
    const named = tool.slice('mcp__'.length).replace(/__\*$/, '')
    const all = named.includes('__') ? named : `${named}__*`
    add({ tool: [`mcp__${all}`, all] })
  } else if (tool === 'WebSearch' && specifier === undefined) add({ tool: 'WebSearch' })
  // Any other tool can be refused by its name; an allow would be one for whatever it does.
  else if (tool !== '' && specifier === undefined && decide !== 'allow') {
    add({ tool: tool === 'Task' || tool === 'Agent' ? ['Task', 'Agent'] : tool })
  } else note(tool === '' ? 'notUnderstood' : 'noEquivalent')
}

/** `//` is the root of the disk; one slash is the folder of the project. */
function fromClaudePath(path: string): string {
  if (path.startsWith('//')) return path.slice(1)
  return path.startsWith('/') ? `.${path}` : path
}

function importMode(imported: Imported, mode: unknown): void {
  const entry = `defaultMode: ${String(mode)}`
  if (mode === 'plan') imported.security.autonomy = 'ReadOnly'
  else if (mode === 'acceptEdits') {
    addRule(
      imported,
      'allow',
      { agent: 'Claude Code', entry },
      { when: filesOf({ path: '**', access: 'write' }, 'allow') },
    )
  } else if (mode === 'default') imported.notes.push({ entry, note: 'isDefault' })
  else if (mode === 'bypassPermissions') imported.notes.push({ entry, note: 'alwaysJudged' })
  else if (mode !== undefined) imported.notes.push({ entry, note: 'noEquivalent' })
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

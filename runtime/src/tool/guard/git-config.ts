/**
 * Git's settings: read from files without running git, and classified as harmless or as able to run programs or reach
 * other machines.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'

export interface Setting {
  /** Section and name in lower case, the part between them as written: `remote.Origin.url`. */
  key: string
  value: string
}

const MAX_BYTES = 1_000_000
const MAX_DEPTH = 8

/** Settings that only change how git stores, names or shows things. All others count as run-programs. */
const HARMLESS = new RegExp(
  `^(${[
    'user\\.(name|email|useconfigonly)',
    '(author|committer)\\.(name|email)',
    'branch\\.(.+\\.)?(remote|pushremote|merge|rebase|description|autosetupmerge|autosetuprebase|sort)',
    'core\\.(autocrlf|eol|safecrlf|ignorecase|filemode|quotepath|abbrev|precomposeunicode|symlinks|compression|bigfilethreshold|logallrefupdates|whitespace|commentchar)',
    'init\\.defaultbranch',
    'pull\\.(rebase|ff|octopus|twohead)',
    'push\\.(default|autosetupremote|followtags)',
    'merge\\.(ff|conflictstyle|stat|renames|renamelimit|log)',
    'rebase\\.(autosquash|autostash|stat|updaterefs|missingcommitscheck)',
    'rerere\\.(enabled|autoupdate)',
    'diff\\.(algorithm|renames|renamelimit|context|mnemonicprefix|noprefix|colormoved|wserrorhighlight|statgraphwidth)',
    'fetch\\.(prune|prunetags|output)',
    'log\\.(date|decorate|abbrevcommit|follow|showroot)',
    'status\\.(short|branch|showstash|showuntrackedfiles|relativepaths|aheadbehind)',
    'color\\.[a-z-]+(\\..+)?',
    'column\\.[a-z]+',
    'commit\\.(status|cleanup)',
    'tag\\.sort',
    'versionsort\\.suffix',
    'stash\\.(showstat|showincludeuntracked)',
    'apply\\.whitespace',
    'advice\\.[a-z]+',
    'i18n\\.(commitencoding|logoutputencoding)',
    'feature\\.(manyfiles|experimental)',
    'index\\.(version|threads)',
    'gc\\.(auto|autodetach)',
  ].join('|')})$`,
)

export function isHarmlessSetting(key: string): boolean {
  return HARMLESS.test(key.toLowerCase())
}

/** Parses settings like git. Throws where git would fail, or might read something else. */
export function parseSettings(text: string, name = 'config'): Setting[] {
  const fail = (line: number): never => {
    throw new WritError('GIT_CONFIG.line', { file: name, line })
  }
  const settings: Setting[] = []
  let section: string | undefined
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (let i = 0; i < lines.length; i++) {
    let rest = (lines[i] ?? '').trimStart()
    while (rest.startsWith('[')) {
      const head = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*/.exec(rest)
      if (head === null) return fail(i + 1)
      const [whole, kind = '', sub] = head
      section = sub === undefined ? kind.toLowerCase() : `${kind.toLowerCase()}.${sub.replace(/\\(.)/g, '$1')}`
      rest = rest.slice(whole.length)
    }
    if (rest === '' || rest.startsWith('#') || rest.startsWith(';')) continue
    const named = /^([a-zA-Z][\w-]*)[ \t]*(=|$|(?=[#;]))/.exec(rest)
    if (named === null || section === undefined) return fail(i + 1)
    const key = `${section}.${(named[1] ?? '').toLowerCase()}`
    if (named[2] !== '=') {
      settings.push({ key, value: 'true' })
      continue
    }
    const read = readValue(lines, i, rest.slice(named[0].length))
    if (read === undefined) return fail(i + 1)
    settings.push({ key, value: read.value })
    i = read.line
  }
  return settings
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }

function readValue(lines: readonly string[], at: number, start: string): { value: string; line: number } | undefined {
  let line = at
  let rest = start.trimStart()
  let value = ''
  let kept = 0
  let quoted = false
  for (let i = 0; ; i++) {
    const letter = rest[i]
    if (letter === undefined) return quoted ? undefined : { value: value.slice(0, kept), line }
    if (letter === '\\') {
      const next = rest[i + 1]
      if (next === undefined) {
        line++
        rest = lines[line] ?? ''
        i = -1
        continue
      }
      const meant = ESCAPES[next]
      if (meant === undefined) return undefined
      value += meant
      kept = value.length
      i++
    } else if (letter === '"') {
      quoted = !quoted
      kept = value.length
    } else if (!quoted && (letter === '#' || letter === ';')) return { value: value.slice(0, kept), line }
    else {
      value += letter
      if (quoted || !/\s/.test(letter)) kept = value.length
    }
  }
}

export interface SettingsFile {
  settings: Setting[]
  /** Included files, in order; missing ones add nothing. */
  includes: string[]
}

interface Reading {
  home?: string | undefined
  depth?: number
  /** Whether the condition of an `includeIf` is met. Absent: always. */
  applies?(condition: string): boolean
}

/** A file's settings including those of included files. A missing file has none. */
export function readSettings(path: string, reading: Reading = {}): SettingsFile {
  const { home, depth = 0, applies } = reading
  if (depth > MAX_DEPTH) throw new WritError('GIT_CONFIG.includes', { path })
  const text = readSmall(path)
  if (text === undefined) return { settings: [], includes: [] }
  const settings: Setting[] = []
  const includes: string[] = []
  for (const setting of parseSettings(text, path)) {
    settings.push(setting)
    const included = /^include(?:if\.(.+))?\.path$/i.exec(setting.key)
    if (included === null || (included[1] !== undefined && applies?.(included[1]) === false)) continue
    const place = includedPath(setting.value, dirname(path), home)
    const inner = readSettings(place, { ...reading, depth: depth + 1 })
    includes.push(place, ...inner.includes)
    settings.push(...inner.settings)
  }
  return { settings, includes }
}

function includedPath(value: string, from: string, home: string | undefined): string {
  if (value === '~' || value.startsWith('~/')) return join(home ?? '/nonexistent', value.slice(2))
  return isAbsolute(value) ? value : join(from, value)
}

/** The text of a regular file; undefined when there is none. Pipes and devices would block, and are refused. */
export function readSmall(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isFile() || stat.size > MAX_BYTES) {
    throw new WritError('GIT_CONFIG.file', { path })
  }
  return readFileSync(path, 'utf8')
}

/** Git ignores case in the outer parts of a key, but not in the middle. */
export function valuesOf(settings: readonly Setting[], key: string): string[] {
  return settings.filter((setting) => setting.key === key).map(({ value }) => value)
}

export function lastOf(settings: readonly Setting[], key: string): string | undefined {
  return valuesOf(settings, key).at(-1)
}

/** Reads a unified diff as `git diff` and `diff -u` write it. Hunks are as long as their headers say, never longer. */
import { WritError } from '../../errors/writ-error.ts'
import { commonName, gitNames, headerName, isNameOf, plainName } from './patch-names.ts'

export interface HunkLine {
  kind: ' ' | '-' | '+'
  /** With its ending, if it has one. */
  text: string
}

export interface Hunk {
  /** The first old line, counted from 1; without old lines, the line before. */
  start: number
  lines: HunkLine[]
}

export interface FilePatch {
  kind: 'change' | 'create' | 'delete' | 'rename'
  path: string
  /** The old name of a renamed file. */
  from?: string
  executable?: boolean
  hunks: Hunk[]
}

/** One file's headers and hunks, before they are compared with each other. */
interface Section {
  /** Of the patch, counted from 1. */
  line: number
  git?: string
  old?: string | null
  fresh?: string | null
  from?: string
  to?: string
  mode?: string
  created?: true
  deleted?: true
  hunks: Hunk[]
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/
const MAX_TEXT = 80

export function parsePatch(patch: string): FilePatch[] {
  const lines = patch.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const sections: Section[] = []
  let isAfterHunk = false
  for (let i = 0; i < lines.length; ) {
    const line = headerAt(lines, i)
    const section = sections.at(-1)
    const isHeader = section !== undefined && section.old === undefined
    if (line.startsWith('diff --git ')) sections.push({ line: i + 1, git: line.slice(11), hunks: [] })
    else if (line.startsWith('--- ') && headerAt(lines, i + 1).startsWith('+++ ')) {
      const own = isHeader ? section : { line: i + 1, hunks: [] }
      if (own !== section) sections.push(own)
      readNames(own, { lines, at: i })
      i++
    } else if (line.startsWith('@@')) {
      if (section === undefined || isHeader) throw invalid(lines, i)
      const { hunk, end } = readHunk(lines, i)
      section.hunks.push(hunk)
      isAfterHunk = true
      i = end
      continue
    } else if (/^(?:GIT binary patch$|Binary files )/.test(line)) throw unsupported(lines, i)
    else if (isHeader) readExtended(section, lines, i)
    else if (isAfterHunk && /^[-+ \\]/.test(line) && line !== '-- ')
      throw new WritError('PATCH_INVALID.count', { line: i + 1 })
    // Text between patches, such as a commit message. Blank lines may also belong to a hunk that is too long.
    if (line !== '') isAfterHunk = false
    i++
  }
  if (sections.length === 0) throw new WritError('PATCH_INVALID.empty')
  return sections.map(filePatch)
}

function headerAt(lines: readonly string[], at: number): string {
  return (lines[at] ?? '').replace(/\r$/, '')
}

function readNames(section: Section, { lines, at }: { lines: readonly string[]; at: number }): void {
  const old = headerName(headerAt(lines, at).slice(4))
  const fresh = headerName(headerAt(lines, at + 1).slice(4))
  if (old === undefined || fresh === undefined) throw new WritError('PATCH_INVALID.name', { line: at + 1 })
  section.old = old
  section.fresh = fresh
}

/** The lines between `diff --git` and `---`. */
function readExtended(section: Section, lines: readonly string[], at: number): void {
  const line = headerAt(lines, at)
  const [, key = '', value = ''] =
    /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to) (.*)$/.exec(line) ??
    []
  if (key === '') {
    if (/^[-+ \\]/.test(line)) throw invalid(lines, at)
    return
  }
  if (key.startsWith('copy')) throw unsupported(lines, at)
  if (key.includes('mode')) {
    if (!/^100(?:644|755)$/.test(value)) throw unsupported(lines, at)
    if (key === 'new mode' || key === 'new file mode') section.mode = value
    if (key === 'new file mode') section.created = true
    if (key === 'deleted file mode') section.deleted = true
    return
  }
  const name = plainName(value)
  if (name === undefined) throw new WritError('PATCH_INVALID.name', { line: at + 1 })
  section[key === 'rename from' ? 'from' : 'to'] = name
}

function readHunk(lines: readonly string[], at: number): { hunk: Hunk; end: number } {
  const [, start, olds = '1', news = '1'] = HUNK.exec(headerAt(lines, at)) ?? []
  if (start === undefined) throw invalid(lines, at)
  const wrong = () => new WritError('PATCH_INVALID.count', { line: at + 1 })
  const hunk: Hunk = { start: Number(start), lines: [] }
  let old = Number(olds)
  let fresh = Number(news)
  let end = at + 1
  for (; old > 0 || fresh > 0 || lines[end]?.startsWith('\\') === true; end++) {
    const line = lines[end]
    const last = hunk.lines.at(-1)
    if (line?.startsWith('\\') && last?.text.endsWith('\n')) {
      last.text = last.text.slice(0, -1)
      continue
    }
    // Editors strip the space of an empty line.
    const kind = line === '' ? ' ' : line?.[0]
    if (line === undefined || (kind !== ' ' && kind !== '-' && kind !== '+')) throw wrong()
    if (kind !== '+') old--
    if (kind !== '-') fresh--
    if (old < 0 || fresh < 0) throw wrong()
    hunk.lines.push({ kind, text: `${line.slice(1)}\n` })
  }
  return { hunk, end }
}

/** Headers that name different files or contradict each other are refused. */
function filePatch(section: Section): FilePatch {
  const { line, from, to, mode, hunks, old, fresh } = section
  const ambiguous = () => new WritError('PATCH_INVALID.name', { line })
  const named = { hunks, ...(mode === undefined ? {} : { executable: mode === '100755' }) }
  const isCreated = section.created === true || old === null
  const isDeleted = section.deleted === true || fresh === null
  if (from !== undefined || to !== undefined) {
    if (from === undefined || to === undefined || from === to || isCreated || isDeleted) throw ambiguous()
    if (!isNameOf(old ?? from, from) || !isNameOf(fresh ?? to, to)) throw ambiguous()
    return { kind: 'rename', path: to, from, ...named }
  }
  const path = pathOf(section)
  if (path === undefined || (isCreated && isDeleted)) throw ambiguous()
  // `---` and `+++` that name a file where the other headers say there is none.
  if ((isCreated && typeof old === 'string') || (isDeleted && typeof fresh === 'string')) throw ambiguous()
  const kind = isCreated ? 'create' : isDeleted ? 'delete' : 'change'
  if (kind === 'change' && hunks.length === 0 && mode === undefined) throw ambiguous()
  return { kind, path, ...named }
}

function pathOf({ git, old, fresh }: Section): string | undefined {
  const written = [old, fresh].filter((name) => typeof name === 'string')
  if (git !== undefined) {
    const names = gitNames(git)
    const path = names === undefined ? undefined : commonName(...names)
    return path !== undefined && written.every((name) => isNameOf(name, path)) ? path : undefined
  }
  const [one, other] = written
  if (one !== undefined && other !== undefined) return commonName(one, other)
  // Of a single name, git's usual prefix is left out.
  return one?.replace(old === null ? /^b\// : /^a\//, '')
}

function invalid(lines: readonly string[], at: number): WritError<'PATCH_INVALID'> {
  return new WritError('PATCH_INVALID', { line: at + 1, text: headerAt(lines, at).slice(0, MAX_TEXT) })
}

function unsupported(lines: readonly string[], at: number): WritError<'PATCH_INVALID.unsupported'> {
  return new WritError('PATCH_INVALID.unsupported', { line: at + 1, text: headerAt(lines, at).slice(0, MAX_TEXT) })
}

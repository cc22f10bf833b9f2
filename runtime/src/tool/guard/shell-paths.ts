/** Which files a shell line names, and whether it would write them, judged by its words. */
import { isAbsolute, join, relative } from 'node:path'
import { percentDecoded } from '../../base/text.ts'
import { createdArchive } from './command-table-files.ts'
import { readsFileList } from './file-lists.ts'
import { gitPaths } from './git-args.ts'
import type { Arg, Invocation } from './invocation.ts'
import { hasOption, optionIn, partWords, type Spelling } from './options.ts'
import { CURL_VALUED, WGET_VALUED } from './options-with-value.ts'
import type { PathUse } from './paths.ts'
import type { ShellReading } from './shell-reading.ts'
import { canStart, isWrapper } from './wrappers.ts'

/** Devices that are not files. */
const HARMLESS = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/
export function isDevice(path: string): boolean {
  return HARMLESS.test(path)
}

const WRITES_ALL = new Set(
  'rm rmdir unlink shred truncate touch mkdir mkfifo mknod tee ln mv chmod chown chgrp setfacl patch ex ed'.split(' '),
)
const WRITES_LAST = new Set('cp install rsync scp'.split(' '))
/** Commands that affect everything below the paths they name. */
const WHOLE = new Set('rm mv chmod chown chgrp rmdir rsync find'.split(' '))
/** Commands whose first plain word is a program, a pattern or a mode, not a file. */
const SKIPS_FIRST = new Set('grep egrep fgrep rg sed awk gawk jq chmod chown chgrp setfacl'.split(' '))
const READS = new Set(
  'cat head tail less more grep egrep fgrep rg wc sort uniq cut diff cmp file stat ls tree du od xxd hexdump strings base64 base32 md5sum sha1sum sha256sum sha512sum awk gawk jq find cd pushd nl tac rev readlink realpath column paste join comm test [ zcat'.split(
    ' ',
  ),
)
/** Commands whose words are never files. */
const NO_FILES = new Set(
  'echo printf export declare typeset local readonly set unset true false : exit return break continue shift wait let read mapfile readarray getopts shopt type pwd umask ulimit basename dirname kill sleep tr seq expr'.split(
    ' ',
  ),
)
/** Options whose value is a pattern of names. */
const FILTER = /^--((in|ex)clude(-dir)?|i?glob|ignore|expression|regexp)=/
/** Options whose next word is a pattern, a number or a separator; letters before them take no value. */
const NO_FILE_NEXT: Record<string, RegExp> = {
  sed: /^(-[nErsuz]*[el]|--expression)$/,
  grep: /^(-[EFGPbchHiIlLnoqrRsTvwxyzZ]*[eABCmdD]|--(regexp|(after-|before-)?context|max-count|include|exclude|exclude-dir))$/,
  rg: /^(-[abcFHhiIlLNnopPqsSuUvVwxz.]*[eABCmgtTjEMr]|--(regexp|(after-|before-)?context|max-count|glob|iglob|type|type-not|replace))$/,
  awk: /^-[vF]$/,
  cut: /^(-[fs]*d|--delimiter)$/,
  sort: /^(-[bdfghinrsuVz]*t|--field-separator)$/,
  column: /^(-t*s|--separator)$/,
  paste: /^(-s?d|--delimiters)$/,
  // The path of an endpoint.
  gh: /^api$/,
  glab: /^api$/,
}
const SAME_OPTIONS: Record<string, string> = {
  egrep: 'grep',
  fgrep: 'grep',
  zgrep: 'grep',
  gsed: 'sed',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
}
/** They only tell whether a file exists. */
const METADATA = new Set(['[', 'test'])
/** Options whose value is a folder that is written to. */
const INTO: Record<string, Spelling> = {
  wget: { letters: 'P', valued: WGET_VALUED, long: 'directory-prefix' },
  curl: { valued: CURL_VALUED, long: 'output-dir' },
  tar: { letters: 'C', valued: 'bfgFHIKLNTVX', long: 'directory' },
  unzip: { letters: 'd', valued: 'xP' },
  cp: { letters: 't', valued: 'S', long: 'target-directory' },
  mv: { letters: 't', valued: 'S', long: 'target-directory' },
  install: { letters: 't', valued: 'Smog', long: 'target-directory' },
}
/** Options whose value is a file that is replaced. */
const OUTPUT: Record<string, Spelling> = {
  curl: {
    letters: 'oDc',
    valued: CURL_VALUED,
    long: 'output dump-header cookie-jar libcurl trace trace-ascii stderr etag-save hsts alt-svc',
    not: 'cookie',
  },
  wget: {
    letters: 'aoO',
    valued: WGET_VALUED,
    long: 'output-document output-file append-output save-cookies rejected-log warc-file warc-tempdir hsts-file',
  },
  sort: { letters: 'o', valued: 'kStT', long: 'output' },
  shuf: { letters: 'o', valued: 'in', long: 'output' },
  sdiff: { letters: 'o', valued: 'wI', long: 'output' },
  tree: { letters: 'o', valued: 'LPIHT' },
  xmllint: { long: 'output', letters: 'o' },
  time: { letters: 'o', valued: 'f', long: 'output' },
  psql: { letters: 'oL', valued: 'cdfhpUvFPRT', long: 'output log-file' },
  ...Object.fromEntries(
    ['pg_dump', 'pg_dumpall'].map((name) => [name, { letters: 'f', valued: 'FjZEnNStTdhlpU', long: 'file' }]),
  ),
}
/** Programs whose words, from this one on, are files that are replaced, and the options that take a value. */
const REPLACES_FROM: Record<string, { from: number; takes: Spelling; adds?: Spelling }> = {
  tee: { from: 0, takes: {}, adds: { long: 'append', letters: 'a' } },
  uniq: { from: 1, takes: { long: 'skip-fields skip-chars check-chars', letters: 'fsw' } },
  xxd: { from: 1, takes: { letters: 'lscogn' } },
}

/** In place of the command's name. */
export const REDIRECTION = 'a redirection'

export interface Touches {
  paths: PathUse[]
  /** Commands whose files are only known when they run. */
  unknown: string[]
}

export function isRedirection(base: string): boolean {
  return base === REDIRECTION
}

export function shellPaths(reading: ShellReading, cwd: string): Touches {
  const paths: PathUse[] = []
  const unknown: string[] = []
  const add = (word: FileWord, dirs: readonly string[]): void => {
    const { arg, by, access } = word
    const path = arg.glob ? beforeWildcard(arg.text) : arg.text
    const isLeft = !arg.known && METADATA.has(by)
    if (!arg.known || path === undefined) unknown.push(...(isLeft ? [] : [by]))
    else if (path !== '' && !HARMLESS.test(path)) {
      const marks = {
        ...(access === 'write' && WHOLE.has(by) ? { whole: true } : {}),
        ...(word.unsure === true ? { unsure: true } : {}),
      }
      // Another user's home folder is outside the workspace.
      if (/^~[^/]/.test(path)) paths.push({ path, access, from: '/', ...marks })
      else
        for (const dir of isRooted(path) ? ['.'] : dirs) {
          paths.push({ path, access, from: isRooted(dir) ? dir : join(cwd, dir), ...marks })
        }
    }
  }
  for (const { target, access, dirs } of reading.redirects) add({ arg: target, access, by: REDIRECTION }, dirs)
  for (const invocation of reading.invocations) {
    const { base, dirs, args } = invocation
    if (base === 'git') paths.push(...gitUses(invocation, cwd))
    else for (const word of fileWords(invocation)) if (word.guessed !== true) add(word, dirs)
    for (const arg of localAddresses(invocation)) add({ arg, access: 'read', by: base, unsure: true }, dirs)
    if (hasUnknownWords(invocation, reading) || readsFileList(base, textsOf(args))) unknown.push(base)
    if (args.some((arg) => arg.splits) && [cwd, ...dirs].some((dir) => /[\s*?[\\]/.test(dir))) unknown.push(base)
  }
  return {
    paths: [...new Map(paths.map((use) => [JSON.stringify(use), use])).values()],
    unknown: [...new Set(unknown)],
  }
}

function textsOf(args: readonly Arg[]): string[] {
  return args.map(({ text }) => text)
}

/** Unknown words could be any option and any file, unless the program only prints them. */
function hasUnknownWords(invocation: Invocation, reading: ShellReading): boolean {
  const { base, name, args } = invocation
  if (NO_FILES.has(base) || METADATA.has(base) || isWrapper(invocation) || reading.functions.includes(name))
    return false
  const isMessage = (at: number): boolean =>
    base === 'git' && args[at]?.single === true && /^(-[a-z]*m|--message)$/.test(args[at - 1]?.text ?? '')
  const dashes = args.findIndex((arg) => arg.text === '--')
  // A file named `-x`, created by this line, becomes an option where a wildcard matches it.
  const isOption = (arg: Arg, at: number): boolean => arg.glob && /^[*?[]/.test(arg.text) && (dashes < 0 || at < dashes)
  const makesFiles =
    reading.redirects.some(({ access }) => access === 'write') ||
    reading.invocations.some((other) => other !== invocation && !isReader(other))
  return args.some((arg, at) =>
    arg.known ? canStart(base) && makesFiles && isOption(arg, at) : !reading.isPlain(arg) && !isMessage(at),
  )
}

/** Files written as file: addresses. */
function localAddresses({ base, args }: Invocation): Arg[] {
  if (NO_FILES.has(base)) return []
  return args.flatMap((arg) => {
    const path = /(?:^|[=:@,])file:(?:\/\/[^/]*)?(\/.*)$/is.exec(arg.text)?.[1]
    return path === undefined ? [] : [{ ...arg, text: percentDecoded(path) }]
  })
}

function gitUses({ args, dirs }: Invocation, cwd: string): PathUse[] {
  const known = args.filter((arg) => arg.known).map((arg) => arg.text)
  return dirs.flatMap((dir) => gitPaths(known, isRooted(dir) ? dir : join(cwd, dir)))
}

/** Only the part before the first wildcard is certain; a `..` after it can lead anywhere. */
function beforeWildcard(text: string): string | undefined {
  const sure = text.replace(/[^/]*[*?[].*$/s, '')
  return text.slice(sure.length).includes('..') ? undefined : sure || '.'
}

function isRooted(path: string): boolean {
  return isAbsolute(path) || path === '~' || path.startsWith('~/')
}

export interface FileWord {
  arg: Arg
  access: 'read' | 'write'
  by: string
  unsure?: boolean
  /** True for a plain word of an unknown program: it may be a file name or anything else. */
  guessed?: boolean
  /** True when the content of the file is replaced. */
  replaces?: boolean
}

/** Words that are only printed or set, whatever files they would match. */
export function isPrinted({ base }: Invocation): boolean {
  return NO_FILES.has(base)
}

/** True for a program that does not run code given as an argument. */
export function isReader({ base }: Invocation): boolean {
  return READS.has(base) || NO_FILES.has(base)
}

export function fileWords({ base: by, args }: Invocation): FileWord[] {
  if (by === 'dd') return args.flatMap((arg) => ddWord(arg))
  if (NO_FILES.has(by)) return args.filter((arg) => arg.glob).map((arg) => ({ arg, access: 'read', by }))
  const found: FileWord[] = []
  const words: Arg[] = []
  args.forEach((arg, i) => {
    if (isPattern(arg, args[i - 1], by)) return
    const option = /^--?[\w-]+=/.exec(arg.text)?.[0]
    const output = writtenByOption(arg, args[i - 1], by)
    if (output !== undefined) found.push(output)
    else if (by === 'curl' && /(^|=)@/.test(arg.text))
      found.push({ arg: { ...arg, text: arg.text.replace(/^.*?@/s, '') }, access: 'read', by })
    else if (option !== undefined) words.push({ ...arg, text: arg.text.slice(option.length) })
    else if (!arg.text.startsWith('-')) words.push(arg)
  })
  // With `-e` or `-f` the pattern is given there, so every word is a file.
  const isGiven = args.some((arg) => /^-[a-zA-Z]*[ef]|^--(reg|file|exp|from-f)/.test(arg.text))
  const files = SKIPS_FIRST.has(by) && !isGiven ? words.slice(1) : words
  const deletes = by === 'find' && args.some((arg) => /^-(delete|fprint|fls)/.test(arg.text))
  const inPlace = (by === 'sed' || by === 'perl') && args.some((arg) => /^(-\w*i|--in-place)/.test(arg.text))
  const replaced = replacedWords(by, args)
  const packed = /^(tar|bsdtar|gtar)$/.test(by)
    ? createdArchive(textsOf(args))
    : by === 'zip'
      ? words[0]?.text
      : undefined
  files.forEach((arg, i) => {
    const isLast = i === files.length - 1
    if (arg.text === packed) found.push({ arg, access: 'write', by })
    else if (replaced.has(arg.text)) found.push({ arg, access: 'write', by, replaces: true })
    else if (WRITES_ALL.has(by) || inPlace || deletes || (WRITES_LAST.has(by) && isLast))
      found.push({ arg, access: 'write', by })
    else if (WRITES_LAST.has(by) || READS.has(by) || by === 'sed') found.push({ arg, access: 'read', by })
    else if (arg.known) {
      const guessed = !isPathLike(arg.text)
      found.push({ arg, access: 'read', by, unsure: true, ...(guessed ? { guessed } : {}) })
    }
  })
  return found
}

/** The file or folder that an option writes: attached to it, or the word after it. */
function writtenByOption(arg: Arg, before: Arg | undefined, by: string): FileWord | undefined {
  for (const [spellings, mark] of [
    [OUTPUT, { replaces: true }],
    [INTO, {}],
  ] as const) {
    const spelling = spellings[by] ?? {}
    const attached = optionIn(arg.text, spelling)
    const text = optionIn(before?.text ?? '', spelling) === '' ? arg.text : attached
    if (text !== undefined && text !== '' && text !== '-')
      return { arg: { ...arg, text }, access: 'write', by, ...mark }
  }
  return undefined
}

/** The words of tee, and the second ones of uniq and xxd. */
function replacedWords(by: string, args: readonly Arg[]): Set<string> {
  const rule = REPLACES_FROM[by]
  const texts = textsOf(args)
  if (rule === undefined || (rule.adds !== undefined && hasOption(texts, rule.adds))) return new Set()
  return new Set(partWords(texts, rule.takes).words.slice(rule.from))
}

/** Names to leave out or to look for, and the script of sed or the pattern of grep. */
function isPattern({ text }: Arg, before: Arg | undefined, by: string): boolean {
  return FILTER.test(text) || NO_FILE_NEXT[SAME_OPTIONS[by] ?? by]?.test(before?.text ?? '') === true
}

function ddWord(arg: Arg): FileWord[] {
  const word = { arg: { ...arg, text: arg.text.slice(3) }, by: 'dd' }
  if (arg.text.startsWith('of=')) return [{ ...word, access: 'write' }]
  return arg.text.startsWith('if=') ? [{ ...word, access: 'read' }] : []
}

/** Text attached to short options, as in `-f/etc/passwd`, or after an `@`: a file if it exists. */
export function attached(arg: Arg): Arg[] {
  const { text } = arg
  if (FILTER.test(text)) return []
  const letters = /^-([a-zA-Z0-9]{1,12})/.exec(text)?.[1] ?? ''
  const tails = [...letters].map((_, i) => text.slice(i + 2))
  const named = /^[^@<]*[@<](.+)$/s.exec(text)?.[1]
  const values = /^[\w.-]+=(.+)$/s.exec(text)?.[1]
  return [...tails, named ?? '', values ?? '']
    .map((tail) => tail.replace(/^[@<=]/, ''))
    .filter((tail) => tail !== '' && tail !== '/' && tail !== '.')
    .map((tail) => ({ ...arg, text: tail }))
}

function isPathLike(text: string): boolean {
  return /^(\/|~|\.\.?(\/|$))/.test(text) || text.includes('/../') || /(^|\/)\.git\//.test(text)
}

/** Protected files mentioned in code for an interpreter: what it does with them is unknown. */
export function mentions(reading: ShellReading, guarded: readonly string[], workspace: string): PathUse[] {
  const texts = reading.invocations
    .filter((invocation) => !isReader(invocation))
    .flatMap(({ args, input }) => [...args.map((arg) => arg.text), input ?? ''])
  return guarded
    .filter((path) => {
      const name = relative(workspace, path)
      const spellings = name.startsWith('..') || !/[./]/.test(name) ? [path] : [path, name]
      // `.write(` is not a mention of `.writ`.
      const spoken = new RegExp(`(?:${spellings.map(RegExp.escape).join('|')})(?!\\w)`)
      return texts.some((text) => spoken.test(text))
    })
    .map((path) => ({ path, access: 'write' }))
}

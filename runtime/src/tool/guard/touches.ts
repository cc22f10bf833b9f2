/** Which files a shell line names, and whether it would write them, as far as its words tell. */
import { isAbsolute, join, relative } from 'node:path'
import type { HostFact } from '../../protocol/facts.ts'
import type { ShellReading } from './commands.ts'
import { destinations, isNetworkGit } from './git-addresses.ts'
import { gitPaths, splitGit } from './git-args.ts'
import { classifyAddress, concernsGate, describeHost } from './hosts.ts'
import type { Arg, Invocation } from './invocation.ts'
import { optionIn, type Spelling } from './options.ts'
import type { PathUse } from './paths.ts'
import { CURL_VALUED, literalStart, requestOf, WGET_VALUED } from './web-clients.ts'

/** Streams and sources that are no files of anyone's. */
const HARMLESS = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/
const WRITES_ALL = new Set(
  'rm rmdir unlink shred truncate touch mkdir mkfifo mknod tee ln mv chmod chown chgrp setfacl patch ex ed'.split(' '),
)
const WRITES_LAST = new Set('cp install rsync scp'.split(' '))
/** Commands that reach everything below what they name. */
const WHOLE = new Set('rm mv chmod chown chgrp rmdir rsync find'.split(' '))
/** Commands whose first plain word is a program, pattern or mode and not a file. */
const SKIPS_FIRST = new Set('grep egrep fgrep rg sed awk gawk jq chmod chown chgrp setfacl'.split(' '))
const READS = new Set(
  'cat head tail less more grep egrep fgrep rg wc sort uniq cut diff cmp file stat ls tree du od xxd hexdump strings base64 base32 md5sum sha1sum sha256sum sha512sum awk gawk jq find cd pushd nl tac rev readlink realpath column paste join comm test [ zcat'.split(
    ' ',
  ),
)
/** Commands whose words are just words. */
const NO_FILES = new Set(
  'echo printf export declare local set unset true false : exit return read basename dirname kill sleep'.split(' '),
)
/** Options whose value is a file or folder that is written. */
const OUTPUT: Record<string, Spelling> = {
  curl: {
    letters: 'oDc',
    valued: CURL_VALUED,
    long: 'output dump-header cookie-jar output-dir',
    not: 'cookie',
  },
  wget: {
    letters: 'aoOP',
    valued: WGET_VALUED,
    long: 'output-document output-file append-output directory-prefix',
  },
  tar: { letters: 'C', valued: 'bfgFHIKLNTVX', long: 'directory' },
  unzip: { letters: 'd', valued: 'xP' },
  sort: { letters: 'o', valued: 'kStT', long: 'output' },
  cp: { letters: 't', valued: 'S', long: 'target-directory' },
  mv: { letters: 't', valued: 'S', long: 'target-directory' },
}
const SCHEME = /^[a-z][a-z+.-]*:\/\//i

export interface Touches {
  paths: PathUse[]
  /** Commands whose files show only when they run. */
  unknown: string[]
}

export function shellPaths(reading: ShellReading, cwd: string): Touches {
  const paths: PathUse[] = []
  const unknown: string[] = []
  const add = (word: FileWord, dirs: readonly string[]): void => {
    const { arg, by, access } = word
    const path = arg.glob ? beforeWildcard(arg.text) : arg.text
    if (!arg.known || path === undefined) unknown.push(by)
    else if (path !== '' && !HARMLESS.test(path)) {
      const marks = {
        ...(access === 'write' && WHOLE.has(by) ? { whole: true } : {}),
        ...(word.unsure === true ? { unsure: true } : {}),
      }
      for (const dir of startsAnew(path) ? ['.'] : dirs) {
        paths.push({ path, access, from: startsAnew(dir) ? dir : join(cwd, dir), ...marks })
      }
    }
  }
  for (const { target, access, dirs } of reading.redirects) add({ arg: target, access, by: 'a redirection' }, dirs)
  for (const invocation of reading.invocations) {
    if (invocation.base === 'git') paths.push(...gitUses(invocation, cwd))
    else for (const word of fileWords(invocation)) if (word.guessed !== true) add(word, invocation.dirs)
  }
  return {
    paths: [...new Map(paths.map((use) => [JSON.stringify(use), use])).values()],
    unknown: [...new Set(unknown)],
  }
}

function gitUses({ args, dirs }: Invocation, cwd: string): PathUse[] {
  const known = args.filter((arg) => arg.known).map((arg) => arg.text)
  return dirs.flatMap((dir) => gitPaths(known, startsAnew(dir) ? dir : join(cwd, dir)))
}

/** Of `src/*.ts` the part before the first wildcard is all that is sure; a climb after it can lead anywhere. */
function beforeWildcard(text: string): string | undefined {
  const sure = text.replace(/[^/]*[*?[].*$/s, '')
  return text.slice(sure.length).includes('..') ? undefined : sure || '.'
}

function startsAnew(path: string): boolean {
  return isAbsolute(path) || path === '~' || path.startsWith('~/')
}

export interface FileWord {
  arg: Arg
  access: 'read' | 'write'
  by: string
  unsure?: boolean
  /** True of a plain word of a program nobody knows here: a file's name, or anything else. */
  guessed?: boolean
}

/** Words that only get printed or set, whatever files they would match. */
export function isPrinted({ base }: Invocation): boolean {
  return NO_FILES.has(base)
}

/** True for a program whose words are known for files or not, so that code handed to it is none. */
export function isReader({ base }: Invocation): boolean {
  return READS.has(base) || NO_FILES.has(base)
}

export function fileWords({ base: by, args }: Invocation): FileWord[] {
  if (by === 'dd') return args.flatMap((arg) => ddWord(arg))
  if (NO_FILES.has(by)) return args.filter((arg) => arg.glob).map((arg) => ({ arg, access: 'read', by }))
  const found: FileWord[] = []
  const words: Arg[] = []
  args.forEach((arg, i) => {
    const option = /^--?[\w-]+=/.exec(arg.text)?.[0]
    const written = optionIn(arg.text, OUTPUT[by] ?? {})
    if (optionIn(args[i - 1]?.text ?? '', OUTPUT[by] ?? {}) === '') found.push({ arg, access: 'write', by })
    else if (written && written !== '-') found.push({ arg: { ...arg, text: written }, access: 'write', by })
    else if (by === 'curl' && /(^|=)@/.test(arg.text))
      found.push({ arg: { ...arg, text: arg.text.replace(/^.*?@/s, '') }, access: 'read', by })
    else if (option !== undefined) words.push({ ...arg, text: arg.text.slice(option.length) })
    else if (!arg.text.startsWith('-')) words.push(arg)
  })
  const files = SKIPS_FIRST.has(by) ? words.slice(1) : words
  const deletes = by === 'find' && args.some((arg) => /^-(delete|fprint|fls)/.test(arg.text))
  const inPlace = (by === 'sed' || by === 'perl') && args.some((arg) => /^(-\w*i|--in-place)/.test(arg.text))
  files.forEach((arg, i) => {
    const isLast = i === files.length - 1
    if (WRITES_ALL.has(by) || inPlace || deletes || (WRITES_LAST.has(by) && isLast))
      found.push({ arg, access: 'write', by })
    else if (WRITES_LAST.has(by) || READS.has(by) || by === 'sed') found.push({ arg, access: 'read', by })
    else if (arg.known) {
      const guessed = !isPathLike(arg.text)
      found.push({ arg, access: 'read', by, unsure: true, ...(guessed ? { guessed } : {}) })
    }
  })
  return found
}

function ddWord(arg: Arg): FileWord[] {
  const word = { arg: { ...arg, text: arg.text.slice(3) }, by: 'dd' }
  if (arg.text.startsWith('of=')) return [{ ...word, access: 'write' }]
  return arg.text.startsWith('if=') ? [{ ...word, access: 'read' }] : []
}

function isPathLike(text: string): boolean {
  return /^(\/|~|\.\.?(\/|$))/.test(text) || text.includes('/../') || /(^|\/)\.git\//.test(text)
}

/** Guarded files that code handed to an interpreter speaks of: what it does with them cannot be told. */
export function mentions(reading: ShellReading, guarded: readonly string[], workspace: string): PathUse[] {
  const texts = reading.invocations
    .filter((invocation) => !isReader(invocation))
    .flatMap(({ args, input }) => [...args.map((arg) => arg.text), input ?? ''])
  return guarded
    .filter((path) => {
      const name = relative(workspace, path)
      const spellings = name.startsWith('..') || !/[./]/.test(name) ? [path] : [path, name]
      // Not `.write(`, which speaks of no `.writ`.
      const spoken = new RegExp(`(?:${spellings.map(RegExp.escape).join('|')})(?!\\w)`)
      return texts.some((text) => spoken.test(text))
    })
    .map((path) => ({ path, access: 'write' }))
}

/** Addresses a web client in the line would call; one without a scheme anywhere else counts when it is a literal. */
export function shellHosts(reading: ShellReading): HostFact[] {
  const facts = reading.invocations.flatMap((invocation) => {
    const request = requestOf(invocation)
    if (request === undefined) return []
    const { method, addresses } = request
    const others = invocation.args.map(literalStart).filter((text) => SCHEME.test(text) || isLiteral(text))
    return [...addresses, ...others].map((text) => describeHost(SCHEME.test(text) ? text : `http://${text}`, method))
  })
  const judged = [...facts, ...reading.invocations.flatMap(gitHosts)].filter(
    (fact) => concernsGate(fact) || fact.scheme.endsWith('::'),
  )
  return [...new Map(judged.map((fact) => [`${fact.method} ${fact.url}`, fact])).values()]
}

/** Addresses in every form git takes, `host:path` and `https::https://host/` among them. */
function gitHosts({ base, args }: Invocation): HostFact[] {
  if (base !== 'git') return []
  const command = splitGit(args.filter((arg) => arg.known).map((arg) => arg.text))
  return isNetworkGit(command) ? destinations(command, undefined).hosts : []
}

/** True of `127.0.0.1:80` and `localhost/x`. */
function isLiteral(text: string): boolean {
  const host = /^(\[[^\]]+\]|[^/:?#@]+)(:\d+)?([/?#]|$)/.exec(text)?.[1] ?? ''
  return classifyAddress(host) !== undefined && /[.:x]|localhost/i.test(host)
}

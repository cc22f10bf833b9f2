/** Which files a shell line names, and whether it would write them, as far as its words tell. */
import { isAbsolute, join, relative } from 'node:path'
import type { HostFact, TargetFact } from '../../protocol/facts.ts'
import { toldBy } from './client-options.ts'
import { readsFileList } from './file-lists.ts'
import { destinations, isNetworkGit } from './git-addresses.ts'
import { gitPaths, splitGit } from './git-args.ts'
import { classifyAddress, concernsGate, describeHost } from './hosts.ts'
import type { Arg, Invocation } from './invocation.ts'
import { literalStart } from './literals.ts'
import { optionIn, type Spelling } from './options.ts'
import type { PathUse } from './paths.ts'
import { callsUnknownMachine, remotesOf, socketsOf, withoutHelper } from './remotes.ts'
import type { ShellReading } from './shell-reading.ts'
import { CURL_VALUED, WGET_VALUED } from './valued.ts'
import { callsUnknownAddress, requestOf } from './web-clients.ts'
import { canStart, isWrapper } from './wrappers.ts'

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
  'echo printf export declare typeset local readonly set unset true false : exit return break continue shift wait let read mapfile readarray getopts shopt type pwd umask ulimit basename dirname kill sleep'.split(
    ' ',
  ),
)
/** They tell only whether a file is there. */
const METADATA = new Set(['[', 'test'])
/** Options whose value is a file or folder that is written. */
const OUTPUT: Record<string, Spelling> = {
  curl: {
    letters: 'oDc',
    valued: CURL_VALUED,
    long: 'output dump-header cookie-jar output-dir libcurl trace trace-ascii stderr etag-save hsts alt-svc',
    not: 'cookie',
  },
  wget: {
    letters: 'aoOP',
    valued: WGET_VALUED,
    long: 'output-document output-file append-output directory-prefix save-cookies rejected-log warc-file warc-tempdir hsts-file',
  },
  tar: { letters: 'C', valued: 'bfgFHIKLNTVX', long: 'directory' },
  unzip: { letters: 'd', valued: 'xP' },
  sort: { letters: 'o', valued: 'kStT', long: 'output' },
  cp: { letters: 't', valued: 'S', long: 'target-directory' },
  mv: { letters: 't', valued: 'S', long: 'target-directory' },
}
const SCHEME = /^[a-z][a-z\d+.-]*:\//i
/** To clients as good as two. */
const ONE_SLASH = /^(?!file:|unix:)([a-z][a-z\d+.-]*):\/(?!\/)/i
/** Clients part a host from the rest of an address in other ways than `new URL` where one of these stands in it. */
const ODD_HOST = /^(?:[a-z][a-z\d+.-]*:\/+)?[^/?#]*[\\{}]/i

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
    const isLeft = !arg.known && METADATA.has(by)
    if (!arg.known || path === undefined) unknown.push(...(isLeft ? [] : [by]))
    else if (path !== '' && !HARMLESS.test(path)) {
      const marks = {
        ...(access === 'write' && WHOLE.has(by) ? { whole: true } : {}),
        ...(word.unsure === true ? { unsure: true } : {}),
      }
      // The home of another user is nowhere in the workspace.
      if (/^~[^/]/.test(path)) paths.push({ path, access, from: '/', ...marks })
      else
        for (const dir of startsAnew(path) ? ['.'] : dirs) {
          paths.push({ path, access, from: startsAnew(dir) ? dir : join(cwd, dir), ...marks })
        }
    }
  }
  for (const { target, access, dirs } of reading.redirects) add({ arg: target, access, by: 'a redirection' }, dirs)
  for (const invocation of reading.invocations) {
    const { base, dirs, args } = invocation
    if (base === 'git') paths.push(...gitUses(invocation, cwd))
    else for (const word of fileWords(invocation)) if (word.guessed !== true) add(word, dirs)
    for (const arg of localAddresses(invocation)) add({ arg, access: 'read', by: base, unsure: true }, dirs)
    if (isVague(invocation, reading) || readsFileList(base, textsOf(args))) unknown.push(base)
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

/** Words that show only when the line runs could be any option and any file, unless the program just prints them. */
function isVague(invocation: Invocation, reading: ShellReading): boolean {
  const { base, name, args } = invocation
  if (NO_FILES.has(base) || METADATA.has(base) || isWrapper(invocation) || reading.functions.includes(name))
    return false
  const isMessage = (at: number): boolean =>
    base === 'git' && args[at]?.single === true && /^(-[a-z]*m|--message)$/.test(args[at - 1]?.text ?? '')
  const dashes = args.findIndex((arg) => arg.text === '--')
  // A file called `-x`, made by this line, would be an option where a wildcard matches it.
  const isOption = (arg: Arg, at: number): boolean => arg.glob && /^[*?[]/.test(arg.text) && (dashes < 0 || at < dashes)
  const makesFiles =
    reading.redirects.some(({ access }) => access === 'write') ||
    reading.invocations.some((other) => other !== invocation && !isReader(other))
  return args.some((arg, at) =>
    arg.known ? canStart(base) && makesFiles && isOption(arg, at) : !reading.isPlain(arg) && !isMessage(at),
  )
}

/** Files that are written as addresses. */
function localAddresses({ base, args }: Invocation): Arg[] {
  if (NO_FILES.has(base)) return []
  return args.flatMap((arg) => {
    const path = /(?:^|[=:@,])file:(?:\/\/[^/]*)?(\/.*)$/is.exec(arg.text)?.[1]
    return path === undefined ? [] : [{ ...arg, text: decoded(path) }]
  })
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
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
  // With `-e` or `-f` the pattern or program is given: every word is a file then.
  const isGiven = args.some((arg) => /^-[a-zA-Z]*[ef]|^--(reg|file|exp|from-f)/.test(arg.text))
  const files = SKIPS_FIRST.has(by) && !isGiven ? words.slice(1) : words
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

/** What may hang on short options, as in `-f/etc/passwd`, or stand behind an `@`: a file if there is one. */
export function attached(arg: Arg): Arg[] {
  const { text } = arg
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
function webFacts(reading: ShellReading): HostFact[] {
  return reading.invocations.flatMap((invocation) => {
    const request = requestOf(invocation)
    if (request === undefined) return []
    const { method, addresses } = request
    const words = invocation.args.map(literalStart)
    const written = invocation.base === 'git' ? words.map(withoutHelper) : words
    const others = written.filter((text) => SCHEME.test(text) || isLiteral(text))
    return [...addresses, ...others].map((text) => describeCalled(text, method))
  })
}

function describeCalled(text: string, method: string): HostFact {
  const fact = describeHost(SCHEME.test(text) ? text.replace(ONE_SLASH, '$1://') : `http://${text}`, method)
  return ODD_HOST.test(text) ? { ...fact, host: '', address: 'reserved' } : fact
}

/** Addresses that concern the gate. */
export function shellHosts(reading: ShellReading): HostFact[] {
  const facts = webFacts(reading)
  for (const { scheme, host, port } of remotesOf(reading)) {
    const place = host.includes(':') ? `[${host}]` : host
    facts.push(describeHost(`${scheme}://${place}${port === 0 ? '' : `:${port}`}`, 'CONNECT'))
  }
  for (const socket of socketsOf(reading)) facts.push(describeHost(socket, 'CONNECT'))
  const judged = [...facts, ...reading.invocations.flatMap(gitHosts)].filter(
    (fact) => concernsGate(fact) || fact.scheme.endsWith('::'),
  )
  return [...new Map(judged.map((fact) => [`${fact.method} ${fact.url}`, fact])).values()]
}

/** Every machine the line names, whatever it is called by. */
export function shellTargets(reading: ShellReading): TargetFact[] {
  const urls = [...shellHosts(reading), ...webFacts(reading)].map(({ url }) => url)
  const hosts = remotesOf(reading).map(({ host }) => host)
  return [
    ...[...new Set(urls)].map((value) => ({ kind: 'url' as const, value })),
    ...[...new Set(hosts)].map((value) => ({ kind: 'host' as const, value })),
  ]
}

/** Options that leave open which machine is called, and addresses that do. */
export function callDoubts(reading: ShellReading): string[] {
  return reading.invocations.flatMap((invocation) => {
    const { base } = invocation
    const told = toldBy(invocation).unclear.map((option) => `what ${base} is told by ${option} shows only when it runs`)
    if (base === 'curl') told.push(...curlLists(invocation))
    const isOpen = callsUnknownAddress(invocation) || callsUnknownMachine(invocation)
    return isOpen ? [...told, `which machine ${base} calls shows only when it runs`] : told
  })
}

/** Curl reads patterns and lists of its own: `-T '{a,b}'`, `-F 'x=@a,b;headers=@c'`. */
function curlLists({ args }: Invocation): string[] {
  return args.flatMap(({ text }, i) => {
    const before = args[i - 1]?.text ?? ''
    const isUpload = /^(-[a-zA-Z]*T|--upload-file)$/.test(before) || /^(-[a-zA-Z]*T.|--upload-file=)/s.test(text)
    const isForm = /^(-[a-zA-Z]*F|--form)$/.test(before) || /^(-[a-zA-Z]*F.|--form=)/s.test(text)
    const parts = text.replace(/;(type|filename)=[^;,"]*/g, '')
    const isList = (isUpload && /[{}[\]]/.test(text)) || (isForm && /[@<]/.test(text) && /[,;"]/.test(parts))
    return isList ? ['which files curl sends shows only when it runs'] : []
  })
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

/** Where a git command would connect: all forms of addresses, named remotes, and settings that rewrite them. */
import { lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { percentDecoded } from '../../base/text.ts'
import { why } from '../../i18n/why.ts'
import type { HostFact } from '../../protocol/facts.ts'
import type { Why } from '../../protocol/why.ts'
import type { GitCommand } from './git-args.ts'
import { lastOf, parseSettings, readSmall, type Setting, valuesOf } from './git-config.ts'
import { currentBranch, type Repository } from './git-repository.ts'
import { GIT_TABLE } from './git-table.ts'
import { describeHost } from './hosts.ts'
import { hasOption, optionIn, partWords, type Spelling } from './options.ts'

export type Address =
  | { kind: 'web'; url: string }
  | { kind: 'ssh'; host: string; port: number }
  | { kind: 'local'; path: string }
  /** A protocol that the proxy does not handle: `git://`, `ftp://`, and helpers such as `ext::`. */
  | { kind: 'other'; scheme: string; rest: string }

/** Parses an address the way git does. */
export function parseAddress(text: string): Address {
  const helper = /^([a-z0-9][\w+.-]*)::(.*)$/is.exec(text)
  if (helper !== null) return { kind: 'other', scheme: `${helper[1]}::`, rest: helper[2] ?? '' }
  const scheme = /^([a-z][\w+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme === 'http' || scheme === 'https') return { kind: 'web', url: text }
  if (scheme === 'file') return { kind: 'local', path: filePath(text) }
  if (scheme === 'ssh' || scheme === 'git+ssh' || scheme === 'ssh+git') return sshUrl(text)
  if (scheme !== undefined) return { kind: 'other', scheme, rest: text }
  return scpLike(text) ?? { kind: 'local', path: text }
}

function filePath(text: string): string {
  try {
    return fileURLToPath(text)
  } catch {
    // With a host or an invalid escape: however git reads it, the path is outside the workspace.
    return `/${text.replace(/^file:\/+/i, '')}`
  }
}

function sshUrl(text: string): Address {
  const url = text.replace(/^[^:]+/, 'ssh')
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || parsed.hostname === '') return { kind: 'other', scheme: 'ssh', rest: text }
  return {
    kind: 'ssh',
    host: bareHost(percentDecoded(parsed.hostname)),
    port: parsed.port === '' ? 22 : Number(parsed.port),
  }
}

/** `host:path`, `user@host:path`, `user@[::1]:path` and `[host:22]:path`; a slash before the colon makes it a path. */
function scpLike(text: string): Address | undefined {
  const bracketed = /^(?:[^@/[]*@)?\[([^\]]+)\]:/.exec(text)?.[1]
  if (bracketed !== undefined) {
    const [, host, port] = /^([^:]+):(\d+)$/.exec(bracketed) ?? []
    return { kind: 'ssh', host: bareHost(host ?? bracketed), port: port === undefined ? 22 : Number(port) }
  }
  const host = /^(?:[^:/]*@)?([^:/@]+):/.exec(text)?.[1]
  return host === undefined ? undefined : { kind: 'ssh', host: bareHost(host), port: 22 }
}

function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '')
}

export interface Destinations {
  hosts: HostFact[]
  /** Those of the addresses that come from settings or the repository, not from the command. */
  setUp: string[]
  /** Local repositories; a push writes them. */
  paths: { path: string; access: 'read' | 'write' }[]
  /** Why it is unknown where the command would connect. */
  unknown: Why[]
}

/** For commands that name a remote first: options whose value is the next word. */
const VALUED: Record<string, Spelling> = {
  clone: {
    letters: 'bocuj',
    long: 'branch origin config upload-pack jobs depth reference reference-if-able filter template separate-git-dir shallow-since shallow-exclude server-option bundle-uri ref-format revision',
    not: 'recursive reject-shallow',
  },
  fetch: {
    letters: 'oj',
    long: 'depth deepen shallow-since shallow-exclude upload-pack jobs refmap server-option filter negotiation-tip',
    not: 'refetch',
  },
  'ls-remote': { letters: 'o', long: 'upload-pack exec sort server-option', not: 'symref' },
  pull: {
    letters: 'sXoj',
    long: 'strategy strategy-option depth deepen shallow-since shallow-exclude upload-pack jobs refmap server-option filter negotiation-tip cleanup',
    not: 'stat',
  },
  push: { letters: 'o', long: 'repo receive-pack exec push-option' },
  submodule: { letters: 'bj', long: 'branch name reference depth jobs filter' },
  remote: { letters: 'tm' },
  archive: { letters: 'o', long: 'remote exec format output prefix add-file' },
  subtree: { letters: 'Pm', long: 'prefix message annotate branch onto' },
}

/** Options and words of a command that names a remote first. */
export function networkWords({ subcommand, rest }: GitCommand): { options: string[]; words: string[] } {
  return partWords(rest, VALUED[subcommand] ?? {})
}

export function isNetworkGit({ subcommand, rest }: GitCommand): boolean {
  const network = GIT_TABLE.get(subcommand)?.network
  if (subcommand === 'archive') return hasOption(rest, { long: 'remote', not: 'reflog' })
  if (network === undefined || network === true) return network === true
  const { words } = partWords(rest, VALUED[subcommand] ?? {})
  if (subcommand === 'remote' && words[0] === 'add')
    return hasOption(rest, { long: 'fetch', letters: 'f', valued: 'tm' })
  return network.includes(words[0] ?? '')
}

export function destinations(command: GitCommand, repository: Repository | undefined): Destinations {
  const { subcommand, rest } = command
  const isPush = subcommand === 'push' || (subcommand === 'subtree' && rest.includes('push'))
  const settings = repository?.settings ?? []
  const found: Destinations = { hosts: [], setUp: [], paths: [], unknown: [] }
  for (const name of namedRemotes(command, repository)) {
    if (repository !== undefined && isLegacyRemote(name, repository)) found.unknown.push(why('legacyRemote', { name }))
    const before = found.hosts.length
    for (const text of urlsOf(name, settings, isPush)) add(found, parseAddress(text), isPush)
    const isSaid = rest.some((arg) => arg.includes(name)) && !isRemote(name, settings)
    if (!isSaid) found.setUp.push(...found.hosts.slice(before).map(({ url }) => url))
  }
  return found
}

function add(found: Destinations, address: Address, isPush: boolean): void {
  const method = isPush ? 'POST' : 'GET'
  if (address.kind === 'local') found.paths.push({ path: address.path, access: isPush ? 'write' : 'read' })
  else if (address.kind === 'web') found.hosts.push(describeHost(withoutUser(address.url), method))
  else if (address.kind === 'ssh') found.hosts.push(sshHost(address, method))
  else found.hosts.push(otherHost(address, method))
}

function sshHost({ host, port }: { host: string; port: number }, method: string): HostFact {
  const name = host.includes(':') ? `[${host}]` : host
  const fact = describeHost(`ssh://${name}:${port}/`, method)
  // `new URL` accepts any host in `ssh:` addresses; ssh itself would read this one as an option.
  return host.startsWith('-') ? { ...fact, scheme: 'option', address: 'reserved' } : { ...fact, port }
}

/** A person should see the inner host; the gate refuses because of the scheme. */
function otherHost({ scheme, rest }: { scheme: string; rest: string }, method: string): HostFact {
  const inner = /^[a-z][\w+.-]*:\/\//i.test(rest) ? describeHost(withoutUser(rest), method) : undefined
  return {
    ...(inner ?? { host: '', port: 0, method }),
    url: rest === '' || inner === undefined ? `${scheme}${rest}` : withoutUser(rest),
    scheme,
    method,
    ...(inner === undefined ? { address: 'reserved' as const } : {}),
  }
}

/** Facts are journaled, and an address may contain a password. */
export function withoutUser(url: string): string {
  return url.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, '$1')
}

/** The remotes a command names, or git's defaults if it names none. */
function namedRemotes({ subcommand, rest }: GitCommand, repository: Repository | undefined): string[] {
  const { options, words } = partWords(rest, VALUED[subcommand] ?? {})
  const given = (long: string): string[] =>
    rest.flatMap((arg, i) => {
      const value = optionIn(arg, { long })
      return value === undefined ? [] : [value === '' ? (rest[i + 1] ?? '') : value]
    })
  const settings = repository?.settings ?? []
  if (subcommand === 'archive') return given('remote')
  if (subcommand === 'clone') return [...words.slice(0, 1), ...given('bundle-uri')]
  if (subcommand === 'submodule') return [...words.slice(1, 2), ...submoduleUrls(repository)]
  if (subcommand === 'subtree') return words.slice(1, 2)
  if (subcommand === 'http-fetch' || subcommand === 'request-pull') return words.slice(1, 2)
  if (subcommand === 'remote') {
    if (words[0] === 'add' || words[0] === 'set-url') return words.slice(2)
    return words.length > 1 ? words.slice(1, 2) : remoteNames(settings)
  }
  if (hasOption(options, { long: 'all', not: 'allow-unrelated-histories' }) && subcommand !== 'push')
    return remoteNames(settings)
  if (hasOption(options, { long: 'multiple' })) return words
  const [first = given('repo')[0]] = words
  if (first !== undefined && first !== '') return [first]
  return repository === undefined ? [] : [defaultRemote(repository, subcommand === 'push')]
}

function isRemote(name: string, settings: readonly Setting[]): boolean {
  return lastOf(settings, `remotes.${name}`) !== undefined || remoteNames(settings).includes(name)
}

function remoteNames(settings: readonly Setting[]): string[] {
  const names = settings.map(({ key }) => /^remote\.(.+)\.(?:push)?url$/.exec(key)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))]
}

function defaultRemote(repository: Repository, isPush: boolean): string {
  const { settings } = repository
  const branch = currentBranch(repository)
  const of = (key: string): string | undefined =>
    branch === undefined ? undefined : lastOf(settings, `branch.${branch}.${key}`)
  const pushed = isPush ? (of('pushremote') ?? lastOf(settings, 'remote.pushdefault')) : undefined
  const names = remoteNames(settings)
  const [only] = names
  return pushed ?? of('remote') ?? (names.length === 1 && only !== undefined ? only : 'origin')
}

/** A group, a remote or an address. `url.*.insteadOf` is applied like git does, longest match first. */
function urlsOf(name: string, settings: readonly Setting[], isPush: boolean): string[] {
  const group = lastOf(settings, `remotes.${name}`)
  if (group !== undefined) return group.split(/\s+/).flatMap((member) => urlsOf(member, settings, isPush))
  const pushUrls = isPush ? valuesOf(settings, `remote.${name}.pushurl`) : []
  if (pushUrls.length > 0) return pushUrls.map((url) => rewritten(url, settings, 'insteadof'))
  const urls = valuesOf(settings, `remote.${name}.url`)
  return (urls.length > 0 ? urls : [name]).map((url) => {
    const pushed = isPush ? rewritten(url, settings, 'pushinsteadof') : url
    return pushed === url ? rewritten(url, settings, 'insteadof') : pushed
  })
}

function rewritten(url: string, settings: readonly Setting[], kind: string): string {
  let best: { base: string; prefix: string } | undefined
  for (const { key, value } of settings) {
    if (!key.startsWith('url.') || !key.endsWith(`.${kind}`) || value === '' || !url.startsWith(value)) continue
    if (best === undefined || value.length > best.prefix.length)
      best = { base: key.slice(4, -kind.length - 1), prefix: value }
  }
  return best === undefined ? url : best.base + url.slice(best.prefix.length)
}

/** `.git/remotes/NAME` and `.git/branches/NAME` define addresses too. */
function isLegacyRemote(name: string, { commonDir }: Repository): boolean {
  if (name.startsWith('.') || name.includes('..') || name.startsWith('/')) return false
  return ['remotes', 'branches'].some(
    (folder) => lstatSync(join(commonDir, folder, name), { throwIfNoEntry: false })?.isFile() === true,
  )
}

function submoduleUrls(repository: Repository | undefined): string[] {
  if (repository === undefined) return []
  const listed = parseSettings(readSmall(join(repository.top, '.gitmodules')) ?? '', '.gitmodules')
  const urls = [...listed, ...repository.settings]
    .filter(({ key }) => /^submodule\..+\.url$/.test(key))
    .map(({ value }) => value)
  return urls.map((url) => {
    if (!/^\.\.?\//.test(url)) return url
    const [base = repository.top] = urlsOf(defaultRemote(repository, false), repository.settings, false)
    return relativeTo(base, url)
  })
}

function relativeTo(base: string, url: string): string {
  const parsed = /^[a-z][\w+.-]*:\/\//i.test(base) && URL.canParse(base) ? new URL(base) : undefined
  if (parsed !== undefined) return new URL(url, base.replace(/\/*$/, '/')).href
  const colon = scpLike(base) === undefined ? -1 : base.indexOf(':', base.lastIndexOf(']') + 1)
  return colon < 0 ? resolve(base, url) : base.slice(0, colon + 1) + join(base.slice(colon + 1), url)
}

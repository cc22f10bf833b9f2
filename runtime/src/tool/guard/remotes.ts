/** Machines that a command would connect to by other means than a web request. */

import { clientTargets } from './client-options.ts'
import { destinations, isNetworkGit } from './git-addresses.ts'
import { splitGit } from './git-args.ts'
import type { Arg, Invocation } from './invocation.ts'
import { literalStart } from './literals.ts'
import { partWords, type Spelling } from './options.ts'
import { SSH_FAMILY } from './options-with-value.ts'
import type { ShellReading } from './shell-reading.ts'

export interface Remote {
  host: string
  port: number
  scheme: string
}

interface Caller {
  scheme: string
  port: number
  takes: Spelling
  /** Every word may name a machine, not only the first. */
  all?: true
  /** Only words of the form `host:path` name one. */
  copies?: boolean
}

const NETCAT: Spelling = { letters: 'bceghiIMmoOpPqsTVwWxX', long: 'exec sh-exec source source-port wait proxy' }
const CALLERS: Record<string, Caller> = {
  ssh: { scheme: 'ssh', port: 22, takes: { letters: SSH_FAMILY.ssh } },
  mosh: { scheme: 'ssh', port: 22, takes: { letters: 'p' } },
  sftp: { scheme: 'ssh', port: 22, takes: { letters: SSH_FAMILY.sftp } },
  scp: { scheme: 'ssh', port: 22, takes: { letters: SSH_FAMILY.scp }, all: true, copies: true },
  rsync: { scheme: 'ssh', port: 22, takes: { letters: 'efBMT' }, all: true, copies: true },
  nc: { scheme: 'tcp', port: 0, takes: NETCAT },
  ncat: { scheme: 'tcp', port: 0, takes: NETCAT },
  netcat: { scheme: 'tcp', port: 0, takes: NETCAT },
  telnet: { scheme: 'tcp', port: 23, takes: { letters: 'belnSX' } },
  ftp: { scheme: 'ftp', port: 21, takes: { letters: 'NoPqrsTu' } },
  ping: { scheme: 'icmp', port: 0, takes: { letters: 'cIiMmpQSsTtWw' } },
  dig: { scheme: 'dns', port: 53, takes: { letters: 'bcfkpqtxy' }, all: true },
  nslookup: { scheme: 'dns', port: 53, takes: {}, all: true },
  host: { scheme: 'dns', port: 53, takes: { letters: 'cNRtWm' }, all: true },
  git: {
    scheme: 'ssh',
    port: 22,
    takes: { letters: 'Cco', long: 'git-dir work-tree namespace push-option upload-pack receive-pack exec' },
    all: true,
    copies: true,
  },
}
const SECOND_IS_PORT = new Set(['nc', 'ncat', 'netcat', 'telnet', 'ftp'])
const GIT_REMOTE =
  /^(clone|fetch|pull|push|ls-remote|remote|submodule|archive|subtree|request-pull|fetch-pack|send-pack)$/
const SOCKET = /^\/dev\/(tcp|udp)\/([^/]+)\/(.+)$/
const SOCAT = /^(?:tcp|udp|openssl|ssl|sctp|dccp|udplite|ip)[\w-]*:(\[[^\]]+\]|[^:,]+)(?::(\w+))?/i
/** The relay, and the machine behind it. */
const SOCAT_RELAY = /^(?:proxy|socks)[\w-]*:(\[[^\]]+\]|[^:,]+):(?:\d+:)?(\[[^\]]+\]|[^:,]+)/i
const SOCAT_SOCKET = /^(?:unix|abstract|gopen)[\w-]*:([^,]+)/i
const OPENSSL_HOST = /^--?(connect|proxy|host|url)$/

export function remotesOf({ invocations, redirects }: ShellReading): Remote[] {
  const found = [
    ...redirects.flatMap(({ target }) => socketOf(target)),
    ...invocations.flatMap((invocation) => [...calledBy(invocation), ...invocation.args.flatMap(socketOf)]),
  ]
  return [...new Map(found.map((remote) => [JSON.stringify(remote), remote])).values()]
}

function socketOf({ text }: Arg): Remote[] {
  const [, scheme = '', host = '', port = ''] = SOCKET.exec(text) ?? []
  return host === '' ? [] : [{ scheme, host, port: Number(port) || 0 }]
}

/** Local services behind a socket file. */
export function socketsOf({ invocations }: ShellReading): string[] {
  return invocations.flatMap((invocation) => {
    const { base, args } = invocation
    const texts = args.map(({ text }) => text)
    const named =
      base === 'socat'
        ? texts.flatMap(socatParts).flatMap((text) => SOCAT_SOCKET.exec(text)?.[1] ?? [])
        : base === 'openssl'
          ? texts.filter((_, i) => /^--?unix$/.test(texts[i - 1] ?? ''))
          : []
    const byOption = clientTargets(invocation).addresses.filter((address) => address.startsWith('unix:'))
    return [...named.map((path) => `unix:///${path}`), ...byOption]
  })
}

function calledBy(invocation: Invocation): Remote[] {
  const { base, args } = invocation
  const texts = args.map(literalStart)
  if (base === 'socat') return texts.flatMap(socatParts).flatMap(socatRemotes)
  if (base === 'openssl') return texts.flatMap((text, i) => opensslRemotes(text, { before: texts[i - 1], texts }))
  const caller = Object.hasOwn(CALLERS, base) ? CALLERS[base] : undefined
  if (caller === undefined) return []
  const words = machineWords(invocation, caller)
  const parted = partWords(texts, caller.takes).words
  const port = SECOND_IS_PORT.has(base) ? Number(parted[1]) || caller.port : caller.port
  const byOption = clientTargets(invocation).addresses.filter((address) => !address.startsWith('unix:'))
  const hosts = [
    ...words.map((word) => hostIn(word, caller)),
    ...byOption.map((word) => hostIn(word, { ...caller, copies: false })),
    ...gitMachines(invocation),
  ]
  return hosts.flatMap((host) => (host === undefined ? [] : [{ scheme: caller.scheme, host, port }]))
}

function machineWords({ base, args }: Invocation, caller: Caller): string[] {
  const parted = partWords(args.map(literalStart), caller.takes).words
  const words = base === 'git' ? repositoriesIn(parted) : parted
  return caller.all === true ? words : words.slice(0, 1)
}

/** Named by options, as in `git archive --remote=host:path`. */
function gitMachines({ base, args }: Invocation): string[] {
  if (base !== 'git') return []
  const command = splitGit(args.filter((arg) => arg.known).map((arg) => arg.text))
  const { hosts } = isNetworkGit(command) ? destinations(command, undefined) : { hosts: [] }
  return hosts.filter(({ scheme, host }) => !/^https?(::)?$/.test(scheme) && host !== '').map(({ host }) => host)
}

/** True when the machine is only known when the line runs. */
export function callsUnknownMachine(invocation: Invocation): boolean {
  const { base, args } = invocation
  const unknown = args.filter((arg) => !arg.known && literalStart(arg) === '')
  if (base === 'socat' || base === 'openssl') return unknown.length > 0
  const caller = Object.hasOwn(CALLERS, base) ? CALLERS[base] : undefined
  if (caller === undefined) return false
  if (caller.copies === true) return unknown.some(({ text }) => text.includes(':'))
  return unknown.length > 0 && machineWords(invocation, caller).includes('')
}

function socatParts(text: string): string[] {
  return text.split('!!')
}

function socatRemotes(text: string): Remote[] {
  const relay = SOCAT_RELAY.exec(text)
  if (relay === null) return hostPort(SOCAT.exec(text), 'tcp')
  return relay.slice(1).map((host) => ({ scheme: 'tcp', host: bare(host), port: 0 }))
}

/** The last word of `s_client` may be the machine, without an option. */
function opensslRemotes(text: string, { before = '', texts }: { before?: string; texts: readonly string[] }): Remote[] {
  const isLast = text === texts.at(-1) && /^s_(client|time)$/.test(texts[0] ?? '') && /^[^-].*:\w+$/.test(text)
  if (!OPENSSL_HOST.test(before) && !isLast) return []
  const authority = text.replace(/^[a-z][\w+.-]*:\/\//i, '').replace(/[/?#].*$/s, '')
  return hostPort(/^(\[[^\]]+\]|[^:]+)(?::(\w+))?$/.exec(authority), 'tls')
}

/** After the repository of a push, `a:b` is a local and a remote branch. */
function repositoriesIn(words: readonly string[]): string[] {
  const [subcommand = '', ...rest] = words.slice(words.findIndex((word) => GIT_REMOTE.test(word)))
  if (!GIT_REMOTE.test(subcommand)) return []
  const first = /^(fetch|pull|push|ls-remote)$/.test(subcommand) ? rest.slice(0, 1) : rest
  return first.map(withoutHelper)
}

/** `https://host/` of `https::https://host/`, where git uses the helper of that name. */
export function withoutHelper(address: string): string {
  return address.replace(/^([a-z][\w+.-]*::)+/i, '')
}

function hostPort(found: RegExpExecArray | null, scheme: string): Remote[] {
  return found === null ? [] : [{ scheme, host: bare(found[1] ?? ''), port: Number(found[2]) || 0 }]
}

/** The machine of `host`, `user@host:path` or `scheme://host/…`. */
function hostIn(text: string, { copies, scheme }: Caller): string | undefined {
  const [, protocol = '', authority] = /^([a-z][\w+.-]*):\/\/([^/?#]*)/i.exec(text) ?? []
  if (/^(https?|file)$/i.test(protocol)) return undefined
  if (authority !== undefined) return bare(authority.replace(/^.*@/, '').replace(/:\d*$/, '')) || undefined
  // A slash before the colon makes it a path, and on some systems a single letter does too.
  const copied = /^(?:[^/:@]+@)?(\[[^\]]+\]|[^/:@]{2,}):/.exec(text)?.[1]
  if (copies === true) return copied === undefined ? undefined : bare(copied)
  const plain = copied ?? text.replace(/^.*@/, '')
  if (scheme === 'dns' && !/[.:]/.test(plain)) return undefined
  return plain === '' || plain.startsWith('-') || plain.startsWith('+') ? undefined : bare(plain)
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase()
}

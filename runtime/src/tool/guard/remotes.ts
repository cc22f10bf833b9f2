/** Machines a command would talk to other than by a web request. */
import type { ShellReading } from './commands.ts'
import type { Arg, Invocation } from './invocation.ts'
import { optionIn, partWords, type Spelling } from './options.ts'
import { literalStart } from './web-clients.ts'

export interface Remote {
  host: string
  port: number
  scheme: string
}

interface Caller {
  scheme: string
  port: number
  takes: Spelling
  /** Every word may name a machine, and not only the first. */
  all?: true
  /** Only words of the form `host:path` do. */
  copies?: true
}

const SSH: Spelling = { letters: 'BbcDEeFIiJLlmOoPpQRSWwX' }
const NETCAT: Spelling = { letters: 'bceghiIMmoOpPqsTVwWxX', long: 'exec sh-exec source source-port wait proxy' }
const CALLERS: Record<string, Caller> = {
  ssh: { scheme: 'ssh', port: 22, takes: SSH },
  mosh: { scheme: 'ssh', port: 22, takes: { letters: 'p' } },
  sftp: { scheme: 'ssh', port: 22, takes: SSH },
  scp: { scheme: 'ssh', port: 22, takes: SSH, all: true, copies: true },
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
    takes: { letters: 'Ccou', long: 'git-dir work-tree namespace push-option upload-pack receive-pack exec' },
    all: true,
    copies: true,
  },
}
const SECOND_IS_PORT = new Set(['nc', 'ncat', 'netcat', 'telnet', 'ftp'])
const GIT_REMOTE =
  /^(clone|fetch|pull|push|ls-remote|remote|submodule|archive|subtree|request-pull|fetch-pack|send-pack)$/
const GIT_ADDRESS: Spelling = { long: 'remote repo bundle-uri' }
const SOCKET = /^\/dev\/(tcp|udp)\/([^/]+)\/(.+)$/
const SOCAT = /^(?:tcp|udp|openssl|ssl|sctp|proxy|socks)[\w-]*:(\[[^\]]+\]|[^:,]+):(\d+)/i

export function remotesOf({ invocations, redirects }: ShellReading): Remote[] {
  const found = [
    ...redirects.flatMap(({ target }) => socketOf(target)),
    ...invocations.flatMap((invocation) => [...calledBy(invocation), ...invocation.args.flatMap(socketOf)]),
  ]
  return [...new Map(found.map((remote) => [JSON.stringify(remote), remote])).values()]
}

function socketOf({ text }: Arg): Remote[] {
  const [, scheme = '', host = '', port = ''] = SOCKET.exec(text.replace(/["']/g, '')) ?? []
  return host === '' ? [] : [{ scheme, host, port: Number(port) || 0 }]
}

function calledBy({ base, args }: Invocation): Remote[] {
  const texts = args.map(literalStart)
  if (base === 'socat') return texts.flatMap((text) => hostPort(SOCAT.exec(text), 'tcp'))
  if (base === 'openssl')
    return texts.flatMap((text, i) => (texts[i - 1] === '-connect' ? hostPort(/^(.+):(\d+)$/.exec(text), 'tls') : []))
  const caller = CALLERS[base]
  if (caller === undefined) return []
  const parted = partWords(texts, caller.takes).words
  const words = base === 'git' ? [...repositoriesIn(parted), ...optionAddresses(texts)] : parted
  const port = SECOND_IS_PORT.has(base) ? Number(words[1]) || caller.port : caller.port
  return (caller.all === true ? words : words.slice(0, 1)).flatMap((word) => {
    const host = hostIn(word, caller)
    return host === undefined ? [] : [{ scheme: caller.scheme, host, port }]
  })
}

/** Behind the repository that is pushed to, `a:b` is a branch here and one there. */
function repositoriesIn(words: readonly string[]): string[] {
  const [subcommand = '', ...rest] = words.slice(words.findIndex((word) => GIT_REMOTE.test(word)))
  if (!GIT_REMOTE.test(subcommand)) return []
  const first = /^(fetch|pull|push|ls-remote)$/.test(subcommand) ? rest.slice(0, 1) : rest
  return first.map(withoutHelper)
}

/** `git archive --remote=host:path` and `git push --repo host:path`. */
function optionAddresses(texts: readonly string[]): string[] {
  return texts.flatMap((text, i) => {
    const value = text.startsWith('--') ? optionIn(text, GIT_ADDRESS) : undefined
    return value === undefined ? [] : [withoutHelper(value === '' ? (texts[i + 1] ?? '') : value)]
  })
}

/** `https://host/` of `https::https://host/`, which git reads with the helper of that name. */
export function withoutHelper(address: string): string {
  return address.replace(/^([a-z][\w+.-]*::)+/i, '')
}

function hostPort(found: RegExpExecArray | null, scheme: string): Remote[] {
  return found === null ? [] : [{ scheme, host: bare(found[1] ?? ''), port: Number(found[2]) }]
}

/** The machine of `host`, `user@host:path` or `scheme://host/…`. */
function hostIn(text: string, { copies, scheme }: Caller): string | undefined {
  const [, protocol = '', authority] = /^([a-z][\w+.-]*):\/\/([^/?#]*)/i.exec(text) ?? []
  if (/^(https?|file)$/i.test(protocol)) return undefined
  if (authority !== undefined) return bare(authority.replace(/^.*@/, '').replace(/:\d*$/, '')) || undefined
  // A slash before the colon makes it a path, and so does a single letter on some systems.
  const copied = /^(?:[^/:@]+@)?(\[[^\]]+\]|[^/:@]{2,}):/.exec(text)?.[1]
  if (copies === true) return copied === undefined ? undefined : bare(copied)
  const plain = copied ?? text.replace(/^.*@/, '')
  if (scheme === 'dns' && !/[.:]/.test(plain)) return undefined
  return plain === '' || plain.startsWith('-') || plain.startsWith('+') ? undefined : bare(plain)
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase()
}

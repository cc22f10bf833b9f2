/** Options that send a client to a machine its words do not name, or make it follow a file or start a program. */
import type { Arg, Invocation } from './invocation.ts'
import { literalStart, optionValues } from './literals.ts'
import { optionIn, type Spelling } from './options.ts'
import { CURL_VALUED, SSH_FAMILY, WGET_VALUED } from './options-with-value.ts'

export interface ClientTargets {
  /** As `host`, `host:port` or with a scheme. */
  addresses: string[]
  /** Options whose effect is only known when the program runs. */
  unclear: string[]
}

interface Route {
  option: Spelling
  addresses?: (value: string) => string[]
  /** True when the value leaves open what the program does. */
  isUnclear?: (value: string) => boolean
}

const always = (): boolean => true
const one = (value: string): string[] => [value]
const isFile = (value: string): boolean => !/^[a-z][a-z\d+.-]*:\/+/i.test(value)
/** A local service behind a socket file: as closed as the addresses of this machine. */
const socket = (value: string): string[] => [`unix:///${value}`]

const CURL: Route[] = [
  { option: { long: 'connect-to' }, addresses: connectTo },
  { option: { long: 'resolve' }, addresses: resolvedTo },
  { option: { long: 'dns-servers' }, addresses: (value) => value.split(',').map(bracketed) },
  { option: { long: 'ipfs-gateway' }, addresses: one },
  { option: { long: 'unix-socket abstract-unix-socket' }, addresses: socket },
  { option: { letters: 'K', valued: CURL_VALUED, long: 'config' }, isUnclear: always },
  { option: { long: 'alt-svc engine' }, isUnclear: always },
  { option: { long: 'url' }, isUnclear: (value) => value.startsWith('@') },
]
const WGET: Route[] = [
  {
    option: { letters: 'e', valued: WGET_VALUED, long: 'execute' },
    addresses: (value) => (isProxySetting(value) ? [value.replace(/^[^=]*=\s*/, '')] : []),
    isUnclear: (value) => !/^\s*(robots|use_?proxy)\s*=/i.test(value) && !isProxySetting(value),
  },
  {
    option: { letters: 'i', valued: WGET_VALUED, long: 'input-file' },
    addresses: (value) => (isFile(value) ? [] : [value]),
    isUnclear: always,
  },
  { option: { letters: 'B', valued: WGET_VALUED, long: 'base' }, addresses: one },
  { option: { long: 'dns-servers' }, addresses: (value) => value.split(',').map(bracketed) },
  { option: { long: 'config use-askpass' }, isUnclear: always },
]
const ARIA: Route[] = [
  { option: { long: 'all-proxy http-proxy https-proxy ftp-proxy' }, addresses: one },
  { option: { letters: 'i', long: 'input-file conf-path' }, isUnclear: always },
  {
    option: {
      long: 'on-download-start on-download-pause on-download-stop on-download-complete on-download-error on-bt-download-complete',
    },
    isUnclear: always,
  },
]
const HTTPIE: Route[] = [{ option: { long: 'proxy' }, addresses: (value) => [value.replace(/^\w+:(?!\/\/)/, '')] }]
const NETCAT: Route[] = [
  { option: { letters: 'x', valued: 'bceghiIMmoOpPqsTVwWX', long: 'proxy' }, addresses: one },
  { option: { letters: 'U', valued: 'bceghiIMmoOpPqsTVwWxX', long: 'unixsock' }, addresses: socket },
]

const ROUTES: Record<string, Route[]> = {
  curl: CURL,
  wget: WGET,
  aria2c: ARIA,
  http: HTTPIE,
  https: HTTPIE,
  xh: HTTPIE,
  nc: NETCAT,
  ncat: NETCAT,
  netcat: NETCAT,
  dig: [{ option: { letters: 'f', valued: 'bckpqtxy' }, isUnclear: always }],
  mosh: [{ option: { long: 'ssh server client' }, isUnclear: always }],
  rsync: [{ option: { long: 'rsync-path' }, isUnclear: always }],
  ...Object.fromEntries(Object.entries(SSH_FAMILY).map(([base, letters]) => [base, sshRoutes(base, letters)])),
}

/** They decide neither which machine is reached nor which program is started. */
const SSH_HARMLESS = new Set(
  'addressfamily batchmode checkhostip ciphers clearallforwardings compression connectionattempts connecttimeout gssapiauthentication hostkeyalgorithms identitiesonly identityfile kexalgorithms loglevel macs numberofpasswordprompts passwordauthentication port preferredauthentications pubkeyauthentication requesttty serveralivecountmax serveraliveinterval stricthostkeychecking tcpkeepalive updatehostkeys user userknownhostsfile visualhostkey'.split(
    ' ',
  ),
)

function sshRoutes(base: string, valued: string): Route[] {
  const unclear = base === 'ssh' ? 'FILDRSOw' : 'FSDb'
  const routes: Route[] = [
    { option: { letters: 'J', valued }, addresses: (value) => value.split(',') },
    { option: { letters: 'o', valued }, addresses: sshSettingHosts, isUnclear: isUnclearSetting },
    { option: { letters: unclear, valued }, isUnclear: always },
  ]
  if (base !== 'ssh') return routes
  return [
    ...routes,
    { option: { letters: 'W', valued }, addresses: one },
    { option: { letters: 'R', valued }, addresses: (value) => [fields(value).slice(-2).join(':')] },
  ]
}

function settingOf(value: string): [key: string, value: string] {
  const [, key = '', rest = ''] = /^\s*(\w+)\s*[=\s]\s*(.*)$/s.exec(value) ?? []
  return [key.toLowerCase(), rest]
}

function sshSettingHosts(text: string): string[] {
  const [key, value] = settingOf(text)
  if (key === 'hostname') return [value]
  return key === 'proxyjump' && value !== 'none' ? value.split(',') : []
}

function isUnclearSetting(text: string): boolean {
  const [key] = settingOf(text)
  return !SSH_HARMLESS.has(key) && key !== 'hostname' && key !== 'proxyjump'
}

/** wget ignores case, dashes and underscores in setting names. */
function isProxySetting(value: string): boolean {
  return /^\s*(https?|ftp)[-_]?proxy\s*=/i.test(value)
}

/** Splits at colons, except inside brackets. */
function fields(value: string): string[] {
  return value.split(/:(?![^[]*\])/)
}

/** `HOST1:PORT1:HOST2:PORT2`; an empty HOST2 means HOST1. */
function connectTo(value: string): string[] {
  const [, , host = '', port = ''] = fields(value)
  return [port === '' ? host : `${host}:${port}`]
}

/** `HOST:PORT:ADDRESS,…` */
function resolvedTo(value: string): string[] {
  return fields(value).slice(2).join(':').split(',').map(bracketed)
}

function bracketed(address: string): string {
  return /^[^[\]]*:[^[\]]*:/.test(address) ? `[${address}]` : address
}

export function clientTargets({ base, args }: Invocation): ClientTargets {
  const targets: ClientTargets = { addresses: [], unclear: [] }
  const own = base === 'ssh' ? beforeCommand(args) : args
  for (const { option, addresses, isUnclear } of Object.hasOwn(ROUTES, base) ? (ROUTES[base] ?? []) : []) {
    for (const value of optionValues(own, option)) {
      const text = value.known ? value.text : literalStart(value)
      targets.addresses.push(
        ...(addresses?.(text) ?? []).filter((address) => address !== '' && !address.startsWith(':')),
      )
      if (isUnclear?.(text) === true || (addresses !== undefined && !value.known))
        targets.unclear.push(nameOf(own, option))
    }
  }
  if (base === 'curl') targets.unclear.push(...own.map(({ text }) => text).filter((text) => /^--expand-/.test(text)))
  if (base === 'lynx' || base === 'w3m')
    targets.unclear.push(
      ...own.map(({ text }) => text).filter((text) => /^--?(cfg|cmd_script|config|lss|o$)/.test(text)),
    )
  return targets
}

function nameOf(args: readonly Arg[], option: Spelling): string {
  return args.find(({ text }) => optionIn(text, option) !== undefined)?.text.slice(0, 40) ?? ''
}

/** Everything after the machine and the next word is the command that runs there. */
function beforeCommand(args: readonly Arg[]): readonly Arg[] {
  let words = 0
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? ''
    if (!text.startsWith('-')) words++
    else if (optionIn(text, { letters: SSH_FAMILY.ssh }) === '') i++
    if (words === 2) return args.slice(0, i)
  }
  return args
}

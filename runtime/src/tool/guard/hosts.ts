/** Classifies addresses in every spelling. Pure: no lookups. */
import ipaddr from 'ipaddr.js'
import { present } from '../../base/present.ts'
import { isNamed, plainEntry } from '../../gate/stages/content.ts'
import type { AddressClass, HostFact } from '../../protocol/facts.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Cloud services that hand out the machine's credentials. */
const METADATA_ADDRESSES = new Set([
  '169.254.169.254',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
])
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'metadata', 'instance-data'])

/** IPv6 ranges that embed an IPv4 address, and its byte offset. Reaching one reaches the other. */
const CARRIERS: { range: [ipaddr.IPv6, number]; at: number; flip?: boolean; relay?: boolean }[] = [
  { range: [ipaddr.IPv6.parse('::ffff:0:0'), 96], at: 12 },
  { range: [ipaddr.IPv6.parse('::ffff:0:0:0'), 96], at: 12 },
  { range: [ipaddr.IPv6.parse('64:ff9b::'), 96], at: 12 },
  { range: [ipaddr.IPv6.parse('64:ff9b:1::'), 48], at: 12, relay: true },
  { range: [ipaddr.IPv6.parse('::'), 96], at: 12, relay: true },
  { range: [ipaddr.IPv6.parse('2002::'), 16], at: 2, relay: true },
  { range: [ipaddr.IPv6.parse('2001::'), 32], at: 12, flip: true, relay: true },
]

/** The class of a literal address in any spelling, or of a name that always means one; undefined for other names. */
export function classifyAddress(literal: string): AddressClass | undefined {
  const text = bare(literal)
  if (METADATA_NAMES.has(text)) return 'metadata'
  if (text === 'localhost' || text.endsWith('.localhost') || text === 'localhost.localdomain') return 'loopback'
  const address = parseAddress(text)
  return address === undefined ? undefined : classOf(address)
}

/** Lower case, without brackets, zone and trailing dots; look-alike digits and dots normalized. */
function bare(host: string): string {
  return host
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/\.+$/, '')
}

function parseAddress(text: string): Address | undefined {
  if (text.includes(':')) return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
  const bytes = parseIpv4(text)
  return bytes === undefined ? undefined : new ipaddr.IPv4(bytes)
}

/** Like inet_aton: one to four parts, each decimal, octal or hexadecimal; the last one fills the rest. */
function parseIpv4(text: string): number[] | undefined {
  const parts = text.split('.')
  if (parts.length > 4) return undefined
  const numbers = parts.map(parseNumber)
  const last = numbers.pop()
  if (last === undefined || last >= 256 ** (4 - numbers.length)) return undefined
  const bytes: number[] = []
  for (const number of numbers) {
    if (number === undefined || number > 255) return undefined
    bytes.push(number)
  }
  for (let rest = 3 - numbers.length; rest >= 0; rest--) bytes.push(Math.floor(last / 256 ** rest) % 256)
  return bytes
}

function parseNumber(text: string): number | undefined {
  if (/^0x[0-9a-f]*$/.test(text)) return text === '0x' ? 0 : Number.parseInt(text.slice(2), 16)
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8)
  return /^(0|[1-9][0-9]*)$/.test(text) ? Number.parseInt(text, 10) : undefined
}

function classOf(address: Address): AddressClass {
  if (METADATA_ADDRESSES.has(address.toString())) return 'metadata'
  if (address instanceof ipaddr.IPv6) {
    for (const carrier of CARRIERS) {
      // `::` and `::1` are in the compatible range but have their own meaning.
      if (!address.match(carrier.range) || address.range() === 'loopback' || address.range() === 'unspecified') continue
      const bytes = address.toByteArray().slice(carrier.at, carrier.at + 4)
      const inner = classOf(new ipaddr.IPv4(carrier.flip === true ? bytes.map((byte) => byte ^ 0xff) : bytes))
      return inner === 'public' && carrier.relay === true ? 'reserved' : inner
    }
  }
  switch (address.range()) {
    case 'unicast':
      return 'public'
    case 'loopback':
    case 'unspecified':
      return 'loopback'
    case 'linkLocal':
      return 'linklocal'
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return 'private'
    default:
      return 'reserved'
  }
}

/** The host, such as `127.0.0.1` or `example.com`, in normal form. */
export function hostOf(url: URL): string {
  return url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '')
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** True when `allowed` contains this host as `host`, `host:port` or `*.domain`. */
export function hostAllowed(host: string, port: number, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const rule = plainEntry(entry)
    if (rule.startsWith('*.')) return host.endsWith(rule.slice(1)) || `${host}:${port}`.endsWith(rule.slice(1))
    return rule === host || isNamed({ host, port }, [rule])
  })
}

/** Whether a connection to `address`, requested as `host:port`, may be opened. */
export function isOpen(
  address: AddressClass,
  place: { host: string; port: number },
  allowed: readonly string[],
): boolean {
  if (address === 'public') return true
  return address !== 'metadata' && isNamed(place, allowed)
}

/** What a request would reach. An unreadable URL has the class reserved, which no rule opens. */
export function describeHost(url: string, method: string): HostFact {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || parsed.hostname === '') {
    return { url, host: '', port: 0, scheme: parsed?.protocol.replace(':', '') ?? '', method, address: 'reserved' }
  }
  const host = hostOf(parsed)
  const address = classifyAddress(host)
  return {
    url,
    host,
    port: portOf(parsed),
    scheme: parsed.protocol.replace(':', ''),
    method,
    ...present({ address }),
  }
}

/** Whether the gate judges an address named in a command line: web requests, and closed addresses by any protocol. */
export function concernsGate({ scheme, address }: HostFact): boolean {
  return scheme === 'http' || scheme === 'https' || (address !== undefined && address !== 'public')
}

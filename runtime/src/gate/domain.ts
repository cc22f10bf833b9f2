/** A workflow node's list of domains (S3 §9): `example.com`, `*.example.com`, each with a port where it is unusual. */

interface HostPort {
  host: string
  port: number
}

/** `example.com` and `*.example.com` open ports 80 and 443; any other port must be written out. */
export function matchesDomain(entry: string, { host, port }: HostPort): boolean {
  const { name, port: explicit } = partsOf(entry)
  const portFits = explicit === undefined ? isUsual(port) : port === explicit
  return portFits && coversName(name, host.toLowerCase())
}

/** The domains that both lists allow. */
export function sharedDomains(one: readonly string[], other: readonly string[]): string[] {
  const inBoth = (entries: readonly string[], list: readonly string[]) =>
    entries.filter((entry) => list.some((wide) => covers(wide, entry)))
  return [...new Set([...inBoth(one, other), ...inBoth(other, one)])]
}

function covers(wide: string, narrow: string): boolean {
  const [outer, inner] = [partsOf(wide), partsOf(narrow)]
  const portFits =
    outer.port === undefined ? inner.port === undefined || isUsual(inner.port) : inner.port === outer.port
  return portFits && coversName(outer.name, inner.name)
}

/** `*.a.b` covers every name below `a.b`, and itself, but not `a.b`. */
function coversName(wide: string, name: string): boolean {
  return wide.startsWith('*.') ? name.endsWith(wide.slice(1)) : name === wide
}

function isUsual(port: number): boolean {
  return port === 80 || port === 443
}

function partsOf(entry: string): { name: string; port: number | undefined } {
  const [, name = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  return { name, port: port === undefined ? undefined : Number(port) }
}

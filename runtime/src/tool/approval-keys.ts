/** What an "always" covers: this tool, and of it the kind of call and the hosts and methods that were asked about. */
import type { Facts, HostFact } from '../protocol/facts.ts'

/**
 * Every key begins with the tool's name, whatever the tool says: else a yes to one tool would open another. Where a
 * call reaches hosts, one key names them all with their methods: a part of it that was approved elsewhere opens
 * nothing. Undefined: the tool's name alone is the key.
 */
export function approvalKeysOf(tool: string, { approvalKeys, hosts = [] }: Facts): string[] | undefined {
  if (approvalKeys?.length === 0) return []
  if (approvalKeys === undefined && hosts.length === 0) return undefined
  const kinds = [...new Set(approvalKeys)].sort()
  if (hosts.length === 0) return kinds.map((kind) => `${tool} ${kind}`)
  const places = [...new Set(hosts.map(placeOf))].sort()
  return [[tool, kinds.join('+'), ...places].filter((part) => part !== '').join(' ')]
}

function placeOf({ method, scheme, host, port }: HostFact): string {
  return `${method} ${scheme}://${host}:${port}`
}

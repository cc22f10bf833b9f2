/** What an "always" covers: this tool and, within it, the kind of call and the hosts and methods that were approved. */
import type { Facts, HostFact } from '../protocol/facts.ts'

/**
 * Every key starts with the tool's name, so an approval for one tool never covers another. A call that reaches hosts
 * has one key that names all of them with their methods: approvals for some of them do not cover it. Undefined: the key
 * is the tool's name alone.
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

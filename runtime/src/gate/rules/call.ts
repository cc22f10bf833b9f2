/** A call as rules see it: every spelling they compare is computed once. */
import type { CommandUse } from '../../protocol/command.ts'
import type { Facts, HostFact, PathFact } from '../../protocol/facts.ts'
import type { ToolInput } from '../gate-input.ts'
import { folded } from './glob.ts'

export interface Spelling {
  exact: string
  folded: string
}

export interface RuledPath extends Pick<PathFact, 'access'> {
  /** Names of the real path from the root, and from the workspace when it is inside. */
  real: PathNames
  inside: PathNames | undefined
}

interface PathNames {
  exact: readonly string[]
  folded: readonly string[]
}

export interface RuledCall {
  tool: Spelling
  args: unknown
  facts: Facts
  paths: readonly RuledPath[]
  hosts: readonly HostFact[]
}

export function ruledCall({ proposal, facts }: ToolInput): RuledCall {
  return {
    tool: { exact: proposal.tool, folded: folded(proposal.tool) },
    args: proposal.args,
    facts,
    paths: (facts.paths ?? []).map(ruledPath),
    hosts: (facts.hosts ?? []).map(({ host, ...rest }) => ({ ...rest, host: host.toLowerCase().replace(/\.$/, '') })),
  }
}

function ruledPath({ real, inside, access }: PathFact): RuledPath {
  return { access, real: namesOf(real), inside: inside === undefined ? undefined : namesOf(inside) }
}

function namesOf(path: string): PathNames {
  return { exact: path.split('/'), folded: folded(path).split('/') }
}

/** `/usr/bin/git` is `git`. */
export function programOf({ words }: CommandUse): string {
  const [name = ''] = words
  return name.slice(name.lastIndexOf('/') + 1)
}

/** A call as rules see it: every spelling they compare is computed once. */
import type { CommandUse } from '../../protocol/command.ts'
import type { Facts, HostFact, PathFact } from '../../protocol/facts.ts'
import type { ToolInput } from '../gate-input.ts'
import { folded } from './glob.ts'
import { pathsInWord } from './words.ts'

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
  /** Every word of a shell line that could be a path, however it is attached. Only for asking and denying. */
  guesses(): readonly RuledPath[]
  hosts: readonly HostFact[]
}

export function ruledCall({ proposal, facts }: ToolInput): RuledCall {
  return {
    tool: { exact: proposal.tool, folded: folded(proposal.tool) },
    args: proposal.args,
    facts,
    paths: (facts.paths ?? []).map(ruledPath),
    guesses: once(() => guessedPaths(facts)),
    hosts: (facts.hosts ?? []).map(({ host, ...rest }) => ({ ...rest, host: host.toLowerCase().replace(/\.$/, '') })),
  }
}

/** From the folder that the line starts in. What only reads or builds is not taken to write. */
function guessedPaths({ paths = [], command }: Facts): RuledPath[] {
  const [start] = paths
  if (start === undefined) return []
  const workspace = start.real.slice(0, start.real.length - (start.inside ?? '').length).replace(/\/$/, '')
  return (command?.uses ?? []).flatMap(({ words, class: is }) => {
    const access: PathFact['access'][] = /^(read|build|fetch)$/.test(is) ? ['read'] : ['read', 'write']
    const places = words
      .slice(1)
      .flatMap(pathsInWord)
      .map((path) => placeOf(path, start.real))
    return places.flatMap((real) => {
      const inside = start.inside !== undefined && real.startsWith(`${workspace}/`)
      const named = { real, ...(inside ? { inside: real.slice(workspace.length + 1) } : {}) }
      return access.map((one) => ruledPath({ ...named, access: one }))
    })
  })
}

function placeOf(path: string, from: string): string {
  const names: string[] = []
  for (const name of `${path.startsWith('/') ? '' : from}/${path}`.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function ruledPath({ real, inside, access }: Pick<PathFact, 'real' | 'inside' | 'access'>): RuledPath {
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

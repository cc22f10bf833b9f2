/**
 * Words of a command that git sends to the remote, mostly branch names. A name that no remote had when the agent was
 * opened may carry any data, for example something that was just read. What refs/remotes holds by now does not count:
 * a fetch from the repository itself can put any name there.
 */

import { why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import type { World } from '../tool.ts'
import { networkWords } from './git-addresses.ts'
import type { GitCommand } from './git-args.ts'
import { lastOf, valuesOf } from './git-config.ts'
import { currentBranch, type Repository } from './git-repository.ts'
import { hasOption, optionIn, type Spelling } from './options.ts'

const USUAL = new Set(['', 'HEAD', '@', 'main', 'master', 'develop', 'trunk', '*', 'refs/*'])
const USUAL_FILTER = /^(blob:none|blob:limit=\d{1,4}[kmg]?|tree:\d)$/
/** Small numbers are no news; a large one can carry a piece of a text. */
const USUAL_DEPTH = /^\d{1,3}$/
const ALL: Spelling = { long: 'all multiple', not: 'allow-unrelated-histories' }

/** For the approval question: what would be sent. */
export function sentWords(command: GitCommand, repository: Repository | undefined, world: World): Why[] {
  const branches = world.remoteBranches ?? new Set<string>()
  const names = [...givenNames(command), ...optionNames(command), ...configuredNames(command, repository)]
  const isOdd =
    names.some((name) => !isKnown(name, branches)) ||
    valuesIn(command.rest, { long: 'filter' }).some((value) => !USUAL_FILTER.test(value)) ||
    valuesIn(command.rest, { long: 'depth deepen' }).some((value) => !USUAL_DEPTH.test(value)) ||
    valuesIn(command.rest, { long: 'shallow-since' }).length > 0
  return isOdd ? [why('gitSendsName', { subcommand: command.subcommand })] : []
}

function isKnown(given: string, branches: ReadonlySet<string>): boolean {
  const name = given.replace(/^[+^]/, '').replace(/^refs\/(heads|tags|remotes\/[^/]+)\//, '')
  if (USUAL.has(name) || branches.has(name)) return true
  const start = name.endsWith('*') ? name.slice(0, -1) : undefined
  return start !== undefined && [...branches].some((branch) => branch.startsWith(start))
}

function givenNames(command: GitCommand): string[] {
  const { subcommand } = command
  const { options, words } = networkWords(command)
  if (subcommand === 'ls-remote') return words.slice(1)
  if (subcommand === 'subtree') return words.slice(2)
  if (!/^(fetch|pull)$/.test(subcommand) || hasOption(options, ALL)) return []
  const specs = words.slice(1)
  return specs.filter((word, i) => !(word === 'tag' && i < specs.length - 1)).flatMap((word) => word.split(':'))
}

function optionNames({ subcommand, rest }: GitCommand): string[] {
  const excluded = valuesIn(rest, { long: 'shallow-exclude' })
  if (subcommand === 'clone')
    return [...excluded, ...valuesIn(rest, { long: 'branch revision', letters: 'b', valued: 'ocuj' })]
  return subcommand === 'remote' ? valuesIn(rest, { long: 'track', letters: 't', valued: 'm' }) : excluded
}

/** Names from settings, if the command gives none. `remote set-branches` and `config` change these without approval. */
function configuredNames(command: GitCommand, repository: Repository | undefined): string[] {
  const { subcommand } = command
  if (repository === undefined || !/^(fetch|pull|remote)$/.test(subcommand)) return []
  const { words } = networkWords(command)
  if (subcommand !== 'remote' && words.length > 1) return []
  const { settings } = repository
  const [named] = subcommand === 'remote' ? [] : words
  const specs =
    named === undefined
      ? settings.filter(({ key }) => /^remote\..+\.fetch$/.test(key)).map(({ value }) => value)
      : valuesOf(settings, `remote.${named}.fetch`)
  const branch = currentBranch(repository)
  const merged = branch === undefined ? undefined : lastOf(settings, `branch.${branch}.merge`)
  const sources = specs.map((spec) => spec.split(':')[0] ?? '').filter((source) => /^[+^]?refs\/heads\//.test(source))
  return [...sources, ...(merged === undefined ? [] : [merged])]
}

function valuesIn(rest: readonly string[], spelling: Spelling): string[] {
  return rest.flatMap((arg, i) => {
    const value = optionIn(arg, spelling)
    return value === undefined ? [] : [value === '' ? (rest[i + 1] ?? '') : value]
  })
}

/** Why a git command in a shell line may start programs of a repository. Determined without running git. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { whyOf } from '../../errors/writ-error.ts'
import { why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import type { World } from '../tool.ts'
import { isNetworkGit } from './git-addresses.ts'
import { allSettings } from './git-all-settings.ts'
import { gitPaths, rareGit, splitGit } from './git-args.ts'
import { startsNoProgram } from './git-inert-settings.ts'
import { gitPlace } from './git-place.ts'
import { activeHooks } from './git-repository.ts'
import { sentWords } from './git-sent.ts'
import { GIT_TABLE } from './git-table.ts'
import { hasOption } from './options.ts'
import { statOf } from './repository-locks.ts'
import { sandboxStatus } from './sandbox.ts'

/** `git archive -o a.txt` replaces the file. */
export function lostByOutput(args: readonly string[], from: string): Why[] {
  const { subcommand } = splitGit(args)
  const isLost = gitPaths(args, from).some(
    ({ path, access, whole, from: base = from }) =>
      access === 'write' && whole !== true && statOf(resolve(base, path))?.isDirectory() === false,
  )
  return isLost ? [why('gitLosesWork', { subcommand })] : []
}

/** `git checkout a.txt` and `git checkout HEAD a.txt` overwrite files; a single word that names no file is a branch. */
export function lostByCheckout(args: readonly string[], from: string): Why[] {
  const { subcommand, rest } = splitGit(args)
  if (subcommand !== 'checkout' || hasOption(rest, { long: 'orphan track', letters: 'bBt' })) return []
  const words = rest.filter((arg) => !arg.startsWith('-'))
  const isFile = (word: string): boolean =>
    word.startsWith(':') || /[*?[]/.test(word) || existsSync(resolve(from, word))
  return words.length > 1 || words.some(isFile) ? [why('checkoutLoses')] : []
}

/** The shell runs plain git, without the overrides of the git tool. */
export async function gitDoubts(args: readonly string[], { from, world }: { from: string; world: World }) {
  const command = splitGit(args)
  const { subcommand } = command
  const known = rareGit(subcommand)
  try {
    const place = gitPlace(args, world, from)
    known.push(...lostByCheckout(args, place.from), ...lostByOutput(args, from))
    if (isNetworkGit(command)) known.push(...sentWords(command, place.repository, world))
    if ((await sandboxStatus(world.sandbox)).active) return known
    const isAlias = !GIT_TABLE.has(subcommand)
    const settings = (await allSettings(args, { place, world })).filter(
      (setting) => !startsNoProgram(setting) && (isAlias || !setting.key.startsWith('alias.')),
    )
    const hooks = place.repository === undefined ? [] : activeHooks(place.repository)
    const starts = [
      ...settings.map(({ key }) => why('settingStarts', { key })),
      ...hooks.map((hook) => why('hookStarts', { hook })),
    ]
    return [...known, ...starts.slice(0, 1)]
  } catch (error) {
    return [...known, whyOf(error)]
  }
}

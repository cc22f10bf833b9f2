/** Why a git command in a shell line may start programs of a repository. No git is started to tell. */
import { messageOf } from '../../base/errors.ts'
import type { World } from '../tool.ts'
import { splitGit } from './git-args.ts'
import { allSettings } from './git-nested.ts'
import { gitPlace } from './git-place.ts'
import { isQuietSetting } from './git-quiet.ts'
import { activeHooks } from './git-repository.ts'
import { GIT_TABLE } from './git-table.ts'
import { sandboxStatus } from './sandbox.ts'

/** A shell runs git as it is, with none of what the git tool switches off. */
export async function gitDoubts(args: readonly string[], { from, world }: { from: string; world: World }) {
  try {
    const place = gitPlace(args, world, from)
    if ((await sandboxStatus(world.sandbox)).active) return []
    const isAlias = !GIT_TABLE.has(splitGit(args).subcommand)
    const settings = (await allSettings(args, { place, world })).filter(
      (setting) => !isQuietSetting(setting) && (isAlias || !setting.key.startsWith('alias.')),
    )
    const hooks = place.repository === undefined ? [] : activeHooks(place.repository)
    const names = [...settings.map(({ key }) => key), ...hooks.map((hook) => `the hook ${hook}`)]
    return names.slice(0, 1).map((name) => `${name} of this repository may start a program`)
  } catch (error) {
    return [messageOf(error)]
  }
}

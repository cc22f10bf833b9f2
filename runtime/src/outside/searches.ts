/** A search of an agent reads everything below a folder, with its own program: also what no tool may read. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { JsonObject } from '../base/json.ts'
import { matchesWildcards } from '../base/wildcards.ts'
import { sweptFolderDoubt } from '../tool/guard/closed-files.ts'
import type { World } from '../tool/tool.ts'
import { type KnownTool, reads } from './known-tool.ts'

interface Search {
  path: string
  /** Its program passes over hidden files. */
  skipsHidden?: boolean
  /** Only files like this. */
  glob?: unknown
  /** Only files of a kind of source. */
  kind?: unknown
}

/** Undefined: the search shows names only. */
export function searches(by: string, searchOf: (input: JsonObject) => Search | undefined): KnownTool {
  const own = reads(({ path }) => [path ?? '.'])
  return {
    ...own,
    async facts(input, site) {
      const facts = (await own.facts?.(input, site)) ?? {}
      const search = searchOf(input)
      if (search === undefined) return facts
      const { world, cwd } = site
      const doubt = await sweptFolderDoubt(
        {
          path: search.path,
          by,
          dots: search.skipsHidden !== true,
          isLeftOut: (file) => isLeftOut(file, search, world),
        },
        { from: cwd, world },
      )
      return doubt === undefined ? facts : { ...facts, command: { bases: [], dangers: [], unparsed: [doubt] } }
    },
  }
}

function isLeftOut(file: string, { glob, kind }: Search, world: World): boolean {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true
  if (typeof glob === 'string') {
    const [, ending] = /^(?:\*\*\/)?\*(\.\w+)$/.exec(glob) ?? []
    // A pattern of files wins over lists of ignored files.
    return isFile && ending !== undefined && !file.endsWith(ending)
  }
  return (isFile && typeof kind === 'string') || isIgnored(file, world)
}

/** By plain lines of the lists of ignored files that its program follows in a repository. */
function isIgnored(file: string, { workspace }: World): boolean {
  if (!existsSync(join(workspace, '.git'))) return false
  const lines = [workspace, dirname(file)].flatMap((folder) =>
    ['.gitignore', '.ignore', '.rgignore'].flatMap((name) => linesOf(join(folder, name))),
  )
  const names = [basename(file), relative(workspace, file)]
  const isNamed = (line: string) =>
    names.some((name) => matchesWildcards(line.replace(/^!?\/?/, '').replace(/\/$/, ''), name))
  return lines.some((line) => !line.startsWith('!') && isNamed(line)) && !lines.some((line) => line.startsWith('!'))
}

function linesOf(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  } catch {
    return []
  }
}

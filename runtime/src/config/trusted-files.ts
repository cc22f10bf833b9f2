/** Files of a workspace that reach the prompt or run; trust covers their content. */
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../base/hash.ts'
import { CONFIG_FILE } from './places.ts'

/** The first one wins. */
export const WORKSPACE_SKILLS = ['.writ/skills', '.agents/skills', '.claude/skills'] as const
export const IDENTITY_FILES = ['AGENT.md', 'SOUL.md', 'USER.md'] as const
export const WORKSPACE_RULES = 'AGENTS.md'

const PLACES = [CONFIG_FILE, WORKSPACE_RULES, ...IDENTITY_FILES, ...WORKSPACE_SKILLS, '.writ/workflows']
const MAX_FILES = 5_000
const MAX_BYTES = 16 * 1024 * 1024

/** Content hash of each file, by its path in the workspace. */
export type Marks = Readonly<Record<string, string>>

/** Undefined: too many files, so none is trusted. */
export async function marksOf(workspace: string): Promise<Marks | undefined> {
  const marks: Record<string, string> = {}
  const pending: string[] = [...PLACES]
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    const below = await look(workspace, name, marks)
    if (below === 'too-large') return undefined
    pending.push(...below)
    if (Object.keys(marks).length > MAX_FILES) return undefined
  }
  return marks
}

/** Records a file, or returns the entries of a folder. */
async function look(workspace: string, name: string, marks: Record<string, string>): Promise<string[] | 'too-large'> {
  const path = join(workspace, name)
  try {
    const stat = await lstat(path)
    if (stat.isDirectory()) return (await readdir(path)).sort().map((entry) => join(name, entry))
    if (stat.isSymbolicLink()) marks[name] = `link ${await readlink(path)}`
    else if (!stat.isFile()) marks[name] = 'special'
    else if (stat.size > MAX_BYTES) return 'too-large'
    // An empty file counts as missing.
    else if (stat.size > 0) marks[name] = sha256(await readFile(path, 'latin1'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') marks[name] = `unreadable ${String(code)}`
  }
  return []
}

/** With the configuration text that is used, which may differ from the file by now. */
export function withConfig({ [CONFIG_FILE]: _, ...others }: Marks, text: string | undefined): Marks {
  return text === undefined || text === '' ? others : { ...others, [CONFIG_FILE]: sha256(text) }
}

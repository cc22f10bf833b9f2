/** Identity and skill files: where they are, and how to read them without following links to other places. */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { type Bilingual, inBothLanguages, type Lang } from '../base/lang.ts'
import { IDENTITY_FILES, WORKSPACE_RULES } from '../config/trusted-files.ts'
import { isWithin } from '../tool/guard/paths.ts'
import { type ContextTexts, contextTexts } from './texts.ts'

/** Where to look, and whether the workspace's files are used. */
export interface Places {
  workspace: string
  configHome: string
  trusted: boolean
  lang: Lang
}

export const USER_SKILLS = 'skills'

/** Paths no tool may write: an agent that could would control its own instructions. */
export function protectedPlaces(workspace: string, configHome: string): string[] {
  // Including the folders above the skills: renaming `.claude` would replace them.
  const own = ['.writ', '.agents', '.claude', ...IDENTITY_FILES, WORKSPACE_RULES]
  return [...own.map((name) => join(workspace, name)), configHome]
}

export interface Bounds {
  /** The real path must be inside: only there is it protected. */
  within: string
  maxBytes: number
}

/** Undefined: no such file. A warning: the file exists but cannot be used. */
export async function readBounded(
  path: string,
  bounds: Bounds,
): Promise<{ text: string } | { warning: Bilingual } | undefined> {
  try {
    const real = await realpath(path)
    if (!isWithin(real, bounds.within)) return warn((texts) => texts.elsewhere({ path, real }))
    // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return warn((texts) => texts.notRegular({ path }))
      if (stat.size > bounds.maxBytes) return warn((texts) => texts.tooLarge({ path, max: bounds.maxBytes }))
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile()) }
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return warn((texts) => texts.notText({ path }))
    return warn((texts) => texts.unreadable({ path, why: messageOf(error) }))
  }
}

export function warn(write: (texts: ContextTexts) => string): { warning: Bilingual } {
  return { warning: inBothLanguages((lang) => write(contextTexts(lang))) }
}

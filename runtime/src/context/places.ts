/** The files that shape the agent: where they are, and how to read them without being led elsewhere. */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { IDENTITY_FILES, WORKSPACE_RULES } from '../config/trusted-files.ts'
import type { Lang } from '../i18n/locale.ts'
import { isWithin } from '../tool/guard/paths.ts'
import { contextTexts } from './texts.ts'

/** Where to look, and whether the workspace's own files may speak. */
export interface Places {
  workspace: string
  configHome: string
  trusted: boolean
  lang: Lang
}

export const USER_SKILLS = 'skills'

/** What no tool may write: an agent that could would decide what it is told to be. */
export function protectedPlaces(workspace: string, configHome: string): string[] {
  // The folders above the skills too: who may rename `.claude` may put another one in its place.
  const own = ['.writ', '.agents', '.claude', ...IDENTITY_FILES, WORKSPACE_RULES]
  return [...own.map((name) => join(workspace, name)), configHome]
}

export interface Bounds {
  /** The real path must stay inside: only there is it protected. */
  within: string
  maxBytes: number
  lang: Lang
}

/** Undefined: there is no such file. A warning: there is one, and it is not to be used. */
export async function readBounded(
  path: string,
  bounds: Bounds,
): Promise<{ text: string } | { warning: string } | undefined> {
  const texts = contextTexts(bounds.lang)
  try {
    const real = await realpath(path)
    if (!isWithin(real, bounds.within)) return { warning: texts.elsewhere({ path, real }) }
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return { warning: texts.notRegular({ path }) }
      if (stat.size > bounds.maxBytes) return { warning: texts.tooLarge({ path, max: bounds.maxBytes }) }
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile()) }
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { warning: texts.notText({ path }) }
    return { warning: texts.unreadable({ path, why: messageOf(error) }) }
  }
}

/** Where things are kept, looked at before anything is opened there. */
import { statSync } from 'node:fs'
import { type Setting, settingOf } from '../agent/setting.ts'
import { messageOf, WritError } from '../base/errors.ts'
import type { Lang } from '../i18n/locale.ts'
import { journalFile } from '../storage/data-folder.ts'
import { tryFolder } from '../storage/place.ts'
import { offerAdoption } from './adoption.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { placeTexts } from './place-texts.ts'
import { settingFlags } from './setting-flags.ts'

/** The setting of a verb that writes: a place that cannot be used is told before the work begins. */
export async function settingToKeep(given: Given, io: Io): Promise<Setting> {
  const setting = await settingOf(settingFlags(given, io))
  const { data } = setting
  if (data === undefined || !isEmbedded(setting, io.lang)) return setting
  const texts = placeTexts(io.lang)
  try {
    tryFolder(data)
  } catch (cause) {
    const fact = texts.data({ folder: data, why: reasonOf(cause) })
    throw new WritError('STORE_UNREACHABLE', fact, { hint: texts.dataHint, cause })
  }
  await offerAdoption(setting, given, io)
  return setting
}

/** Only what is not there is missing: what nobody may look at would else pass for an empty journal. */
export function hasJournal(setting: Setting, lang: Lang): boolean {
  const { data } = setting
  if (data === undefined || !isEmbedded(setting, lang)) return true
  try {
    return statSync(journalFile(data)).size >= 0
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return false
    const texts = placeTexts(lang)
    const fact = texts.journal({ folder: data, why: reasonOf(cause) })
    throw new WritError('STORE_UNREACHABLE', fact, { hint: texts.journalHint, cause })
  }
}

function isEmbedded({ loaded, env }: Setting, lang: Lang): boolean {
  if (loaded.config.store !== 'postgres') return true
  const texts = placeTexts(lang)
  if (!env.WRIT_DATABASE_URL) {
    throw new WritError('STORE_UNREACHABLE', texts.databaseUnset, { hint: texts.databaseUnsetHint })
  }
  return false
}

export function unwritable(file: string, cause: unknown, { lang }: Io): WritError {
  const texts = placeTexts(lang)
  return new WritError('OUTPUT_UNWRITABLE', texts.unwritable({ file, why: reasonOf(cause) }), {
    hint: texts.unwritableHint,
    cause,
  })
}

/** Without the system call and its path, which need not be the one that was named. */
export function reasonOf(error: unknown): string {
  return messageOf(error).split(', ', 1)[0] ?? ''
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined
}

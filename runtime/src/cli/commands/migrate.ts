import { rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isObject } from '../../base/json.ts'
import { readConfigText } from '../../config/file.ts'
import { parseJson } from '../../config/json-text.ts'
import { migrateLegacy, oldKey, withOldKeys } from '../../config/legacy.ts'
import { CONFIG_FILE } from '../../config/places.ts'
import { ConfigError, jsonProblem, printable, problemText } from '../../config/problems.ts'
import { WritError } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import { codeOf, unwritable } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'

/** Rewrites old keys in place. Key order, indentation and all other keys stay. */
export async function migrate({ words, values, switches }: Given, io: Io): Promise<number> {
  const texts = messages(io.lang).config
  const named = words[0] ?? values.config ?? (io.env.WRIT_CONFIG || undefined)
  const file = named === undefined ? join(io.cwd, CONFIG_FILE) : resolve(io.cwd, named)
  const text = await readConfigText(file)
  if (text === undefined) throw new WritError('CONFIG_UNREADABLE.missing', { file })
  const before = parsed(file, text)
  const { raw, used, overruled, unknown, invalid } = migrateLegacy(before)
  if (invalid.length > 0) {
    const message = problemText(({ wrongHidden, expected }) => wrongHidden({ expected: expected.boolean }))
    throw new ConfigError(invalid.map((path) => ({ origin: file, path, message })))
  }
  const changed = used.length + overruled.length > 0
  const after = withOldKeys(raw, unknown, before)
  if (changed) {
    await replace(file, `${JSON.stringify(after, null, indentOf(text))}\n`).catch((error: unknown) => {
      throw codeOf(error) === undefined ? error : unwritable(file, error)
    })
  }

  const code = unknown.length === 0 ? 0 : 1
  if (switches.has('json')) {
    io.stdout(`${JSON.stringify({ file, changed, migrated: used, overruled, unknown })}\n`)
    return code
  }
  if (overruled.length > 0) io.stderr(`${texts.legacyOverruled({ keys: overruled })}\n`)
  if (changed) io.stdout(`${texts.migrated({ file, keys: used })}\n`)
  else if (code === 0) io.stdout(`${texts.nothingToMigrate({ file })}\n`)
  if (code === 0) return 0
  io.stderr(`${printable(texts.oldKeysLeft({ keys: unknown.map(oldKey) }))}\n`)
  io.stderr(`${messages(io.lang).cli.hint({ text: texts.oldKeysHint })}\n`)
  return code
}

function parsed(file: string, text: string): Record<string, unknown> {
  if (text === '') return {}
  try {
    const { value } = parseJson(text)
    return isObject(value) ? value : {}
  } catch (error) {
    throw new ConfigError([jsonProblem(file, error)])
  }
}

function indentOf(text: string): string | number {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? 2
}

/** Atomic: a crash in between leaves the old file. */
async function replace(file: string, text: string): Promise<void> {
  const { mode } = await stat(file)
  const draft = `${file}.migrating-${process.pid}`
  try {
    await writeFile(draft, text, { mode, flag: 'wx' })
    await rename(draft, file)
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    throw error
  }
}

import { rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { WritError } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { readConfigText } from '../../config/file.ts'
import { parseJson } from '../../config/json-text.ts'
import { migrateLegacy, oldKey, withOldKeys } from '../../config/legacy.ts'
import { CONFIG_FILE } from '../../config/places.ts'
import { ConfigError, jsonProblem, printable } from '../../config/problems.ts'
import { messages } from '../../i18n/locale.ts'
import { codeOf, unwritable } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { placeTexts } from '../place-texts.ts'

/** Rewrites old keys in place. Key order and indentation stay; what is not old, or not known, is not touched. */
export async function migrate({ words, values, switches }: Given, io: Io): Promise<number> {
  const texts = messages(io.lang).config
  const named = words[0] ?? values.config ?? (io.env.WRIT_CONFIG || undefined)
  const file = named === undefined ? join(io.cwd, CONFIG_FILE) : resolve(io.cwd, named)
  const text = await readConfigText(file, io.lang)
  if (text === undefined) {
    throw new WritError('CONFIG_UNREADABLE', texts.file.missing({ file }), { hint: texts.file.hint })
  }
  const before = parsed(file, text, io)
  const { raw, used, overruled, unknown, invalid } = migrateLegacy(before)
  if (invalid.length > 0) {
    const expected = texts.wrongHidden({ expected: texts.expected.boolean })
    throw new ConfigError(
      invalid.map((path) => ({ origin: file, path, message: expected })),
      io.lang,
    )
  }
  const changed = used.length + overruled.length > 0
  const after = withOldKeys(raw, unknown, before)
  if (changed) {
    await replace(file, `${JSON.stringify(after, null, indentOf(text))}\n`).catch((error: unknown) => {
      throw codeOf(error) === undefined ? error : unwritable(file, error, io)
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
  const { oldKeysLeft, oldKeysHint } = placeTexts(io.lang)
  io.stderr(
    `${printable(oldKeysLeft({ keys: unknown.map(oldKey) }))}\n${messages(io.lang).cli.hint({ text: oldKeysHint })}\n`,
  )
  return code
}

function parsed(file: string, text: string, io: Io): Record<string, unknown> {
  if (text === '') return {}
  try {
    const { value } = parseJson(text)
    return isObject(value) ? value : {}
  } catch (error) {
    throw new ConfigError([jsonProblem(file, error, io.lang)], io.lang)
  }
}

function indentOf(text: string): string | number {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? 2
}

/** Whole or not at all: a crash in between leaves the old file. */
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

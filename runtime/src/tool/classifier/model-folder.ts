/** Reads the description of a text-classification model: which of its labels mean injection, how much it reads at once. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { WritError } from '../../errors/writ-error.ts'

export interface ModelFolder {
  folder: string
  /** Its labels that mean injection. */
  harmful: readonly string[]
  /** Tokens it reads at once. */
  maxTokens: number
  /** Other files make another model. */
  version: string
}

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx']
/** More would be read, but time grows with the square of it. */
const MOST_TOKENS = 512
const LEAST_TOKENS = 8

const HARMFUL = /inject|jailbreak|malicious|attack|unsafe|harmful|poison/i
const HARMLESS = /^(?:safe|benign|legit\w*|normal|clean|harmless|negative|ok|no|none|(?:not?|non)[-_ ]?\w+)$/i

export async function readModelFolder(path: string, chosen: readonly string[] | undefined): Promise<ModelFolder> {
  const folder = await realpath(path).catch(() => undefined)
  if (folder === undefined) throw new WritError('CLASSIFIER_MISSING.folder', { folder: path })
  const versions: string[] = []
  for (const file of FILES) {
    const found = await stat(join(folder, file)).catch(() => undefined)
    if (found?.isFile() !== true) throw new WritError('CLASSIFIER_MISSING.file', { folder: path, file })
    versions.push(`${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`)
  }
  const config = await readJson(folder, 'config.json')
  const tokenizer = await readJson(folder, 'tokenizer_config.json')
  return {
    folder,
    version: versions.join(),
    harmful: harmfulLabels(labelsOf(config, path), { folder: path, chosen }),
    maxTokens: Math.max(
      LEAST_TOKENS,
      Math.min(MOST_TOKENS, ...[config.max_position_embeddings, tokenizer.model_max_length].filter(isCount)),
    ),
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}

async function readJson(folder: string, file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'))
    if (isObject(value)) return value
    throw new TypeError('not an object')
  } catch (error) {
    throw new WritError('CLASSIFIER_BROKEN', { folder: join(folder, file), why: messageOf(error) }, { cause: error })
  }
}

function labelsOf({ id2label }: Record<string, unknown>, folder: string): string[] {
  const labels = isObject(id2label) ? Object.values(id2label) : []
  const names = labels.filter((label) => typeof label === 'string')
  if (names.length < 2 || names.length < labels.length || new Set(names).size < names.length)
    throw new WritError('CLASSIFIER_BROKEN', { folder, why: 'config.json: id2label does not name two or more labels' })
  return names
}

/** Known names, or what the user chose. A label that may mean either is an error, never a guess. */
export function harmfulLabels(
  labels: readonly string[],
  { folder, chosen }: { folder: string; chosen: readonly string[] | undefined },
): string[] {
  if (chosen !== undefined) {
    const isSound = chosen.length > 0 && chosen.length < labels.length && chosen.every((one) => labels.includes(one))
    if (!isSound) throw new WritError('CLASSIFIER_LABELS.chosen', { folder, chosen, labels })
    return [...chosen]
  }
  if (labels.length === 2 && labels.every((label) => /^LABEL_[01]$/.test(label))) return ['LABEL_1']
  const harmful = labels.filter((label) => HARMFUL.test(label) && !HARMLESS.test(label))
  const isKnown = labels.every((label) => harmful.includes(label) || HARMLESS.test(label))
  if (!isKnown || harmful.length === 0 || harmful.length === labels.length)
    throw new WritError('CLASSIFIER_LABELS', { folder, labels })
  return harmful
}

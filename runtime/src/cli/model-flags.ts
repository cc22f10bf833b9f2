/** --script: a scripted model instead of the configured one. --record: a file that model requests are written to. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Model } from '../model/model.ts'
import { recordRequests } from '../model/recorder.ts'
import { parseScript, scriptedModel } from '../model/scripted.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'

interface ModelFlags {
  model: Model | undefined
  recorded(model: Model): Model
  close(): void
}

/** For verbs without an agent; the caller closes the record. */
export async function modelFlags({ values }: Given, io: Io): Promise<ModelFlags> {
  const model = values.script === undefined ? undefined : await readScript(values.script, io)
  const record = values.record === undefined ? undefined : openRecord(values.record, io)
  return {
    model,
    recorded: (inner) => (record === undefined ? inner : recordRequests(inner, record.write)),
    close: () => record?.close(),
  }
}

export async function readScript(file: string, io: Io) {
  const text = await readFile(resolve(io.cwd, file), 'utf8').catch((error: unknown) => {
    throw new WritError('SCRIPT_UNREADABLE', { file, why: messageOf(error) }, { cause: error })
  })
  return scriptedModel(parseScript(text))
}

export function openRecord(file: string, io: Io) {
  try {
    const handle = openSync(resolve(io.cwd, file), 'w', 0o600)
    return { write: (line: string) => void writeSync(handle, `${line}\n`), close: () => closeSync(handle) }
  } catch (error) {
    throw new WritError('RECORD_UNWRITABLE', { file, why: messageOf(error) }, { cause: error })
  }
}

/** The model that --script puts in place of the configured one, and the file that --record writes requests to. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf, WritError } from '../base/errors.ts'
import type { Model } from '../model/model.ts'
import { recordRequests } from '../model/recorder.ts'
import { parseScript, scriptedModel } from '../model/scripted.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { cliTexts } from './texts.ts'

interface ModelFlags {
  model: Model | undefined
  recorded(model: Model): Model
  close(): void
}

/** For verbs that need no agent; the caller closes the record. */
export async function modelFlags({ values }: Given, io: Io): Promise<ModelFlags> {
  const model = values.script === undefined ? undefined : await readScript(values.script, io)
  const record = values.record === undefined ? undefined : openRecord(values.record, io)
  return {
    model,
    recorded: (asked) => (record === undefined ? asked : recordRequests(asked, record.write)),
    close: () => record?.close(),
  }
}

export async function readScript(file: string, io: Io) {
  const { task: texts } = cliTexts(io.lang)
  const text = await readFile(resolve(io.cwd, file), 'utf8').catch((error: unknown) => {
    throw new WritError('SCRIPT_UNREADABLE', texts.scriptUnreadable({ file, why: messageOf(error) }), {
      hint: texts.scriptHint,
      cause: error,
    })
  })
  return scriptedModel(parseScript(text))
}

export function openRecord(file: string, io: Io) {
  const { task: texts } = cliTexts(io.lang)
  try {
    const handle = openSync(resolve(io.cwd, file), 'w', 0o600)
    return { write: (line: string) => void writeSync(handle, `${line}\n`), close: () => closeSync(handle) }
  } catch (error) {
    throw new WritError('RECORD_UNWRITABLE', texts.recordUnwritable({ file, why: messageOf(error) }), {
      hint: texts.recordHint,
      cause: error,
    })
  }
}

/** Writes the head of every run that ends in this process to a file or program outside the store. */
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'
import { headOf } from '../journal/heads.ts'
import { endsRecord, type Store } from '../journal/store.ts'
import { scrubEnv } from '../tool/guard/process.ts'

const COMMAND_MS = 30_000

export interface HeadPlaces {
  file: string | undefined
  command: readonly string[] | undefined
  env: Readonly<Record<string, string | undefined>>
}

export interface HeadRecorder {
  /** Resolves when every head so far was written or reported as not written. */
  settled(): Promise<void>
}

/** Throws immediately when the file cannot be written: a proof that is silently missing is worse than none. */
export async function recordHeads(store: Store, places: HeadPlaces): Promise<HeadRecorder | undefined> {
  const { file, command } = places
  if (file === undefined && command === undefined) return undefined
  if (file !== undefined) await checkWritable(file)
  let read = 0
  let working = Promise.resolve()
  const write = async (runIds: ReadonlySet<string>): Promise<void> => {
    const seals = await store.readSeals(read)
    read = seals.at(-1)?.n ?? read
    for (const seal of seals.filter(({ runId, lastSeq }) => lastSeq > 0 && runIds.has(runId))) {
      const line = `${JSON.stringify(headOf(seal))}\n`
      if (file !== undefined) await appendFile(file, line, { mode: 0o600 })
      if (command !== undefined) await pipeTo(command, line, places)
    }
  }
  store.onAppend((events, from) => {
    const ended = new Set(from === 'here' ? events.filter(endsRecord).map(({ runId }) => runId) : [])
    if (ended.size === 0) return
    working = working
      .then(() => write(ended))
      .catch((error: unknown) => {
        process.emitWarning(`the head of a run was not written: ${messageOf(error)}`, {
          code: 'AUDIT_HEAD_NOT_WRITTEN',
        })
      })
  })
  return { settled: () => working }
}

async function checkWritable(file: string): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    await (await open(file, 'a', 0o600)).close()
  } catch (cause) {
    throw new WritError('AUDIT_HEADS_UNWRITABLE', { file, why: messageOf(cause) }, { cause })
  }
}

function pipeTo([program = '', ...args]: readonly string[], line: string, { env }: HeadPlaces): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { env: scrubEnv(env), timeout: COMMAND_MS }, (error) =>
      error === null ? resolve() : reject(error),
    )
    // A program may close its input without reading it; its exit code decides.
    child.stdin?.on('error', () => {})
    child.stdin?.end(line)
  })
}

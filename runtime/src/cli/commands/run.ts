import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { addAbortSignal } from 'node:stream'
import type { Confirm } from '../../agent/context.ts'
import type { WorkspaceContext } from '../../agent/workspace-context.ts'
import { type Agent, type AgentOptions, createAgent } from '../../assembly/agent.ts'
import { messageOf } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { present } from '../../base/present.ts'
import { untrustedWarning } from '../../config/untrusted.ts'
import { WritError } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import { readAttachments } from '../attach.ts'
import { writableWorkspace } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { openRecord, readScript } from '../model-flags.ts'
import { connectingLine, progressOn } from '../progress.ts'
import { makeConfirm, readFromTerminal } from '../question.ts'
import { warnBeforeCommands, warnUnsandboxed } from '../sandbox-notice.ts'
import { cliTexts } from '../texts.ts'
import { type Viewer, watch } from '../watch.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const MAX_TASK_BYTES = 1024 * 1024

export async function run(given: Given, io: Io): Promise<number> {
  const task = await readTask(given, io)
  if (task === undefined) return 130
  const { schema } = given.values
  const outputSchema = schema === undefined ? undefined : await readSchema(schema, io)
  const attachments = given.attach && (await readAttachments(given.attach, io))
  return withAgent(given, io, async (agent, viewer) => {
    const sessionId = given.values.session
    if (sessionId !== undefined) await requireSession(agent, sessionId)
    const { signal } = given
    return watch(agent.stream(task, present({ signal, sessionId, outputSchema, attachments })), {
      ...viewer,
      onlyOutput: outputSchema !== undefined,
    })
  })
}

async function readSchema(file: string, io: Io): Promise<JsonObject> {
  try {
    const schema: unknown = JSON.parse(await readFile(resolve(io.cwd, file), 'utf8'))
    if (!isObject(schema)) throw new TypeError('not a JSON object')
    return schema as JsonObject
  } catch (error) {
    throw new WritError('OUTPUT_SCHEMA.file', { file, why: messageOf(error) }, { cause: error })
  }
}

/** Opens the agent that the flags describe, and closes it after `work`. */
export async function withAgent(
  given: Given,
  io: Io,
  work: (agent: Agent, viewer: Viewer) => Promise<number>,
  loaded?: WorkspaceContext,
): Promise<number> {
  const texts = cliTexts(io.lang)
  const progress = progressOn(process.stderr, { seconds: (s) => texts.watch.seconds({ s }), env: io.env })
  const confirm = makeConfirm(given, io, {
    before: () => progress.clear(),
    read: readFromTerminal,
    lend: (work) => work(),
  })
  const { agent, close } = await openAgent(given, io, confirm, loaded)
  try {
    const lang = agent.config.lang
    return await work(agent, { io: { ...io, lang }, json: given.switches.has('json'), progress })
  } finally {
    await close()
  }
}

/** Prints the configuration's warnings. The caller closes the agent. */
export async function openAgent(
  given: Given,
  io: Io,
  confirm: Confirm | undefined,
  loaded?: WorkspaceContext,
): Promise<{ agent: Agent; close(): Promise<void> }> {
  const { switches } = given
  if (switches.has('yes') && switches.has('no-input')) {
    throw new WritError('USAGE.exclusive', { names: ['--yes', '--no-input'], verb: given.verb })
  }
  const { options, close: closeRecord } = await agentOptions(given, io, loaded)
  try {
    const agent = await createAgent({ ...options, ...present({ confirm }), onConnecting: connectingLine(io) })
    // The agents of a workflow get their identity from their nodes only.
    const anonymous = given.verb.startsWith('workflow ')
    const { identity, skills } = agent.untrusted
    const untrusted = untrustedWarning(agent.config, anonymous ? skills : [...identity, ...skills])
    const own = anonymous ? [] : agent.identityWarnings
    for (const text of [...agent.config.warnings, ...untrusted, ...agent.warnings, ...own])
      io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
    const { sandbox } = agent.engine.world
    const stopWaiting = warnBeforeCommands(sandbox, io)
    if (given.verb !== 'run') await warnUnsandboxed(sandbox, io)
    const close = async () => {
      stopWaiting()
      await agent.close()
      closeRecord()
    }
    return { agent, close }
  } catch (error) {
    closeRecord()
    throw error
  }
}

/** Reads the script, opens the record and loads the workspace, unless it is loaded already. The caller closes. */
export async function agentOptions(
  given: Given,
  io: Io,
  loaded?: WorkspaceContext,
): Promise<{ options: AgentOptions; close(): void }> {
  const { values } = given
  const script = values.script === undefined ? undefined : await readScript(values.script, io)
  const context = await writableWorkspace(given, io, loaded)
  const record = values.record === undefined ? undefined : openRecord(values.record, io)
  const options = {
    ...workspaceFlags(given, io),
    context,
    suspended: given.terminated,
    ...present({ model: script, record: record?.write }),
  }
  return { options, close: () => record?.close() }
}

export async function requireSession({ store }: Agent, id: string): Promise<void> {
  const [known] = await store.listRuns({ sessionId: id, limit: 1 })
  if (known === undefined) throw new WritError('SESSION_UNKNOWN.named', { id })
}

/** Undefined when aborted before the text was complete. */
async function readTask({ words, signal }: Given, io: Io): Promise<string | undefined> {
  const fromStdin = words.length === 1 && words[0] === '-'
  const bytes = fromStdin ? await readStdin(io, signal) : Buffer.from(words.join(' '))
  if (signal.aborted) return undefined
  if (bytes.length > MAX_TASK_BYTES) throw new WritError('TASK_TOO_LARGE', { max: MAX_TASK_BYTES })
  let task: string
  try {
    task = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    task = '\0'
  }
  if (task.includes('\0')) throw new WritError('TASK_NOT_TEXT')
  if (task.trim() === '') throw new WritError('TASK_EMPTY')
  return task.trim()
}

async function readStdin(io: Io, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of addAbortSignal(signal, io.stdin())) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_TASK_BYTES) break
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return Buffer.concat(chunks)
}

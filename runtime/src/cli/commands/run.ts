import { addAbortSignal } from 'node:stream'
import type { Confirm } from '../../agent/context.ts'
import { type Agent, type AgentOptions, createAgent } from '../../assembly/agent.ts'
import { WritError } from '../../base/errors.ts'
import { untrustedWarning } from '../../config/untrusted.ts'
import { messages } from '../../i18n/locale.ts'
import { settingToKeep } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { openRecord, readScript } from '../model-flags.ts'
import { progressOn } from '../progress.ts'
import { answering, readFromTerminal } from '../question.ts'
import { sayUnfenced } from '../sandbox-notice.ts'
import { settingFlags } from '../setting-flags.ts'
import { cliTexts } from '../texts.ts'
import { type Viewer, watch } from '../watch.ts'

const MAX_TASK_BYTES = 1024 * 1024

export async function run(given: Given, io: Io): Promise<number> {
  const task = await readTask(given, io)
  if (task === undefined) return 130
  return withAgent(given, io, async (agent, viewer) => {
    const sessionId = given.values.session
    if (sessionId !== undefined) await demandSession(agent, sessionId, io)
    const { signal } = given
    return watch(agent.stream(task, sessionId === undefined ? { signal } : { signal, sessionId }), viewer)
  })
}

/** An agent as the flags describe it, for as long as `work` needs it. */
export async function withAgent(
  given: Given,
  io: Io,
  work: (agent: Agent, viewer: Viewer) => Promise<number>,
): Promise<number> {
  const texts = cliTexts(io.lang)
  const progress = progressOn(process.stderr, { seconds: (s) => texts.watch.seconds({ s }), env: io.env })
  const confirm = answering(given, io, { before: () => progress.clear(), read: readFromTerminal })
  const { agent, close } = await openAgent(given, io, confirm)
  try {
    const lang = agent.config.lang
    return await work(agent, { io: { ...io, lang }, json: given.switches.has('json'), progress })
  } finally {
    await close()
  }
}

/** The caller closes it. What the configuration warns of has been said. */
export async function openAgent(
  given: Given,
  io: Io,
  confirm: Confirm | undefined,
): Promise<{ agent: Agent; close(): Promise<void> }> {
  const { switches } = given
  if (switches.has('yes') && switches.has('no-input')) {
    const { task, usage } = cliTexts(io.lang)
    throw new WritError('USAGE', task.bothAnswers, { hint: usage.verbHelp({ verb: given.verb }) })
  }
  const { options, close: closeRecord } = await agentOptions(given, io)
  try {
    const agent = await createAgent({ ...options, ...(confirm === undefined ? {} : { confirm }) })
    // A workflow's agents have no identity but what their nodes say.
    const anonymous = given.verb.startsWith('workflow ')
    const { identity, skills } = agent.untrusted
    const untrusted = untrustedWarning(agent.config, anonymous ? skills : [...identity, ...skills])
    const own = anonymous ? [] : agent.identityWarnings
    for (const text of [...agent.config.warnings, ...untrusted, ...agent.warnings, ...own])
      io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
    // A run begins at once: by its first command it is known, since that waits for the same answer.
    const noticed = sayUnfenced(agent.engine.world.sandbox, io)
    if (given.verb !== 'run') await noticed
    const close = async () => {
      await noticed
      await agent.close()
      closeRecord()
    }
    return { agent, close }
  } catch (error) {
    closeRecord()
    throw error
  }
}

/** The agent the flags describe, its script read and its record opened; the caller closes the record. */
export async function agentOptions(given: Given, io: Io): Promise<{ options: AgentOptions; close(): void }> {
  const { values } = given
  const script = values.script === undefined ? undefined : await readScript(values.script, io)
  await settingToKeep(given, io)
  const record = values.record === undefined ? undefined : openRecord(values.record, io)
  const options = {
    ...settingFlags(given, io),
    suspended: given.terminated,
    ...(script === undefined ? {} : { model: script }),
    ...(record === undefined ? {} : { record: record.write }),
  }
  return { options, close: () => record?.close() }
}

export async function demandSession({ store }: Agent, id: string, io: Io): Promise<void> {
  const { task } = cliTexts(io.lang)
  const [known] = await store.listRuns({ sessionId: id, limit: 1 })
  if (known === undefined) {
    throw new WritError('SESSION_UNKNOWN', task.sessionUnknown({ id }), { hint: task.sessionHint })
  }
}

/** Undefined when its reader was called off before the text was complete. */
async function readTask({ words, signal }: Given, io: Io): Promise<string | undefined> {
  const { task: texts } = cliTexts(io.lang)
  const fromStdin = words.length === 1 && words[0] === '-'
  const bytes = fromStdin ? await readStdin(signal) : Buffer.from(words.join(' '))
  if (signal.aborted) return undefined
  if (bytes.length > MAX_TASK_BYTES) {
    throw new WritError('TASK_TOO_LARGE', texts.tooLarge({ max: MAX_TASK_BYTES }), { hint: texts.tooLargeHint })
  }
  let task: string
  try {
    task = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    task = '\0'
  }
  if (task.includes('\0')) throw new WritError('TASK_NOT_TEXT', texts.notText, { hint: texts.notTextHint })
  if (task.trim() === '') throw new WritError('TASK_EMPTY', texts.empty, { hint: texts.emptyHint })
  return task.trim()
}

/** One byte more than is allowed is enough to know that it is too much. */
async function readStdin(signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of addAbortSignal(signal, process.stdin)) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_TASK_BYTES) break
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return Buffer.concat(chunks)
}

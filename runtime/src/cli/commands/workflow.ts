/** `writ workflow …`: documents of nodes, run through the same gate and journal. */
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { styleText } from 'node:util'
import type { Agent } from '../../assembly/agent.ts'
import { messageOf } from '../../base/errors.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { dataDir } from '../../config/places.ts'
import { errorText, WritError } from '../../errors/writ-error.ts'
import type { Lang } from '../../i18n/locale.ts'
import { type RefusedCall, refusalIn } from '../../journal/refused.ts'
import { type Event, type EventOf, isEphemeral } from '../../protocol/event.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import type { Workflow } from '../../workflow/document.ts'
import { type Problem, problemLine, WorkflowInvalid } from '../../workflow/invalid.ts'
import { readSource, readWorkflowFile, type Source } from '../../workflow/read.ts'
import type { WorkflowResult } from '../../workflow/run.ts'
import { problemText } from '../../workflow/texts.ts'
import { exitCode } from '../exit-code.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { textTable } from '../table.ts'
import { cliTexts } from '../texts.ts'
import { fit } from '../visible.ts'
import { show, showRefusal, type Viewer } from '../watch.ts'
import { workflowCliTexts } from '../workflow-texts.ts'
import { openAgent, requireSession, withAgent } from './run.ts'

const ABOUT_WIDTH = 60

export async function workflowRun(given: Given, io: Io): Promise<number> {
  const [file = ''] = given.words
  const input = inputOf(given)
  const source = await read(file, io)
  return withAgent(given, io, async (agent, viewer) => {
    const { signal } = given
    const sessionId = given.values.session
    if (sessionId !== undefined) await requireSession(agent, sessionId)
    const events = agent.workflows.stream(source.raw, input, { signal, ...(sessionId && { sessionId }) })
    return watchWorkflow(events, viewer).catch((error: unknown) => {
      if (!(error instanceof WorkflowInvalid)) throw error
      throw inputsMissing(error, file) ?? new WorkflowInvalid(source.located(error.problems), { origin: file })
    })
  })
}

/** Undefined when there are other problems: each is then listed with its place. */
function inputsMissing({ problems }: WorkflowInvalid, file: string): WritError | undefined {
  const names = problems.map(({ message }) => {
    const name = /^\{\{external\.(.+?)\}\}/.exec(message.en)?.[1] ?? ''
    return message.en === problemText((texts) => texts.externalMissing({ name })).en ? name : undefined
  })
  const missing = [...new Set(names.filter((name) => name !== undefined))]
  return names.includes(undefined)
    ? undefined
    : new WritError('WORKFLOW_INVALID.inputMissing', { origin: file, names: missing })
}

export async function workflowResume(given: Given, io: Io): Promise<number> {
  const [runId = '', file] = given.words
  const again = file === undefined ? {} : { document: (await read(file, io)).raw, input: inputOf(given) }
  return withAgent(given, io, (agent, viewer) =>
    watchWorkflow(agent.workflows.resume(runId, { signal: given.signal, ...again }), viewer),
  )
}

/** Runs and stores nothing. */
export async function workflowCheck(given: Given, io: Io): Promise<number> {
  const [file = ''] = given.words
  const json = given.switches.has('json')
  const texts = workflowCliTexts(io.lang)
  const input = given.inputs === undefined ? undefined : inputOf(given)
  const found = await withoutJournal(given, io, (agent) => look(agent, file, { input, io }))
  const { problems, workflow, inputs } = found
  if (json) {
    const { name = '', nodes = [] } = workflow ?? {}
    io.stdout(
      `${JSON.stringify({ ok: problems.length === 0, name, nodes: nodes.length, inputs, problems: problemsFor(problems, io.lang) })}\n`,
    )
  } else if (workflow !== undefined && problems.length === 0) {
    io.stdout(`${texts.good({ name: oneLine(workflow.name), nodes: workflow.nodes.length })}\n`)
    if (inputs.length > 0) io.stdout(`${texts.needs({ names: inputs })}\n`)
  } else {
    for (const problem of problems) {
      const at = `${file}${problem.line === undefined ? ': ' : ':'}${problemLine(problem, io.lang)}`
      io.stdout(`${styleText('red', '✗', { stream: process.stdout })} ${oneLine(at)}\n`)
    }
  }
  return problems.length === 0 ? 0 : 2
}

function problemsFor(problems: readonly Problem[], lang: Lang) {
  return problems.map(({ message, ...problem }) => ({ ...problem, message: message[lang] }))
}

interface Look {
  workflow: Workflow | undefined
  problems: readonly Problem[]
  inputs: string[]
}

async function look(agent: Agent, file: string, at: { input: JsonObject | undefined; io: Io }): Promise<Look> {
  const source = await read(file, at.io).catch((error: unknown) => {
    if (error instanceof WorkflowInvalid) return error
    throw error
  })
  if (source instanceof WorkflowInvalid) return { workflow: undefined, problems: source.problems, inputs: [] }
  try {
    const { problems, inputs } = agent.workflows.check(source.raw, at.input)
    return { workflow: source.raw as Workflow, problems: source.located(problems), inputs }
  } catch (error) {
    if (!(error instanceof WorkflowInvalid)) throw error
    return { workflow: undefined, problems: source.located(error.problems), inputs: [] }
  }
}

async function withoutJournal<T>(given: Given, io: Io, work: (agent: Agent) => Promise<T>): Promise<T> {
  const values = { ...given.values, data: ':memory:' }
  const { agent, close } = await openAgent({ ...given, values }, io, undefined)
  try {
    return await work(agent)
  } finally {
    await close()
  }
}

export async function workflowList(given: Given, io: Io): Promise<number> {
  const texts = workflowCliTexts(io.lang)
  const [named] = given.words
  const folder =
    named === undefined ? join(dataDir(given.values.data, io.env, io.cwd), 'workflows') : resolve(io.cwd, named)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || named !== undefined) {
      throw new WritError('INPUT_UNREADABLE.workflowFolder', { why: messageOf(error) }, { cause: error })
    }
    return []
  })
  const files = names.filter((name) => /\.(?:ya?ml|json)$/.test(name)).sort()
  const found = await Promise.all(files.map((file) => summaryOf(join(folder, file), { file, io })))
  if (given.switches.has('json')) for (const one of found) io.stdout(`${JSON.stringify(one)}\n`)
  else if (found.length === 0) io.stdout(`${texts.none({ folder })}\n${texts.noneHint}\n`)
  else io.stdout(`${table(found, io)}\n`)
  return 0
}

interface Summary {
  file: string
  name: string
  description: string
  nodes: number
  error?: string
}

async function summaryOf(path: string, { file, io }: { file: string; io: Io }): Promise<Summary> {
  try {
    const { name, description = '', nodes } = await readWorkflowFile(path, { origin: file })
    return { file, name, description, nodes: nodes.length }
  } catch (error) {
    return { file, name: '', description: '', nodes: 0, error: errorText(error, io.lang).message }
  }
}

function table(found: readonly Summary[], io: Io): string {
  const { columns, broken } = workflowCliTexts(io.lang)
  const rows = [
    [columns.file, columns.name, columns.nodes, columns.about],
    ...found.map(({ file, name, nodes, description, error }) => [
      oneLine(file),
      oneLine(name),
      String(nodes),
      error === undefined ? fit(oneLine(description), ABOUT_WIDTH) : broken,
    ]),
  ]
  return textTable(rows)
}

function read(file: string, io: Io): Promise<Source> {
  return readSource(resolve(io.cwd, file), { origin: file })
}

/** `NAME=VALUE` is always text; `NAME:=VALUE` is JSON. No name ends with a colon. */
function inputOf({ inputs = [] }: Given): JsonObject {
  const jsonIn = (text: string, name: string): Json => {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new WritError('USAGE.inputNotJson', { name }, { cause })
    }
  }
  const given = new Map<string, Json>()
  for (const text of inputs) {
    const equals = text.indexOf('=')
    const isJson = text[equals - 1] === ':'
    const name = text.slice(0, isJson ? equals - 1 : Math.max(0, equals))
    if (name === '') throw new WritError('USAGE.input', { text })
    if (given.has(name)) throw new WritError('USAGE.inputTwice', { name })
    const value = text.slice(equals + 1)
    given.set(name, isJson ? jsonIn(value, name) : value)
  }
  return Object.fromEntries(given)
}

export async function watchWorkflow(events: AsyncGenerator<Event, WorkflowResult>, viewer: Viewer): Promise<number> {
  const { io, json, progress } = viewer
  let workflowRun: string | undefined
  const nodeRuns = new Set<string>()
  const calls = new Map<string, string>()
  const denials: RefusedCall[] = []
  try {
    for (;;) {
      const next = await events.next()
      if (next.done) {
        const { value: result } = next
        progress.clear()
        if (json) io.stdout(`${JSON.stringify({ type: 'result', ...result, denials })}\n`)
        else if (result.output !== undefined) {
          const { output } = result
          const text = typeof output === 'string' ? output.replace(/\n$/, '') : JSON.stringify(output, null, 2)
          io.stdout(`${io.isTty ? visible(text) : text}\n`)
        }
        return exitCode(result.stopReason, new Set())
      }
      const event = next.value
      workflowRun ??= event.runId
      denials.push(...refusalIn(event))
      if (json) {
        if (!isEphemeral(event.type)) io.stdout(`${JSON.stringify(event)}\n`)
        showRefusal(event, { io, calls })
        continue
      }
      if (event.type === 'node.started') {
        if (event.data.runId !== undefined) nodeRuns.add(event.data.runId)
        progress.show(`${event.data.node} · ${event.data.tool}`)
      } else if (event.type === 'node.finished') {
        progress.clear()
        io.stderr(`${nodeLine(event, io)}\n`)
      } else if (event.type === 'run.stopped') {
        // The end of an agent in a node is shown with the node.
        if (event.runId === workflowRun) summarise(event, viewer)
      } else if (!(nodeRuns.has(event.runId) && (event.type === 'tool.call' || event.type === 'tool.result'))) {
        show(event, { ...viewer, calls })
      }
    }
  } finally {
    progress.clear()
  }
}

function summarise({ data }: EventOf<'run.stopped'>, { io, progress }: Viewer): void {
  progress.clear()
  io.stderr(`${styleText('dim', oneLine(data.stop.text), { stream: process.stderr })}\n`)
}

function nodeLine({ data }: EventOf<'node.finished'>, io: Io): string {
  const { watch: texts } = cliTexts(io.lang)
  const stream = { stream: process.stderr }
  const { node, state, elapsedMs, message = '', code } = data
  const why = fit(oneLine(message), 300)
  if (state === 'skipped') {
    return `${styleText('dim', '-', stream)} ${node} ${workflowCliTexts(io.lang).skipped({ why })}`
  }
  const took = styleText('dim', texts.ms({ ms: elapsedMs }), stream)
  if (data.ok) return `${styleText('green', '✓', stream)} ${node} ${took}`
  return `${styleText('red', '✗', stream)} ${node} ${took} ${texts.failed({ why: `${code}: ${why}` })}`
}

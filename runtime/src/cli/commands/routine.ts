/** `writ routine …`: scheduled tasks. */
import { styleText } from 'node:util'
import { loadWorkspace, type WorkspaceContext } from '../../agent/workspace-context.ts'
import type { Agent } from '../../assembly/agent.ts'
import { routineApprovals } from '../../assembly/routine-approvals.ts'
import { type AgentRoutines, firingOf, openWorkspaceRoutines } from '../../assembly/routines.ts'
import type { RunResult } from '../../assembly/turns.ts'
import { messageOf } from '../../base/errors.ts'
import { present } from '../../base/present.ts'
import { errorText, WritError } from '../../errors/writ-error.ts'
import { approvalWords } from '../../i18n/approval-words.ts'
import { messages } from '../../i18n/locale.ts'
import type { Routine, Routines } from '../../ports/routines.ts'
import type { Event } from '../../protocol/event.ts'
import { AUTONOMY_LEVELS, type Autonomy } from '../../protocol/policy.ts'
import { EVERYONE, LOCAL } from '../../protocol/principal.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import { type News, type Outcome, wasRefused } from '../../routine/engine.ts'
import { nextAfter, parseSchedule } from '../../routine/schedule.ts'
import { canAsk } from '../adoption.ts'
import { hasJournal, writableWorkspace } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { readFromTerminal } from '../question.ts'
import { textTable } from '../table.ts'
import { cliTexts } from '../texts.ts'
import { fit } from '../visible.ts'
import { type Viewer, watch } from '../watch.ts'
import { workspaceFlags } from '../workspace-flags.ts'
import { withAgent } from './run.ts'

const SHOWN_TIMES = 3
const TASK_WIDTH = 50
/** As for any run that succeeded but lacked an approval. */
const APPROVAL_MISSING = 5

export function routineAdd(given: Given, io: Io): Promise<number> {
  const [name = '', schedule = '', ...task] = given.words
  // Here --autonomy is the routine's level; it cannot exceed the configured one.
  const { autonomy, allow, 'time-zone': timeZone, ...values } = given.values
  const level = AUTONOMY_LEVELS.find((each) => each.toLowerCase() === autonomy?.toLowerCase()) ?? autonomy
  return withOwnRoutines({ ...given, values }, io, async ({ routines }, at, context) => {
    const { routine: texts } = cliTexts(at.lang)
    const draft = { name, schedule, task: task.join(' '), createdBy: 'user' }
    // Reports errors before asking.
    routines.plan(draft)
    const approvals = allow === undefined ? [] : await approvedCommands({ name, line: allow, context }, given, at)
    const added = await routines.add({
      ...draft,
      approvals,
      ...present({ timeZone, autonomy: level as Autonomy | undefined }),
    })
    const times = timesOf(added)
    if (given.switches.has('json')) {
      io.stdout(`${JSON.stringify({ ...added, next: times })}\n`)
      return 0
    }
    const { timeZone: zone } = added
    io.stdout(`${texts.added({ name: added.name, schedule: added.schedule, zone })}\n`)
    for (const time of times) io.stdout(`  ${clockOf(time, zone)}\n`)
    io.stderr(`${texts.startHint}\n`)
    return 0
  })
}

/** Shows the commands and everything their approval covers; without a terminal, `--yes` is required. */
async function approvedCommands(
  { name, line, context }: { name: string; line: string; context: WorkspaceContext },
  given: Given,
  io: Io,
): Promise<string[]> {
  const { routine: texts } = messages(io.lang)
  const keys = await routineApprovals(line, context)
  const covered = keys.map((key) => approvalWords(oneLine(key), io.lang)).join(', ')
  io.stderr(`${texts.allows({ name, line: oneLine(line), keys: covered })}\n`)
  if (given.switches.has('yes')) return keys
  if (!canAsk(given)) throw new WritError('ROUTINE_ALLOW.unconfirmed')
  if (/^\s*y(?:es)?\s*$/i.test(await readFromTerminal(texts.allowAsk, given.signal))) return keys
  throw new WritError('ROUTINE_ALLOW.declined')
}

export function routineList(given: Given, io: Io): Promise<number> {
  return withRoutines(given, io, async (agentRoutines, at) => {
    const routines = routinesFor(given, agentRoutines)
    const { routine: texts } = cliTexts(at.lang)
    const list = await routines.list()
    if (given.switches.has('json')) for (const routine of list) io.stdout(`${JSON.stringify(routine)}\n`)
    else io.stdout(`${list.length === 0 ? texts.none : tableOf(list, texts)}\n`)
    return 0
  })
}

export function routineRemove(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withRoutines(given, io, async (agentRoutines, at) => {
    const routines = routinesFor(given, agentRoutines)
    const { routine: texts } = cliTexts(at.lang)
    await routines.remove(name)
    return say(given, io, { json: { removed: name }, text: texts.removed({ name }) })
  })
}

export function routinePause(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withRoutines(given, io, async (agentRoutines, at) => {
    const routines = routinesFor(given, agentRoutines)
    const { routine: texts } = cliTexts(at.lang)
    if (!given.switches.has('resume')) {
      return say(given, io, { json: await routines.pause(name), text: texts.paused({ name }) })
    }
    const json = await routines.resume(name)
    return say(given, io, { json, text: texts.resumed({ name, time: clockOf(json.nextDueAt, json.timeZone) }) })
  })
}

/** Now and in the foreground, with the same authority as when unattended. */
export function routineRun(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withRoutines(given, io, async (agentRoutines, _at, context) => {
    const routine = await routinesFor(given, agentRoutines).demand(name)
    const work = async (agent: Agent, viewer: Viewer) => {
      let code = 1
      const engine = agentRoutines.engineFor(agent, {
        async runTask(due) {
          const { task, owner: principal, signal } = due
          const { promise, resolve } = Promise.withResolvers<RunResult>()
          async function* seen(): AsyncGenerator<Event, RunResult> {
            const result = yield* agent.stream(task, { signal, principal, routine: firingOf(due) })
            resolve(result)
            return viewer.json ? result : { ...result, reply: outputOf(result, viewer.io) }
          }
          code = await watch(seen(), viewer)
          const result = await promise
          if (wasRefused(result)) {
            if (code === 0) code = APPROVAL_MISSING
            viewer.io.stderr(`${messages(viewer.io.lang).routine.refusedHint({ name: routine.name })}\n`)
          }
          return result
        },
      })
      await engine.runNow(routine, given.signal)
      return code
    }
    return withAgent(given, io, work, context)
  })
}

export function routineStart(given: Given, io: Io): Promise<number> {
  const json = given.switches.has('json')
  return withOwnRoutines(given, io, (agentRoutines, at, context) => {
    const work = async (agent: Agent) => {
      const { routine: texts } = cliTexts(at.lang)
      const cut = new AbortController()
      let drains = false
      const onTerm = () => {
        drains = true
      }
      // Before the handler that aborts the command: on SIGTERM, running routines may finish.
      process.prependListener('SIGTERM', onTerm)
      given.signal.addEventListener('abort', () => {
        if (!drains) cut.abort()
      })
      const tell = (news: News) => {
        if (json) io.stdout(`${JSON.stringify(news.type === 'error' ? errorLine(news) : news)}\n`)
        else if (news.type === 'error')
          io.stderr(`${texts.failed({ name: news.name ?? '', message: errorText(news.error, at.lang).message })}\n`)
        else io.stdout(`${newsText(news, at)}\n`)
      }
      const count = (await agentRoutines.routinesOf(EVERYONE, LOCAL).list()).length
      io.stderr(`${texts.watching({ count })}\n`)
      await agentRoutines.engineFor(agent, { tell }).start(given.signal, { cut: cut.signal })
      process.off('SIGTERM', onTerm)
      return 0
    }
    return withAgent({ ...given, terminated: new AbortController().signal }, at, work, context)
  })
}

/** The user's own, or everyone's with --everyone. */
function routinesFor({ switches }: Given, agentRoutines: AgentRoutines): Routines {
  return agentRoutines.routinesOf(switches.has('everyone') ? EVERYONE : LOCAL, LOCAL)
}

/** Reading creates no store: without one, there are no routines. */
async function withRoutines(given: Given, io: Io, work: RoutineWork): Promise<number> {
  const context = await loadWorkspace(workspaceFlags(given, io))
  return workAt(hasJournal(context) ? context : { ...context, data: undefined }, io, work)
}

async function withOwnRoutines(given: Given, io: Io, work: RoutineWork): Promise<number> {
  return workAt(await writableWorkspace(given, io), io, work)
}

type RoutineWork = (agentRoutines: AgentRoutines, at: Io, context: WorkspaceContext) => Promise<number>

async function workAt(context: WorkspaceContext, io: Io, work: RoutineWork): Promise<number> {
  const agentRoutines = await openWorkspaceRoutines(context)
  try {
    return await work(agentRoutines, { ...io, lang: context.loaded.lang }, context)
  } finally {
    await agentRoutines.close()
  }
}

function say({ switches }: Given, io: Io, { json, text }: { json: object; text: string }): number {
  io.stdout(`${switches.has('json') ? JSON.stringify(json) : text}\n`)
  return 0
}

/** No one can answer a question of a routine, so it is printed as the output, marked as a question. */
function outputOf({ reply, stopReason }: Pick<Outcome, 'reply' | 'stopReason'>, io: Io): string {
  return stopReason === 'clarification' ? cliTexts(io.lang).routine.question({ text: reply }) : reply
}

export function newsText(news: Exclude<News, { type: 'error' }>, io: Io): string {
  const { routine: texts } = cliTexts(io.lang)
  const paint = { stream: process.stdout }
  switch (news.type) {
    case 'routine.fired':
      return `${styleText('bold', '▶', paint)} ${news.name}  ${new Date(news.dueAt).toISOString()}`
    case 'routine.skipped':
      return `${styleText('yellow', '-', paint)} ${news.name}  ${texts.skipped[news.why]}`
    case 'routine.finished': {
      const { name, stopReason, runId } = news
      const good =
        !news.refused && (stopReason === 'final' || stopReason === 'reported' || stopReason === 'clarification')
      const mark = good ? styleText('green', '✓', paint) : styleText('red', '✗', paint)
      const lines = visible(outputOf(news, io)).trimEnd().split('\n')
      return [
        `${mark} ${name}  ${news.refused ? 'refused' : stopReason}  ${runId}`,
        ...lines.map((line) => `  ${line}`),
      ].join('\n')
    }
    default:
      return news satisfies never
  }
}

function errorLine({ name, error }: Extract<News, { type: 'error' }>) {
  return { type: 'error', name: name ?? '', message: messageOf(error) }
}

function tableOf(list: readonly Routine[], texts: ReturnType<typeof cliTexts>['routine']): string {
  const { name, schedule, zone, next, last, task } = texts.columns
  const rows = list.map((each) => [
    each.name,
    each.schedule,
    each.timeZone,
    each.paused ? texts.isPaused : clockOf(each.nextDueAt, each.timeZone),
    each.lastStop ?? '-',
    fit(oneLine(each.task), TASK_WIDTH),
  ])
  return textTable([[name, schedule, zone, next, last, task], ...rows])
}

function timesOf({ schedule, timeZone, nextDueAt }: Routine): number[] {
  const parsed = parseSchedule(schedule, timeZone)
  const times = [nextDueAt]
  while (times.length < SHOWN_TIMES) times.push(nextAfter(parsed, times.at(-1) ?? nextDueAt))
  return times
}

/** In the routine's time zone. The Swedish locale writes ISO dates. */
function clockOf(time: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(time)
}

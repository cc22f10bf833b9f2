/** `writ routine …`: tasks that are done by the clock. */
import { styleText } from 'node:util'
import { type Setting, settingOf } from '../../agent/setting.ts'
import type { RunResult } from '../../assembly/agent.ts'
import { routineApprovals } from '../../assembly/routine-approvals.ts'
import { firingOf, openRoutineDesk, type RoutineDesk } from '../../assembly/routine-desk.ts'
import { messageOf, WritError } from '../../base/errors.ts'
import { approvalWords } from '../../i18n/approval-words.ts'
import { messages } from '../../i18n/locale.ts'
import type { Event } from '../../protocol/event.ts'
import { AUTONOMY_LEVELS, type Autonomy } from '../../protocol/policy.ts'
import { EVERYONE, LOCAL } from '../../protocol/principal.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import { type News, type Outcome, wasRefused } from '../../routine/engine.ts'
import { nextAfter, parseSchedule } from '../../routine/schedule.ts'
import type { Routine, Routines } from '../../storage/routine-port.ts'
import { canAsk } from '../adoption.ts'
import { hasJournal, settingToKeep } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { readFromTerminal } from '../question.ts'
import { settingFlags } from '../setting-flags.ts'
import { textTable } from '../table.ts'
import { cliTexts } from '../texts.ts'
import { fit } from '../visible.ts'
import { watch } from '../watch.ts'
import { withAgent } from './run.ts'

const SHOWN_TIMES = 3
const TASK_WIDTH = 50
/** As for any run that ended well without an approval it wanted. */
const APPROVAL_MISSING = 5

export function routineAdd(given: Given, io: Io): Promise<number> {
  const [name = '', schedule = '', ...task] = given.words
  // The level is the routine's own here, and measured against what the configuration grants.
  const { autonomy, allow, 'time-zone': timeZone, ...values } = given.values
  const level = AUTONOMY_LEVELS.find((each) => each.toLowerCase() === autonomy?.toLowerCase()) ?? autonomy
  return withOwnDesk({ ...given, values }, io, async ({ routines }, at, setting) => {
    const { routine: texts } = cliTexts(at.lang)
    const draft = { name, schedule, task: task.join(' '), createdBy: 'user' }
    // What is wrong with it is said before anything is asked.
    routines.plan(draft)
    const approvals = allow === undefined ? [] : await approvedCommands({ name, line: allow, setting }, given, at)
    const added = await routines.add({
      ...draft,
      approvals,
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(level === undefined ? {} : { autonomy: level as Autonomy }),
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

/** The commands are shown with all that a yes to them covers; without a terminal, `--yes` has to say it. */
async function approvedCommands(
  { name, line, setting }: { name: string; line: string; setting: Setting },
  given: Given,
  io: Io,
): Promise<string[]> {
  const { routine: texts } = messages(io.lang)
  const keys = await routineApprovals(line, setting)
  const covered = keys.map((key) => approvalWords(oneLine(key), io.lang)).join(', ')
  io.stderr(`${texts.allows({ name, line: oneLine(line), keys: covered })}\n`)
  if (given.switches.has('yes')) return keys
  if (!canAsk(given)) {
    throw new WritError('ROUTINE_ALLOW', texts.allowUnconfirmed, { hint: texts.allowUnconfirmedHint })
  }
  if (/^\s*y(?:es)?\s*$/i.test(await readFromTerminal(texts.allowAsk, given.signal))) return keys
  throw new WritError('ROUTINE_ALLOW', texts.allowDeclined)
}

export function routineList(given: Given, io: Io): Promise<number> {
  return withDesk(given, io, async (desk, at) => {
    const routines = routinesFor(given, desk)
    const { routine: texts } = cliTexts(at.lang)
    const list = await routines.list()
    if (given.switches.has('json')) for (const routine of list) io.stdout(`${JSON.stringify(routine)}\n`)
    else io.stdout(`${list.length === 0 ? texts.none : tableOf(list, texts)}\n`)
    return 0
  })
}

export function routineRemove(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withDesk(given, io, async (desk, at) => {
    const routines = routinesFor(given, desk)
    const { routine: texts } = cliTexts(at.lang)
    await routines.remove(name)
    return say(given, io, { json: { removed: name }, text: texts.removed({ name }) })
  })
}

export function routinePause(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withDesk(given, io, async (desk, at) => {
    const routines = routinesFor(given, desk)
    const { routine: texts } = cliTexts(at.lang)
    if (!given.switches.has('resume')) {
      return say(given, io, { json: await routines.pause(name), text: texts.paused({ name }) })
    }
    const json = await routines.resume(name)
    return say(given, io, { json, text: texts.resumed({ name, time: clockOf(json.nextDueAt, json.timeZone) }) })
  })
}

/** Now and in the foreground, with the authority it has when nobody is there. */
export function routineRun(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withDesk(given, io, async (desk) => {
    const routine = await routinesFor(given, desk).demand(name)
    return withAgent(given, io, async (agent, viewer) => {
      let code = 1
      const engine = desk.engineFor(agent, {
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
    })
  })
}

export function routineStart(given: Given, io: Io): Promise<number> {
  const json = given.switches.has('json')
  return withOwnDesk(given, io, (desk, at) =>
    withAgent({ ...given, terminated: new AbortController().signal }, at, async (agent) => {
      const { routine: texts } = cliTexts(at.lang)
      const cut = new AbortController()
      let drains = false
      const onTerm = () => {
        drains = true
      }
      // Heard before the handler that aborts the command: a service manager's wish to end lets what runs finish.
      process.prependListener('SIGTERM', onTerm)
      given.signal.addEventListener('abort', () => {
        if (!drains) cut.abort()
      })
      const tell = (news: News) => {
        if (json) io.stdout(`${JSON.stringify(news.type === 'error' ? errorLine(news) : news)}\n`)
        else if (news.type === 'error') io.stderr(`${texts.failed(errorLine(news))}\n`)
        else io.stdout(`${newsText(news, at)}\n`)
      }
      const count = (await desk.routinesOf(EVERYONE, LOCAL).list()).length
      io.stderr(`${texts.watching({ count })}\n`)
      await desk.engineFor(agent, { tell }).start(given.signal, { cut: cut.signal })
      process.off('SIGTERM', onTerm)
      return 0
    }),
  )
}

/** Your own, or everyone's where that is said. */
function routinesFor({ switches }: Given, desk: RoutineDesk): Routines {
  return desk.routinesOf(switches.has('everyone') ? EVERYONE : LOCAL, LOCAL)
}

/** Looking creates nothing: where nothing is kept yet, an empty desk will do. */
async function withDesk(given: Given, io: Io, work: DeskWork): Promise<number> {
  const setting = await settingOf(settingFlags(given, io))
  return workAt(hasJournal(setting, io.lang) ? setting : { ...setting, data: undefined }, io, work)
}

async function withOwnDesk(given: Given, io: Io, work: DeskWork): Promise<number> {
  return workAt(await settingToKeep(given, io), io, work)
}

type DeskWork = (desk: RoutineDesk, at: Io, setting: Setting) => Promise<number>

async function workAt(setting: Setting, io: Io, work: DeskWork): Promise<number> {
  const desk = await openRoutineDesk(setting)
  try {
    return await work(desk, { ...io, lang: setting.loaded.lang }, setting)
  } finally {
    await desk.close()
  }
}

function say({ switches }: Given, io: Io, { json, text }: { json: object; text: string }): number {
  io.stdout(`${switches.has('json') ? JSON.stringify(json) : text}\n`)
  return 0
}

/** C32: nobody is there to answer a question, so it is the output, and is marked as what it is. */
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

/** As the clock of the routine's zone shows it; Swedish is the locale that writes dates as ISO does. */
function clockOf(time: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(time)
}

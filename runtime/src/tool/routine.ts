import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Routine, RoutineDraft, Routines } from '../ports/routines.ts'
import type { Principal } from '../protocol/principal.ts'
import { targetsIn } from './infer.ts'
import { type CallFacts, defineTool, type Tool, type ToolOutput } from './tool.ts'

interface RoutineArgs {
  action: 'add' | 'list' | 'remove' | 'pause' | 'resume'
  name?: string
  schedule?: string
  task?: string
  timeZone?: string
}

interface RoutineToolDeps {
  routinesOf(owner: Principal): Routines
  /** Of error texts. */
  lang?: Lang
  inspect(text: string): { verdict: 'pass' | 'warn' | 'review' | 'block'; findings: readonly { rule: string }[] }
}

const MAX_SHOWN = 200

export function routineTool({ routinesOf, inspect, lang = 'en' }: RoutineToolDeps): Tool<RoutineArgs> {
  return defineTool<RoutineArgs>({
    name: 'routine',
    description:
      'List, add, remove, pause or resume routines (scheduled tasks). `add` needs a name, a schedule and a task; all but `list` need a name.',
    schema: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['add', 'list', 'remove', 'pause', 'resume'] },
        name: { type: 'string', minLength: 1, maxLength: 64 },
        schedule: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'Five cron fields, such as `0 9 * * 1-5`, or `@every 10m`.',
        },
        task: { type: 'string', minLength: 1, maxLength: 8000, description: 'What to do each time, in full.' },
        timeZone: { type: 'string', minLength: 1, maxLength: 64, description: "IANA name; this machine's if absent." },
      },
      required: ['action'],
      additionalProperties: false,
    },
    family: 'task',
    risk: 'Low',
    trust: 'internal',
    readOnly: false,
    touchesFiles: false,

    async preValidate(args, _world, { owner }): Promise<CallFacts> {
      const routines = routinesOf(owner)
      if (args.action === 'list') return { risk: 'Low', readOnly: true }
      if (args.action !== 'add') {
        const preview = `${args.action} routine ${describe(await routines.demand(nameOf(args)))}`
        // Resuming makes work happen unattended, so each time needs approval. Removing and pausing do not.
        return { risk: args.action === 'resume' ? 'High' : 'Medium', preview, approvalKeys: [args.action] }
      }
      const draft = draftOf(args)
      const routine = routines.plan(draft)
      const doubts = doubtsOf(draft)
      const warning = doubts.length === 0 ? '' : `\n[the wording looks suspicious: ${doubts.join(', ')}]`
      // Every new routine is shown to a person, at any autonomy level: when it is due, its task counts as the user's
      // words. High is never lifted by "always", `--yes` or a workflow's author, and is denied when there is no one
      // to ask.
      const targets = targetsIn(draft.task)
      return {
        risk: 'High',
        ...(targets.length === 0 ? {} : { targets }),
        preview: `add routine ${routine.name}: ${timesOf(routine)}\n${routine.task}${warning}`,
        approvalKeys: [],
      }
    },

    async execute(args, { runId, owner }): Promise<ToolOutput> {
      try {
        return { ok: true, text: await perform(args, { runId, routines: routinesOf(owner) }) }
      } catch (error) {
        if (!(error instanceof WritError) || error.code.startsWith('STORE_')) throw error
        const { message, hint } = error.textIn(lang)
        return { ok: false, code: error.code, error: lang === 'zh' ? `${message}。${hint}` : `${message}. ${hint}` }
      }
    },
  })

  async function perform(
    args: RoutineArgs,
    { runId, routines }: { runId: string; routines: Routines },
  ): Promise<string> {
    switch (args.action) {
      case 'list': {
        const all = await routines.list()
        return all.length === 0 ? 'There are no routines.' : all.map((each) => `- ${describe(each)}`).join('\n')
      }
      case 'add': {
        const draft = draftOf(args)
        doubtsOf(draft)
        const added = await routines.add({ ...draft, createdBy: runId })
        return `Added ${describe(added)}. It runs unattended: calls that need approval are denied.`
      }
      case 'remove':
        await routines.remove(nameOf(args))
        return `Removed ${args.name}.`
      case 'pause':
        return `Paused ${describe(await routines.pause(nameOf(args)))}.`
      case 'resume':
        return `Resumed ${describe(await routines.resume(nameOf(args)))}.`
      default:
        return args.action satisfies never
    }
  }

  /** The task is read later as an instruction, so prompt injection must not be stored. */
  function doubtsOf({ task }: RoutineDraft): string[] {
    const { verdict, findings } = inspect(task)
    const rules = [...new Set(findings.map(({ rule }) => rule))]
    if (verdict === 'block') {
      throw new WritError('ROUTINE_POISONED', { rules })
    }
    return verdict === 'review' ? rules : []
  }
}

function nameOf({ action, name }: RoutineArgs): string {
  if (name !== undefined) return name
  throw new WritError('ARGS_INVALID.missing', { of: action, argument: 'name' })
}

function draftOf({ name, schedule, task, timeZone }: RoutineArgs): RoutineDraft {
  if (name === undefined || schedule === undefined || task === undefined) {
    throw new WritError('ARGS_INVALID.routine')
  }
  return { name, schedule, task, createdBy: 'agent', ...present({ timeZone }) }
}

function describe(routine: Routine): string {
  const state = routine.paused ? 'paused' : routine.lastStop === undefined ? 'not run yet' : `last ${routine.lastStop}`
  return `${routine.name} (${timesOf(routine)}; ${state}): ${clip(routine.task.replace(/\s+/g, ' '), MAX_SHOWN)}`
}

function timesOf({ schedule, timeZone, nextDueAt }: Routine): string {
  return `${schedule} ${timeZone}, next ${new Date(nextDueAt).toISOString()}`
}

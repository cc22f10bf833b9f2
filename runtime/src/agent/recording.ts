/** Records the workspace around the changes of a turn, so that they can be undone. */
import { LOOKING_COMMANDS } from '../config/security.ts'
import { messages } from '../i18n/locale.ts'
import type { Event } from '../protocol/event.ts'
import type { CommandFact, Facts } from '../protocol/facts.ts'
import type { ToolCall } from '../protocol/message.ts'
import { note, type RunContext } from './context.ts'

type TurnContext = Omit<RunContext, 'system'>

/** Before the first call of a turn that can change files. */
export async function* recordBefore(ctx: TurnContext, call: ToolCall, facts: Facts): AsyncGenerator<Event> {
  const { recorder, state, signal } = ctx
  const { mode } = state.profile
  if (recorder === undefined || (mode !== 'chat' && mode !== 'routine')) return
  const { recording } = state
  if (state.unrecorded?.reason !== undefined || recording?.isOpen === true) return
  if (ctx.registry.get(call.tool)?.touchesFiles === false || !mayChangeFiles(facts)) return
  const taken = await recorder.before(state.runId, signal)
  if ('reason' in taken) yield note(ctx, 'workspace.unrecorded', taken, taken.reason)
  else yield note(ctx, 'workspace.recorded', { phase: 'before', ...taken }, 'before')
}

/** When the turn has ended or waits: what changes later was not changed by it. */
export async function* recordAfter(ctx: TurnContext): AsyncGenerator<Event> {
  const { recorder, state } = ctx
  const { recording, runId } = state
  if (recorder === undefined || recording?.isOpen !== true) return
  const { tree, record } = recording
  // Not cancelled with the run: what it did until then can be undone too.
  const taken = await recorder.after(runId, { tree, record }, new AbortController().signal)
  // Without it, undo compares with the workspace as it is then.
  if ('reason' in taken) return
  yield note(ctx, 'workspace.recorded', { phase: 'after', ...taken }, 'after')
}

/** Said once per session: a large workspace stays large. Without git, `writ doctor` and `writ undo` say it. */
export function unrecordedNotice({ state, recorder }: TurnContext): string | undefined {
  const { unrecorded, lang } = state
  if (unrecorded?.reason === undefined || unrecorded.isTold || unrecorded.reason === 'no_git') return undefined
  const { notice } = messages(lang)
  if (unrecorded.reason === 'too_large') return notice.tooLargeToUndo({ bytes: recorder?.maxBytes ?? 0 })
  return notice.cannotUndo({ why: unrecorded.message ?? '' })
}

export function mayChangeFiles({ readOnly, paths = [], command }: Facts): boolean {
  if (readOnly) return false
  const writes = paths.filter(({ access }) => access === 'write')
  if (writes.some(({ inside }) => inside !== undefined)) return true
  if (command !== undefined) return writes.length > 0 || !onlyLooks(command)
  return writes.length === 0
}

const LOOKING: ReadonlySet<string> = new Set(LOOKING_COMMANDS)

function onlyLooks({ bases, unparsed, classes = [], dangers }: CommandFact): boolean {
  if (unparsed !== undefined || dangers.length > 0) return false
  return bases.every((base) => LOOKING.has(base) && (base !== 'git' || isReading(classes)))
}

function isReading(classes: readonly string[]): boolean {
  return classes.length > 0 && classes.every((each) => each === 'read')
}

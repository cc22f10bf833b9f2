/** S1's first phase: which skills the task needs, or a question to the user first. On any failure the run proceeds. */

import { messageOf } from '../base/errors.ts'
import { isObject, unfenced } from '../base/json.ts'
import { narrowedBy, type SkillMeta } from '../context/skills.ts'
import { messages as texts } from '../i18n/locale.ts'
import type { Event, SkillRoute } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import { note, type RunContext } from './context.ts'
import { mayAnswer } from './intent.ts'
import { skillList } from './prompt.ts'
import { askSideQuestion } from './side-question.ts'

const DIRECT: SkillRoute = { kind: 'direct' }
/** After this long without an answer the run proceeds without a route. */
const ROUTE_MS = 60_000
const QUESTION_MAX = 2_000

export async function* routeTask(ctx: RunContext): AsyncGenerator<Event> {
  if (!needsRoute(ctx)) {
    yield note(ctx, 'route.decided', { route: DIRECT }, DIRECT.kind)
    return
  }
  const { state, signal, routing } = ctx
  const events: Event[] = []
  let route = DIRECT
  let failure = {}
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(ROUTE_MS)])
    const spoken = state.messages.filter(
      ({ role, content }) => role === 'user' || (role === 'assistant' && content !== ''),
    )
    const messages = spoken.slice(-(routing.historyMessages + 1)).map(plain)
    const reply = await askSideQuestion(
      ctx,
      { purpose: 'route', system: routerPrompt(ctx), messages, signal: until },
      events,
    )
    route = parseRoute(reply, routing.skills)
  } catch (error) {
    failure = { error: messageOf(error) }
  }
  yield* events
  const chosen = route.kind === 'skills' ? skillsNamed(route.skills, routing.skills) : []
  const visible = ctx.registry.exposedTo(state.profile).map((tool) => tool.name)
  const allowed = narrowedBy(chosen, visible)
  const tools = allowed.length === visible.length ? {} : { tools: allowed }
  yield note(ctx, 'route.decided', { route, ...tools, ...failure }, route.kind)
}

/**
 * Without skills a route is a paid call for nothing: the main call can ask the user as well. It cannot where the
 * completion check refuses every answer until a tool has succeeded.
 */
function needsRoute(ctx: RunContext): boolean {
  return ctx.routing.skills.length > 0 || !mayAnswer(ctx)
}

/** Identity, safety and the skills' names; no tools and no memories (S1). */
function routerPrompt({ state, policy, routing }: RunContext): string {
  const { prompt, router } = texts(state.lang)
  return [
    `[1] ${prompt.headings.identity}\n${[prompt.identity, routing.identity].filter((part) => part !== '').join('\n\n')}`,
    `[3] ${prompt.headings.safety}\n${prompt.autonomy[policy.security.autonomy]}\n${prompt.safety}`,
    `[2.5] ${prompt.headings.skills}\n${skillList(routing.skills) || router.noSkills}`,
    router.task,
  ].join('\n\n')
}

function parseRoute(reply: string, known: readonly SkillMeta[]): SkillRoute {
  const value: unknown = JSON.parse(unfenced(reply))
  if (!isObject(value)) return DIRECT
  if (typeof value.question === 'string' && value.question.trim() !== '') {
    return { kind: 'clarify', question: value.question.slice(0, QUESTION_MAX) }
  }
  const named = Array.isArray(value.skills) ? value.skills.filter((name) => typeof name === 'string') : []
  const skills = skillsNamed(named, known).map((skill) => skill.name)
  return skills.length === 0 ? DIRECT : { kind: 'skills', skills }
}

export function skillsNamed(names: readonly string[], known: readonly SkillMeta[]): SkillMeta[] {
  return known.filter((skill) => names.includes(skill.name))
}

function plain(message: Message) {
  // Which skill fits does not depend on what the files say.
  const content = message.role === 'user' && message.attached ? (message.own ?? '') : message.content
  return { role: message.role === 'assistant' ? 'assistant' : 'user', content } as const
}

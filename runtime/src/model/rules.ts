/**
 * The built-in default: no network, no key, deterministic. It reads a plain request in English or Chinese, proposes
 * calls one by one like any other model, and reports the results. It is not a language model and says so.
 */
import { messages as texts } from '../i18n/locale.ts'
import type { Message } from '../protocol/message.ts'
import { speakJson } from './dialect-json.ts'
import type { Completion, Model, ModelRequest } from './model.ts'
import { answerFor, isTrouble, type Result } from './rules-answer.ts'
import { REPLIES } from './rules-phrases.ts'
import { type Hands, languageOf, planFor, type Step } from './rules-plan.ts'
import { scoutStep, subjectOf } from './rules-scout.ts'
import { estimateUsage } from './usage.ts'

/** `dispatch`: the name of the tool that starts scouts. */
export function rulesModel({ dispatch }: Pick<Hands, 'dispatch'>): Model {
  return {
    id: 'rules',
    route: 'RuleBased',
    reasoning: 'clear',
    footer: (lang) => texts(lang).notice.rulesFooter,
    async *ask(request, signal) {
      signal.throwIfAborted()
      const reply = replyTo(request, dispatch)
      const rendered = request.plain ? { text: speakJson(reply), calls: [] } : reply
      if (request.stream && rendered.text !== '') yield rendered.text
      return { ...rendered, usage: estimateUsage(request, rendered), truncated: false }
    },
  }
}

type Reply = Pick<Completion, 'text' | 'calls'>

function replyTo(request: ModelRequest, dispatch: string): Reply {
  // Not a label, so the heuristic detector and the direct route are used.
  if (request.purpose === 'detect') return say('')
  if (request.purpose === 'route') return say('{"direct":true}')
  const { messages, tools = [] } = request.plain ?? request
  const offered = new Set(tools.map((tool) => tool.name))
  const turn = currentTurn(messages)
  return request.purpose === 'main' ? mainReply(turn, { offered, dispatch }) : scoutReply(turn, offered)
}

function say(text: string): Reply {
  return { text, calls: [] }
}

function propose(step: Step): Reply {
  return { text: '', calls: [{ id: '', tool: step.tool, args: step.args }] }
}

interface Turn {
  request: string
  /** The results of this turn's calls, in order. */
  results: { tool: string; args: unknown; content: string }[]
}

// A turn begins with the latest message of a person; what the runtime says is no request.
function currentTurn(messages: readonly Message[]): Turn {
  const start = Math.max(0, messages.findLastIndex(isRequest))
  const results: Turn['results'] = []
  const args = new Map<string, unknown>()
  for (const message of messages.slice(start)) {
    if (message.role === 'assistant') for (const call of message.calls ?? []) args.set(call.id, call.args)
    else if (message.role === 'tool') {
      results.push({ tool: message.tool, args: args.get(message.callId), content: message.content })
    }
  }
  return { request: requestIn(messages[start]), results }
}

/** What a file says is not a request. */
function requestIn(message: Message | undefined): string {
  const isAttached = message?.role === 'user' && message.attached === true
  return (isAttached ? message.own : message?.content) ?? ''
}

function isRequest(message: Message): boolean {
  return message.role === 'user' && message.by !== 'runtime'
}

function mainReply({ request, results }: Turn, hands: Hands): Reply {
  const lang = languageOf(request)
  const planned = planFor(request, hands)
  const done: Result[] = []
  for (const [i, step] of planned.steps.entries()) {
    const ready = withListedName(step, done)
    const result = results[i]
    if (result) {
      done.push({ step: ready, content: result.content })
      continue
    }
    if (done.some(({ content }) => isTrouble(content))) break
    if (hands.offered.has(ready.tool)) return propose(ready)
    const already =
      done.length > 0
        ? `${answerFor({ ...planned, steps: planned.steps.slice(0, i) }, done, { lang, request })}\n\n`
        : ''
    return say(already + REPLIES[lang].noTool(ready.tool))
  }
  return say(answerFor(planned, done, { lang, request }))
}

/** “README” means the listed file of that name, in any case and with any extension. */
function withListedName(step: Step, done: readonly Result[]): Step {
  if (step.tool !== 'file_read') return step
  const listing = done.findLast((result) => result.step.want === 'list' && result.step.args.path === '.')
  const stem = step.about.replace(/\.md$/i, '').toLowerCase()
  const names = listing?.content.match(/[\p{L}\p{N}_.@+-]+/gu) ?? []
  const same = names.find((name) => name.toLowerCase() === step.about.toLowerCase())
  const name = same ?? names.find((candidate) => candidate.toLowerCase().replace(/\.\w+$/, '') === stem)
  return name === undefined ? step : { ...step, args: { path: name }, about: name }
}

function scoutReply({ request, results }: Turn, offered: ReadonlySet<string>): Reply {
  const lang = languageOf(request)
  const done: Result[] = []
  for (const { content } of results) {
    const step = scoutStep(request, done, lang)
    if (step) done.push({ step, content })
  }
  const next = scoutStep(request, done, lang)
  if (next && offered.has(next.tool)) return propose(next)
  const reported = done.some(({ step, content }) => step.want === 'report' && !isTrouble(content))
  return say(reported ? REPLIES[lang].scoutReported : REPLIES[lang].scoutNothing(subjectOf(request)))
}

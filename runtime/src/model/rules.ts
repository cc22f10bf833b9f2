/**
 * The embedded default: no network, no key, no chance. It reads a plain request in English or Chinese, proposes the
 * calls one by one like any other model, and says what came of them. It is not a language model and says so.
 */
import { messages as texts } from '../i18n/locale.ts'
import type { Message } from '../protocol/message.ts'
import { speakJson } from './dialect-json.ts'
import type { Completion, Model, ModelRequest } from './model.ts'
import { answerFor, isTrouble, type Result } from './rules-answer.ts'
import { SAYINGS } from './rules-phrases.ts'
import { type Hands, languageOf, planFor, type Step } from './rules-plan.ts'
import { scoutStep, subjectOf } from './rules-scout.ts'
import { estimateUsage } from './usage.ts'

/** `dispatch`: the tool that sends scouts, as it is called here. */
export function rulesModel({ dispatch }: Pick<Hands, 'dispatch'>): Model {
  return {
    id: 'rules',
    route: 'RuleBased',
    reasoning: 'clear',
    footer: (lang) => texts(lang).notice.rulesFooter,
    async *ask(request, signal) {
      signal.throwIfAborted()
      const said = replyTo(request, dispatch)
      const spoken = request.plain ? { text: speakJson(said), calls: [] } : said
      if (request.stream && spoken.text !== '') yield spoken.text
      return { ...spoken, usage: estimateUsage(request, spoken), truncated: false }
    },
  }
}

type Said = Pick<Completion, 'text' | 'calls'>

function replyTo(request: ModelRequest, dispatch: string): Said {
  // Neither is a label: the heuristic detector and the direct route take over.
  if (request.purpose === 'detect') return say('')
  if (request.purpose === 'route') return say('{"direct":true}')
  const { messages, tools = [] } = request.plain ?? request
  const offered = new Set(tools.map((tool) => tool.name))
  const turn = currentTurn(messages)
  return request.purpose === 'main' ? mainReply(turn, { offered, dispatch }) : scoutReply(turn, offered)
}

function say(text: string): Said {
  return { text, calls: [] }
}

function propose(step: Step): Said {
  return { text: '', calls: [{ id: '', tool: step.tool, args: step.args }] }
}

interface Turn {
  request: string
  /** The results of this turn's calls, in order. */
  results: { tool: string; args: unknown; content: string }[]
}

// A turn begins with the user message that follows an answer; later user messages in it are the runtime's own hints.
function currentTurn(messages: readonly Message[]): Turn {
  let start = messages.length - 1
  while (start > 0 && !(messages[start]?.role === 'user' && isAnswer(messages[start - 1]))) start--
  const first = messages.slice(Math.max(start, 0)).find((message) => message.role === 'user')
  const results: Turn['results'] = []
  const args = new Map<string, unknown>()
  for (const message of messages.slice(Math.max(start, 0))) {
    if (message.role === 'assistant') for (const call of message.calls ?? []) args.set(call.id, call.args)
    else if (message.role === 'tool') {
      results.push({ tool: message.tool, args: args.get(message.callId), content: message.content })
    }
  }
  return { request: first?.content ?? '', results }
}

function isAnswer(message: Message | undefined): boolean {
  return message?.role === 'assistant' && (message.calls === undefined || message.calls.length === 0)
}

function mainReply({ request, results }: Turn, hands: Hands): Said {
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
    return say(already + SAYINGS[lang].noTool(ready.tool))
  }
  return say(answerFor(planned, done, { lang, request }))
}

/** “README” means the file of that name that was just listed, whatever its ending and case. */
function withListedName(step: Step, done: readonly Result[]): Step {
  if (step.tool !== 'file_read') return step
  const listing = done.findLast((result) => result.step.want === 'list' && result.step.args.path === '.')
  const stem = step.about.replace(/\.md$/i, '').toLowerCase()
  const names = listing?.content.match(/[\p{L}\p{N}_.@+-]+/gu) ?? []
  const same = names.find((name) => name.toLowerCase() === step.about.toLowerCase())
  const name = same ?? names.find((candidate) => candidate.toLowerCase().replace(/\.\w+$/, '') === stem)
  return name === undefined ? step : { ...step, args: { path: name }, about: name }
}

function scoutReply({ request, results }: Turn, offered: ReadonlySet<string>): Said {
  const lang = languageOf(request)
  const done: Result[] = []
  for (const { content } of results) {
    const step = scoutStep(request, done, lang)
    if (step) done.push({ step, content })
  }
  const next = scoutStep(request, done, lang)
  if (next && offered.has(next.tool)) return propose(next)
  const reported = done.some(({ step, content }) => step.want === 'report' && !isTrouble(content))
  return say(reported ? SAYINGS[lang].scoutReported : SAYINGS[lang].scoutNothing(subjectOf(request)))
}

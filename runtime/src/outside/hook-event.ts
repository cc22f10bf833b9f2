/** What the hooks of an agent report, read into the terms of a guarded session. */
import { isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import type { AgentName } from './agents.ts'
import type { OutsideResult } from './outside-call.ts'
import { textsIn } from './result-texts.ts'
import { typedWords } from './transcripts.ts'

interface HookCall {
  callId: string
  tool: string
  args: unknown
  subAgent?: { id: string; type?: string }
}

export type HookEvent =
  | { kind: 'prompt'; text: string }
  | ({ kind: 'before' } & HookCall)
  | ({ kind: 'after'; result: OutsideResult; response: unknown; isFailure: boolean } & HookCall)
  /** The calls of one reply are done; the model is asked next. */
  | { kind: 'batch' }
  | { kind: 'stop'; text: string }
  | { kind: 'end' }
  | { kind: 'other' }

export interface HookReport {
  agent: AgentName
  /** The agent's name of the event. */
  name: string
  /** The agent's own id of the session. */
  id: string
  /** The project, and the folder the agent is in at this moment. */
  project: string
  cwd: string
  isAttended: boolean
  transcript?: string
  event: HookEvent
}

/** Environment of the hook, as `hook-client.js` passes it on. */
type HookEnv = Readonly<Record<string, unknown>>

/** Undefined: not an event that can be understood, which the caller must not take for harmless. */
export function readReport(agent: AgentName, given: unknown, env: HookEnv): HookReport | undefined {
  if (!isObject(given)) return undefined
  const { hook_event_name: name, session_id: id, cwd, transcript_path: transcript } = given
  if (typeof name !== 'string' || typeof id !== 'string' || typeof cwd !== 'string') return undefined
  const event = eventOf(name, given)
  if (event === undefined) return undefined
  const { CLAUDE_PROJECT_DIR: project } = env
  return {
    agent,
    name,
    id,
    cwd,
    project: agent === 'claude' && typeof project === 'string' && project !== '' ? project : cwd,
    isAttended: isAttended(agent, given, env),
    event,
    ...present({ transcript: typeof transcript === 'string' ? transcript : undefined }),
  }
}

/** Only Claude Code can put our question to its user, and only where it runs in a terminal or an editor. */
function isAttended(agent: AgentName, { permission_mode: mode }: Record<string, unknown>, env: HookEnv): boolean {
  const entry = env.CLAUDE_CODE_ENTRYPOINT
  if (agent !== 'claude' || typeof entry !== 'string' || entry === '') return false
  return !entry.startsWith('sdk') && mode !== 'dontAsk'
}

function eventOf(name: string, given: Record<string, unknown>): HookEvent | undefined {
  // The prompt of a sub-agent was written by a model: only its calls count.
  if (typeof given.agent_id === 'string' && (name === 'UserPromptSubmit' || name === 'Stop')) return { kind: 'other' }
  switch (name) {
    case 'UserPromptSubmit':
      return typeof given.prompt === 'string' ? { kind: 'prompt', text: typedWords(given.prompt) } : undefined
    case 'PreToolUse': {
      const call = callOf(given)
      return call && { kind: 'before', ...call }
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const call = callOf(given)
      const isFailure = name === 'PostToolUseFailure'
      const response = isFailure ? given.error : given.tool_response
      const result = { ok: !isFailure, text: textsIn(response).join('\n') }
      return call && { kind: 'after', ...call, result, response, isFailure }
    }
    case 'PostToolBatch':
      return { kind: 'batch' }
    case 'Stop':
      return {
        kind: 'stop',
        text: typeof given.last_assistant_message === 'string' ? given.last_assistant_message : '',
      }
    case 'SessionEnd':
      return { kind: 'end' }
    default:
      return { kind: 'other' }
  }
}

function callOf({
  tool_name: tool,
  tool_input: args,
  tool_use_id: callId,
  agent_id: id,
  agent_type: type,
}: Record<string, unknown>): HookCall | undefined {
  if (typeof tool !== 'string' || typeof callId !== 'string') return undefined
  const subAgent = typeof id === 'string' ? { id, ...(typeof type === 'string' && { type }) } : undefined
  return { tool, args, callId, ...present({ subAgent }) }
}

import * as z from 'zod'
import { done, type Endpoint, limitOf, time } from './route.ts'
import { event, question, rememberedRule, runResult } from './shapes.ts'

export const sessionState = z.enum(['idle', 'running', 'waiting'])

const sessionRow = z.object({
  sessionId: z.string(),
  title: z.string(),
  startedAt: time,
  lastAt: time,
  runs: z.int(),
  state: sessionState,
})

const sessionMessage = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  runId: z.string(),
  turnId: z.string(),
  at: time,
  stopReason: z.string().optional(),
  notices: z.array(z.string()).optional(),
})

const sessionView = z.object({
  sessionId: z.string(),
  title: z.string(),
  messages: z.array(sessionMessage),
  approvals: z.array(z.string()).describe('Standing approvals: what "always" answers allow in this session.'),
  rules: z.array(rememberedRule).describe('Rules remembered for this session.'),
  running: z.object({ runId: z.string() }).optional(),
  question: question.optional(),
})

export const sessions = {
  'GET /api/sessions': {
    scope: 'read',
    summary: 'Sessions, latest first',
    query: z.object({ limit: limitOf(200, 50) }),
    returns: z.object({ sessions: z.array(sessionRow) }),
  },
  'POST /api/sessions': {
    scope: 'run',
    summary: 'Create a session; it belongs to the principal of the token',
    returns: z.object({ sessionId: z.string() }),
    status: 201,
  },
  'GET /api/sessions/:id': { scope: 'read', summary: 'A session and its messages', returns: sessionView },
  'POST /api/sessions/:id/messages': {
    scope: 'run',
    summary: 'Send a message. Turns of one session run one at a time',
    body: z.strictObject({
      text: z.string().trim().min(1),
      outputSchema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema that the answer must match.'),
    }),
    returns: runResult,
    streams: true,
  },
  'GET /api/sessions/:id/events': {
    scope: 'read',
    summary: 'The journal of a session; as a stream, Last-Event-ID continues after that event',
    returns: z.object({ events: z.array(event) }),
    streams: true,
  },
  'POST /api/sessions/:id/abort': {
    scope: 'run',
    summary: 'Stop the running or waiting run of a session',
    returns: z.object({ aborted: z.array(z.string()).describe('Ids of the stopped runs.') }),
  },
  'DELETE /api/sessions/:id/approvals/:key': {
    scope: 'approve',
    summary: 'Revoke a standing approval',
    returns: done,
  },
  'DELETE /api/sessions/:id/rules/:rule': {
    scope: 'approve',
    summary: 'Revoke a rule of a session',
    returns: done,
  },
} as const satisfies Record<string, Endpoint>

export type SessionMessage = z.infer<typeof sessionMessage>

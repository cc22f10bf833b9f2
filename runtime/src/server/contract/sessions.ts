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

const sentFile = z.strictObject({
  name: z.string().min(1).max(200).describe('Only shown.'),
  data: z.string().min(1).describe('The bytes as base64: PNG, JPEG, GIF, WebP or PDF, recognized by its content.'),
})

const attachedFile = z.object({
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  sha256: z.string(),
})

const sessionMessage = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  runId: z.string(),
  turnId: z.string(),
  at: time,
  stopReason: z.string().optional(),
  notices: z.array(z.string()).optional(),
  attachments: z
    .array(attachedFile)
    .optional()
    .describe('Files of the user; their bytes are at /api/runs/{id}/files/{sha256}.'),
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
    summary: 'Conversations, most recently used first',
    query: z.object({
      q: z.string().max(200).optional().describe('Words of its title or of messages of the user.'),
      limit: limitOf(200, 50),
      before: z.string().optional().describe('`next` of the previous page.'),
    }),
    returns: z.object({ sessions: z.array(sessionRow), next: z.string().optional() }),
  },
  'POST /api/sessions': {
    scope: 'run',
    summary: 'Create a session; it belongs to the principal of the token',
    returns: z.object({ sessionId: z.string() }),
    status: 201,
  },
  'GET /api/sessions/:id': { scope: 'read', summary: 'A session and its messages', returns: sessionView },
  'PATCH /api/sessions/:id': {
    scope: 'run',
    summary: 'Name a conversation; an empty title names it by its first message again',
    body: z.strictObject({ title: z.string().trim().max(200) }),
    returns: done,
  },
  'DELETE /api/sessions/:id': {
    scope: 'admin',
    summary: 'Delete a conversation: its runs, files, memories and title. A tombstone stays in the journal',
    returns: z.object({ runs: z.int().describe('Number of deleted runs.') }),
  },
  'POST /api/sessions/:id/messages': {
    scope: 'run',
    summary: 'Send a message. Turns of one session run one at a time',
    body: z.strictObject({
      text: z.string().trim().min(1),
      outputSchema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema that the answer must match.'),
      attachments: z.array(sentFile).min(1).optional().describe('Pictures and PDFs for the model.'),
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

export type SentFile = z.infer<typeof sentFile>
export type SessionSummary = z.infer<typeof sessionRow>
export type SessionMessage = z.infer<typeof sessionMessage>

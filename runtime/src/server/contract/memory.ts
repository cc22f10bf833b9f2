/** Long-term memory: list, read, delete. */
import * as z from 'zod'
import { type Endpoint, limitOf, time } from './route.ts'

const memory = z.object({
  id: z.string(),
  owner: z.string().describe('The principal it belongs to.'),
  content: z.string(),
  tags: z.array(z.string()),
  kind: z.enum(['user', 'tool', 'turn']).describe('From a user, from a tool call, or the summary of a turn.'),
  sessionId: z.string(),
  runId: z.string(),
  tool: z.string().optional(),
  mark: z.enum(['review', 'warn']).optional().describe('The wording is suspicious.'),
  retold: z.boolean().describe('Written after reading text from untrusted sources.'),
  createdAt: time,
})

export const memories = {
  'GET /api/memory': {
    scope: 'read',
    summary: 'Memories, latest first; with q, best match first',
    query: z.object({ q: z.string().optional(), limit: limitOf(1000, 200) }),
    returns: z.object({ memories: z.array(memory) }),
  },
  'GET /api/memory/:id': { scope: 'read', summary: 'One entry', returns: memory },
  'DELETE /api/memory/:id': {
    scope: 'run',
    summary: 'Delete an entry and the turn summaries that contain it',
    returns: z.object({ forgotten: z.array(z.string()).describe('Ids of all deleted entries.') }),
  },
} as const satisfies Record<string, Endpoint>

export type MemoryView = z.infer<typeof memory>

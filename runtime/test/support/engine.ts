/** An engine on an in-memory store, with tools that remember what was really done. */

import type { Engine } from '../../src/agent/turn.ts'
import { makeRedactor } from '../../src/journal/redact.ts'
import type { Store } from '../../src/journal/store.ts'
import type { Completion, Model, ModelRequest, RawCall } from '../../src/model/model.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import { mediaFiles } from '../../src/storage/media-files.ts'
import { openStore } from '../../src/storage/open.ts'
import { Registry } from '../../src/tool/registry.ts'
import { defineTool, type Tool } from '../../src/tool/tool.ts'
import { policyWith } from './gate-input.ts'

export interface Deed {
  tool: string
  callId: string
  runId: string
  args: unknown
}

/** One tool of each kind the gate tells apart. */
export function spyTools(deeds: Deed[]): Tool[] {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' }, text: { type: 'string' } },
    required: ['n'],
    additionalProperties: false,
  }
  const spy = (name: string, own: Partial<Parameters<typeof defineTool>[0]>) =>
    defineTool({
      name,
      description: name,
      schema,
      family: 'task',
      execute: (args, { callId, runId }) => {
        deeds.push({ tool: name, callId, runId, args })
        return `${name} done`
      },
      ...own,
    })
  return [
    spy('look', { readOnly: true, risk: 'Low' }),
    spy('change', { risk: 'Medium' }),
    spy('danger', { risk: 'High' }),
    spy('fails', { risk: 'Low', execute: () => ({ ok: false as const, error: 'no luck', partial: 'half' }) }),
    spy('throws', {
      risk: 'Low',
      execute: () => {
        throw new Error('broken')
      },
    }),
    spy('blind', {
      risk: 'Low',
      preValidate: () => {
        throw new Error('cannot tell')
      },
    }),
  ]
}

export async function engineWith(
  change: Partial<Engine> & { tools?: Tool[] } = {},
): Promise<Engine & { store: Store }> {
  const { tools = [], ...rest } = change
  let ids = 0
  let now = 1_700_000_000_000
  return {
    store: rest.store ?? (await openStore({ kind: 'memory' })),
    redact: makeRedactor([]),
    clock: { now: () => ++now },
    newId: (prefix) => `${prefix}_${++ids}`,
    policy: policyWith(),
    model: saying([]),
    registry: new Registry(tools),
    world: { workspace: '/w', protectedPaths: [], blockedPaths: [], allowedHosts: [], env: {}, sandbox: 'off' },
    lang: 'en',
    temperature: undefined,
    maxOutputTokens: undefined,
    modelAttempts: 3,
    media: { files: mediaFiles(undefined), pagesOf: async () => [] },
    routing: { historyMessages: 6, skills: [], identity: '' },
    memory: undefined,
    ownerOf: async () => LOCAL,
    inspect: undefined,
    detector: { kind: 'heuristic', timeoutMs: 1000 },
    ...rest,
  }
}

export type Line = { text?: string; calls?: RawCall[]; reasoning_content?: string; usage?: Completion['usage'] } | Error

const NOTHING = { inputTokens: 0, outputTokens: 0 }

/** A model that says these lines, one per step; when they run out it is finished. It routes everything directly. */
export function saying(lines: readonly Line[]): Model & { asked: number } {
  const model = {
    id: 'test/said',
    route: 'CloudLlm' as const,
    reasoning: 'clear' as const,
    asked: 0,
    async *ask({ purpose }: ModelRequest): AsyncGenerator<string, Completion> {
      if (purpose === 'detect' || purpose === 'route')
        return { text: '{"direct":true}', calls: [], usage: NOTHING, truncated: false }
      const line = lines[model.asked++] ?? { text: 'done' }
      if (line instanceof Error) throw line
      const { text = '', calls = [], usage = { inputTokens: 1, outputTokens: 1 }, reasoning_content } = line
      if (text !== '') yield text
      return { text, calls, usage, truncated: false, ...(reasoning_content === undefined ? {} : { reasoning_content }) }
    },
  }
  return model
}

export async function collect<E, R>(generator: AsyncGenerator<E, R>): Promise<{ events: E[]; result: R }> {
  const events: E[] = []
  for (;;) {
    const next = await generator.next()
    if (next.done) return { events, result: next.value }
    events.push(next.value)
  }
}

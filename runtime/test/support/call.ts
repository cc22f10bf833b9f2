/** What a tool is told about a call, for tests that call one directly. */

import { decide } from '../../src/gate/gate.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import type { ToolContext, World } from '../../src/tool/tool.ts'
import { policyWith, toolInput } from './gate-input.ts'

export function callIn(world: World, own: Partial<ToolContext> = {}): ToolContext {
  const { writ } = decide(toolInput(), undefined)
  if (writ === undefined) throw new Error('the gate refused a plain call')
  return {
    world,
    signal: new AbortController().signal,
    runId: 'r',
    sessionId: 's',
    turnId: 't',
    callId: 'c',
    owner: LOCAL,
    writ,
    policy: policyWith(),
    readOnly: false,
    isHearsay: () => false,
    resultOf: async () => undefined,
    media: { keep: async (media) => ({ ...media, runId: 'r' }), pagesOf: async () => [] },
    emit: () => {},
    note: () => {},
    ...own,
  }
}

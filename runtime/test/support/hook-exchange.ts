/** What passed between the hook of a real agent and Writ, and what it came to. */
export interface Exchange {
  event: Record<string, unknown>
  env?: Record<string, unknown>
  /** Of Codex: the calls in its transcript, which has what its hooks do not say. */
  transcript?: string[]
  isBlocked: boolean
  isReplaced: boolean
}

export interface Answer {
  stdout?: string
  deny?: string
  text?: string
}

export function readAnswer({ stdout = '', deny, text }: Answer): Pick<Exchange, 'isBlocked' | 'isReplaced'> {
  const { hookSpecificOutput: own = {}, decision } = JSON.parse(stdout === '' ? '{}' : stdout)
  const isReplaced = own.updatedToolOutput !== undefined || decision === 'block' || text !== undefined
  return { isBlocked: deny !== undefined || own.permissionDecision === 'deny', isReplaced }
}

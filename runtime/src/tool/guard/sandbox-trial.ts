/** How the trial of the sandbox ended. Apart from the code of the sandbox, which a run without commands never loads. */
export interface SandboxStatus {
  active: boolean
  why: string
}

type Tell = (status: SandboxStatus) => void

let ended: SandboxStatus | undefined
const waiting = new Set<Tell>()

/** Calls once, when this process has tried the sandbox: before its first command is judged. Returns how to stop waiting. */
export function onSandboxTried(tell: Tell): () => void {
  if (ended === undefined) waiting.add(tell)
  else tell(ended)
  return () => void waiting.delete(tell)
}

export function sandboxTried(status: SandboxStatus): void {
  ended = status
  for (const tell of waiting) tell(status)
  waiting.clear()
}

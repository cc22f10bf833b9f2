import type { Lang } from '../../base/lang.ts'
import type { World } from '../../tool/tool.ts'
import type { Machine } from '../machine.ts'
import type { DecisionTexts } from '../texts.ts'

export interface ActingOn {
  machine: Machine
  /** What is blocked, looked at again when the action acts: a link may lead elsewhere by then. */
  world: World
  texts: DecisionTexts
  /** Of the texts. */
  lang: Lang
  /** Aborted when the window ends. */
  signal: AbortSignal
  /** What must not outlive the window is put right again by this. */
  undoLater(undo: () => Promise<void>): void
}

/** Does it and says what was done; throws a WritError when it was not. */
export type Executor = (target: string | null, on: ActingOn) => Promise<string>

/** One verb of the command line. */
import type { Flag, Given } from './flags.ts'
import type { Io } from './io.ts'
import type { VerbName } from './verb-names.ts'

type Command = (given: Given, io: Io) => Promise<number>

export interface Verb {
  name: VerbName
  words: string
  /** Minimum and maximum number of words. */
  takes: readonly [number, number]
  flags: readonly Flag[]
  /** Stops in order when its signal is aborted; without it, Ctrl-C kills the process. */
  handlesInterrupt?: true
  load(): Promise<Command>
}

/** What was found in a shell line. */
import type { Arg, Invocation } from './invocation.ts'
import type { Variables } from './variables.ts'

interface FileUse {
  target: Arg
  access: 'read' | 'write'
  dirs: readonly string[]
}

export interface ShellReading {
  invocations: Invocation[]
  redirects: FileUse[]
  /** Why the line is not fully understood; empty when it is. */
  unparsed: string[]
  /** Functions that call themselves. */
  recursive: string[]
  /** Functions it defines; what they do with their words is read where it is written. */
  functions: string[]
  /** True when a word is known, or sure to be a number. */
  isPlain(arg: Arg): boolean
}

export function emptyReading(variables: Variables): ShellReading {
  return {
    invocations: [],
    redirects: [],
    unparsed: [],
    recursive: [],
    functions: [],
    isPlain: (arg) => variables.isPlain(arg),
  }
}

/** The result of parsing a shell line. */

import type { Why } from '../../protocol/why.ts'
import type { Arg, Invocation } from './invocation.ts'
import type { Variables } from './variables.ts'

interface FileUse {
  target: Arg
  access: 'read' | 'write'
  dirs: readonly string[]
  /** A redirection that empties the file first. */
  truncates?: true
}

export interface ShellReading {
  invocations: Invocation[]
  redirects: FileUse[]
  /** Why the line is not fully understood; empty when it is. */
  unparsed: Why[]
  /** Functions that call themselves. */
  recursive: string[]
  /** Functions it defines; their bodies are read where they are defined. */
  functions: string[]
  /** True when a word is known, or certainly a number. */
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

/** One word of a command, as far as it is known before the line runs. */
export interface Arg {
  text: string
  /** False when a variable or another command decides what it becomes. */
  known: boolean
  glob: boolean
  /** True when running a command is part of working it out. */
  runs: boolean
}

export interface Invocation {
  /** As written, quotes and escapes undone. */
  name: string
  /** The program's bare name. */
  base: string
  args: readonly Arg[]
  /** Folders it may run in, relative to where the line starts. */
  dirs: readonly string[]
  /** Bare names of the programs whose output it reads. */
  feeds: readonly string[]
  /** Text handed to it in a here-document or here-string. */
  input?: string
}

export function plain(text: string): Arg {
  return { text, known: true, glob: false, runs: false }
}

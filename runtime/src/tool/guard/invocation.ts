/** One word of a command, as far as it is known before the line runs. */
export interface Arg {
  /** Quotes and escapes undone; of a word that is not known, variables and substitutions stay as they are written. */
  text: string
  /** False when a variable or another command decides what it becomes. */
  known: boolean
  /** Of a word that is not known: what is sure to stand before the first thing that only shows when it runs. */
  start?: string
  glob: boolean
  /** True when running a command is part of working it out. */
  runs: boolean
  /** False when it can become several words, or none. */
  single: boolean
  /** Of a word that is not known, the variables that must hold whole numbers for it to be one; absent: it is none. */
  counts?: string[]
  /** True of a word that holds the folder's own path without quotes, and falls apart where that has spaces. */
  splits?: true
  /** True of a list written out in an assignment. */
  isList?: true
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
  /** True when the shell puts other text into that before. */
  isInputChanged?: boolean
}

export function plain(text: string): Arg {
  return { text, known: true, glob: false, runs: false, single: true }
}

/** One word of a command, as far as it is known before the line runs. */
export interface Arg {
  /** Without quotes and escapes. If the word is not known, variables and substitutions stay as written. */
  text: string
  /** False when a variable or another command decides its value. */
  known: boolean
  /** If the word is not known: the certain text before the first unknown part. */
  start?: string
  glob: boolean
  /** True when expanding the word runs a command. */
  runs: boolean
  /** False when it can become several words, or none. */
  single: boolean
  /**
   * If the word is not known: the variables that must be whole numbers for the word to be a number; absent: it cannot
   * be one.
   */
  counts?: string[]
  /** True for a word with an unquoted $PWD, which splits if the path contains spaces. */
  splits?: true
  /** True for a list in an assignment. */
  isList?: true
}

export interface Invocation {
  /** As written, without quotes and escapes. */
  name: string
  /** The program's base name. */
  base: string
  args: readonly Arg[]
  /** Folders it may run in, relative to the start of the line. */
  dirs: readonly string[]
  /** Base names of the programs whose output it reads. */
  feeds: readonly string[]
  /** Text of its here-document or here-string. */
  input?: string
  /** True when the shell expands something in that text. */
  isInputChanged?: boolean
}

export function plain(text: string): Arg {
  return { text, known: true, glob: false, runs: false, single: true }
}

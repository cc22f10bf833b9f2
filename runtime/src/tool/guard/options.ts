/** Parses options like programs do: long names may be abbreviated, short ones combined and followed by a value. */

export interface Spelling {
  /** Separated by spaces. */
  long?: string
  letters?: string
  /** Other letters that take a value: the rest of the word belongs to them. */
  valued?: string
  /** Other options that look like an abbreviation of one of these. */
  not?: string
}

/** The value attached to the option; `''` when it has none or the next word is its value. Undefined for other words. */
export function optionIn(
  word: string,
  { long = '', letters = '', valued = '', not = '' }: Spelling,
): string | undefined {
  if (word.startsWith('--')) {
    const [, name = '', value = ''] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    const isMeant = name !== '' && !not.split(' ').includes(name)
    return isMeant && long.split(' ').some((full) => full.startsWith(name)) ? value : undefined
  }
  for (let at = 1; word.startsWith('-') && at < word.length; at++) {
    const letter = word.charAt(at)
    if (letters.includes(letter)) return word.slice(at + 1)
    if (valued.includes(letter)) return undefined
  }
  return undefined
}

export function hasOption(words: readonly string[], spelling: Spelling): boolean {
  return words.some((word) => optionIn(word, spelling) !== undefined)
}

/** Separates options from words like the program does: the word after an option that `takes` a value is neither. */
export function partWords(args: readonly string[], takes: Spelling): { options: string[]; words: string[] } {
  const options: string[] = []
  const words: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--') {
      words.push(...args.slice(i + 1))
      break
    }
    if (!arg.startsWith('-') || arg === '-') words.push(arg)
    else {
      options.push(arg)
      if (optionIn(arg, takes) === '' && !arg.endsWith('=')) i++
    }
  }
  return { options, words }
}

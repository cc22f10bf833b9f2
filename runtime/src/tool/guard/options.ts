/** Options as programs read them: a long name may be cut short, short ones may stand together with a value behind. */

export interface Spelling {
  /** Names, parted by spaces. */
  long?: string
  letters?: string
  /** Other letters that carry a value: what stands behind one of them is no option. */
  valued?: string
  /** Names of other options that look like the beginning of one of these. */
  not?: string
}

/** What hangs on the option: its value, or `''` when there is none or the next word is it. Undefined for other words. */
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

/** Parts options from words as the program does: after an option that `takes` a value, the next word is neither. */
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

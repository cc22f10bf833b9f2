/** Whether a command has only options with which it reads. */
import { ANY, type CommandRow } from './command-row.ts'
import { readOptions } from './option-list.ts'

/** Without a list of its own. */
const COMMON = 'hqv --quiet --verbose --silent --json --no-color --color? --debug'
const MAX_VERB = 3

/** `verbLength`: how many of the words that begin a command are its sub-command. */
export function isAllowedRead(
  row: CommandRow,
  args: readonly string[],
  verbLength: (words: readonly string[]) => number,
): boolean {
  if (row.pure === true || row.allows === ANY) return true
  const own = row.own?.(args) ?? args
  const always = `${globals(row)} ${COMMON}`
  const list = `${row.allows ?? ''} ${always}`
  const rest = row.verbs === undefined ? own : afterVerb(own, always, verbLength)
  if (rest === undefined) return false
  const { words, unknown } = readOptions(rest, list)
  return unknown === undefined && words.filter((word) => word !== '-').length <= (row.most ?? Number.POSITIVE_INFINITY)
}

/**
 * What follows the sub-command; undefined with an option before it that is not known: its value could be taken for the
 * sub-command.
 */
function afterVerb(
  args: readonly string[],
  list: string,
  verbLength: (words: readonly string[]) => number,
): readonly string[] | undefined {
  const words: string[] = []
  let rest = args
  let after = args
  while (words.length < MAX_VERB) {
    const read = readOptions(rest, list, { leading: true })
    // After the sub-command, an option may be one of its own.
    if (read.unknown !== undefined) return verbLength(words) > 0 ? after : undefined
    const [word, ...others] = read.words
    if (word === undefined) break
    words.push(word)
    rest = others
    if (verbLength(words) === words.length) after = others
  }
  return after
}

function globals({ takes = {}, globals: own = '' }: CommandRow): string {
  const { long = '', letters = '' } = takes
  return `${own} ${[...letters].map((letter) => `${letter}:`).join('')} ${long.replace(/(\S+)/g, '--$1=')}`
}

import { nearest } from '../base/text.ts'

/** The tool a wrong name probably means: `read_file`, `FileRead` and `functions.file_raed` all mean `file_read`. */
export function similarName(name: string, tools: readonly string[]): string | undefined {
  const short = name.slice(0, LONGEST).replace(/^(?:functions?|tools?|default_api)[.:/]/i, '')
  const words = sortedWords(short)
  return tools.find((tool) => sortedWords(tool) === words) ?? nearest(short, tools)
}

const LONGEST = 80

function sortedWords(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return words.filter(Boolean).sort().join(' ')
}

/** Help, built from the tables of verbs and flags. */
import { type Flag, GLOBAL_FLAGS, takesValue, VALUE_FLAGS } from './flags.ts'
import type { CliTexts } from './texts-en.ts'
import type { Verb } from './verb.ts'
import { VERBS } from './verbs.ts'

/** All commands, or those that start with the word. */
export function rootHelp(texts: CliTexts, word?: string): string {
  const { help } = texts
  const shown = VERBS.filter(({ name }) => word === undefined || name.startsWith(`${word} `))
  const verbs = shown.map(({ name, words }): [string, string] => [`${name} ${words}`.trim(), texts.verbs[name]])
  return [
    help.motto,
    '',
    `${help.usage}${word === undefined ? help.root : help.group({ word })}`,
    '',
    help.verbs,
    ...table(verbs),
    '',
    help.global,
    ...table(flagRows([...GLOBAL_FLAGS, 'version'], texts)),
    '',
    help.more,
    help.exit,
    '',
  ].join('\n')
}

export function verbHelp(verb: Verb, texts: CliTexts): string {
  const { help } = texts
  const own = verb.flags.length === 0 ? [] : ['', help.flags, ...table(flagRows(verb.flags, texts))]
  return [
    `${help.usage}${`writ ${verb.name} ${verb.words}`.trim()}`,
    '',
    `  ${texts.verbs[verb.name]}`,
    ...own,
    '',
    help.global,
    ...table(flagRows(GLOBAL_FLAGS, texts)),
    '',
  ].join('\n')
}

function flagRows(flags: readonly Flag[], texts: CliTexts): [string, string][] {
  return flags.map((flag) => [takesValue(flag) ? `--${flag} ${VALUE_FLAGS[flag]}` : `--${flag}`, texts.flags[flag]])
}

/** The left column is ASCII, so its length is its width. */
function table(rows: readonly [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

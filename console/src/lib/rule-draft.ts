/** A draft of rules. The parts that have a field are edited there, all others as JSON. */
import { isObject, type Json, valueAt, withValue } from './paths.ts'

export const RULE_LISTS = ['tool', 'when.command', 'when.path', 'when.host'] as const
export type RuleList = (typeof RULE_LISTS)[number]

export function listAt(rule: Json, path: RuleList): string[] {
  const value = valueAt(rule, path)
  return value === undefined ? [] : [value].flat().map(String)
}

/** One pattern is written without a list. */
export function withList(rule: Json, path: RuleList, patterns: readonly string[]): Json {
  return withValue(rule, path, patterns.length === 0 ? undefined : patterns.length === 1 ? patterns[0] : [...patterns])
}

export type Kind = 'match' | 'noMatch'

/** One per line: a shell line, or a call as JSON. */
export function examplesText(rule: Json, kind: Kind): string {
  const examples = valueAt(rule, `examples.${kind}`)
  if (!Array.isArray(examples)) return ''
  return examples.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
}

export function withExamples(rule: Json, kind: Kind, text: string): Json {
  const examples = callsIn(text)
  return withValue(rule, `examples.${kind}`, examples.length === 0 ? undefined : examples)
}

/** What is not JSON is a shell line: the server says what is wrong with it. */
export function callsIn(text: string): (string | { tool: string; args: Json })[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      try {
        const value: unknown = JSON.parse(line)
        if (isObject(value) && typeof value.tool === 'string') {
          return { tool: value.tool, args: isObject(value.args) ? value.args : {} }
        }
      } catch {}
      return line
    })
}

/** Rules that the server may store: they can only tighten. */
export function isTightening(rules: readonly Json[]): boolean {
  return rules.every(({ decide }) => decide === 'ask' || decide === 'deny')
}

/** As a configuration file. */
export function asFile(rules: readonly Json[]): string {
  return `${JSON.stringify({ agent: { security: { rules } } }, undefined, 2)}\n`
}

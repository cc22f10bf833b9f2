/** Rules that can never match, and allows that cannot do what they seem to say. */
import type { PlacedRule } from '../config/rules.ts'
import { hasWildcard, matchesGlob } from '../gate/rules/glob.ts'
import { splitWords } from '../gate/rules/match.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import { ALWAYS_ASKED, type CommandClass } from '../protocol/command.ts'
import type { Facts } from '../protocol/facts.ts'
import type { LayeredRule, Rule } from '../protocol/rule.ts'

interface NoteDeps {
  /** Of the tools that this agent has; a server may offer more. */
  tools: readonly { name: string; family: string }[]
  lang: Lang
  factsOf(call: { tool: string; args: unknown }): Promise<Facts>
}

export async function ruleNotes(rules: readonly PlacedRule[], deps: NoteDeps): Promise<string[]> {
  const texts = messages(deps.lang).config
  const notes: string[] = []
  for (const { rule } of rules) {
    const never = neverMatches(rule, deps)
    if (never !== undefined) notes.push(texts.ruleNever({ from: rule.from, why: texts.never[never.why](never) }))
    const asked = never === undefined && rule.decide === 'allow' ? await widelyAllowed(rule, deps) : undefined
    if (asked !== undefined) notes.push(texts.ruleWide({ from: rule.from, class: asked }))
  }
  return notes
}

interface Never {
  why: 'tool' | 'family' | 'path' | 'host' | 'operator' | 'range'
  part: string
}

function neverMatches({ tool, when = {} }: Rule, { tools }: NoteDeps): Never | undefined {
  const all = <T>(patterns: T | readonly T[] | undefined, isIdle: (pattern: T) => boolean, why: Never['why']) => {
    const list = patterns === undefined ? [] : ([patterns].flat() as T[])
    return list.length > 0 && list.every(isIdle) ? { why, part: list.join(', ') } : undefined
  }
  const named = tool === undefined ? [] : [tool].flat()
  const found = tools.filter(({ name }) => named.some((one) => matchesGlob(one.toLowerCase(), name.toLowerCase())))
  const families = when.family === undefined ? undefined : [when.family].flat().map(String)
  const otherFamily =
    families !== undefined &&
    found.length > 0 &&
    named.every((name) => !hasWildcard(name)) &&
    found.every(({ family }) => !families.includes(family))
  const range = Object.entries(when.args ?? {}).find(([, wanted]) => {
    const { above, below } = typeof wanted === 'object' && wanted !== null ? wanted : {}
    return above !== undefined && below !== undefined && above >= below
  })
  return (
    // Tools of MCP servers that are not connected are unknown here.
    (named.length > 0 && found.length === 0 && named.every((name) => !name.includes('__') && !hasWildcard(name))
      ? { why: 'tool', part: named.join(', ') }
      : undefined) ??
    (otherFamily ? { why: 'family', part: (families ?? []).join(', ') } : undefined) ??
    all(
      when.path,
      (path) =>
        path.split('/').some((name) => name === '..' || name === '.') && path !== '.' && !/^\.\/[^.]/.test(path),
      'path',
    ) ??
    all(when.host, (host) => host.includes('/'), 'host') ??
    all(when.command, (command) => splitWords(command).some((word) => /^(?:&&|\|\|?|;|&)$/.test(word)), 'operator') ??
    (range && { why: 'range', part: range[0] })
  )
}

/** The class of the calls that this allow names with wildcards, where they always need approval. */
async function widelyAllowed({ when = {} }: LayeredRule, { factsOf }: NoteDeps): Promise<CommandClass | undefined> {
  const commands = when.command === undefined ? [] : [when.command].flat()
  const classes = when.class === undefined ? [] : [when.class].flat()
  if (commands.length === 0) return classes.find((name) => ALWAYS_ASKED.includes(name))
  for (const command of commands.filter(hasWildcard)) {
    const words = splitWords(command).filter((word) => !hasWildcard(word))
    const facts = await factsOf({ tool: 'shell', args: { command: words.join(' ') } })
    const asked = facts.command?.uses?.find((use) => ALWAYS_ASKED.includes(use.class))
    if (asked !== undefined) return asked.class
  }
  return undefined
}

/**
 * What expanding a word does. Every kind of expansion is listed: one that may do more than insert text is a doubt,
 * because bash evaluates more of its data than a reader expects.
 */
import type { ParameterExpansionPart, ParsedScript, SyntaxNode, Word, WordPart } from 'unbash'
import { forEachChild } from 'unbash'
import { why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import { readArithmetic } from './arithmetic.ts'
import type { Arg } from './invocation.ts'

export type Kind = 'number' | 'text' | 'list'

/** Receives what a word does. */
export interface Listener {
  doubt(reason: Why): void
  run(script: ParsedScript | undefined, text: string): void
  set(name: string, kind: Kind, value?: Arg): void
  /** The variable's content is evaluated as arithmetic. */
  evaluate(name: string): void
}

const UNREADABLE_ESCAPE = /\\(?![abeEfnrtv\\'"?]|x[0-9a-fA-F]{2}|[0-7]{3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/
const ZERO_ESCAPE = /\\(0|x0|u0|U0)+(?![1-9a-fA-F])/

export function walkWord(word: Word, to: Listener): void {
  for (const part of word.parts ?? []) walkPart(part, to)
}

export function walkParts(parts: readonly WordPart[] | undefined, to: Listener): void {
  for (const part of parts ?? []) walkPart(part, to)
}

function walkPart(part: WordPart, to: Listener): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'SimpleExpansion':
      return
    case 'AnsiCQuoted':
      if (UNREADABLE_ESCAPE.test(part.text.replaceAll('\\\\', '')) || ZERO_ESCAPE.test(part.text))
        to.doubt(why('textNotCertain', { text: short(part.text) }))
      return
    case 'DoubleQuoted':
    case 'Glob':
      walkParts(part.parts, to)
      return
    case 'ExtendedGlob':
    case 'BraceExpansion':
      if (part.parts === undefined && /[$`]/.test(part.text)) to.doubt(why('notParsed', { text: short(part.text) }))
      walkParts(part.parts, to)
      return
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      to.run(part.script, part.text)
      return
    case 'ArithmeticExpansion':
      walkInside(part, to)
      walkArithmetic(part.text.replace(/^\$\(\(|\)\)$|^\$\[|\]$/g, ''), to)
      return
    case 'ParameterExpansion':
      walkParameter(part, to)
      return
    case 'LocaleString':
      to.doubt(why('translationLater', { text: short(part.text) }))
      return
    default:
      part satisfies never
      to.doubt(why('expansionNotSupported'))
      return
  }
}

function walkParameter(part: ParameterExpansionPart, to: Listener): void {
  const { parameter, prefix, index, operation } = part
  const isNames = operation?.type === 'Names' || /^[@*]$/.test(index?.text ?? '')
  if (prefix === '!' && !isNames) to.doubt(why('variableBehind', { text: short(part.text) }))
  if (!/^(\w+|[@*#?$!_-])$/.test(parameter)) to.doubt(why('notParsed', { text: short(part.text) }))
  if (index !== undefined) walkIndex(index, to)
  // Whether a single quote quotes here depends on the context, here-documents included.
  if (/'[^']*[$`]/.test(part.text.slice(2))) to.doubt(why('quotingNotCertain', { text: short(part.text) }))
  switch (operation?.type) {
    case undefined:
    case 'Names':
      return
    case 'Default':
      if (operation.operator.endsWith('=')) to.set(parameter, 'text')
      walkWord(operation.operand, to)
      return
    case 'Remove':
      walkWord(operation.operand, to)
      return
    case 'Replace':
      walkWord(operation.pattern, to)
      walkWord(operation.replacement, to)
      return
    case 'CaseModification':
      if (operation.operand !== undefined) walkWord(operation.operand, to)
      return
    case 'Slice':
      walkInside(operation, to)
      walkArithmetic(operation.offset.text, to)
      walkArithmetic(operation.length?.text ?? '', to)
      return
    case 'Transform':
      // Of the other operators, `P` runs the commands in the value.
      if (!/^[QULu]$/.test(operation.operand.text)) to.doubt(why('evaluatesContent', { text: short(part.text) }))
      return
    default:
      to.doubt(why('notParsed', { text: short(part.text) }))
      return
  }
}

/** A subscript is arithmetic, unless it is `@` or `*`. */
export function walkIndex(index: Word, to: Listener): void {
  walkInside(index, to)
  if (!/^[@*]$/.test(index.text)) walkArithmetic(index.text, to)
}

/** Commands inside an expression that is evaluated as a whole. */
export function walkInside(node: SyntaxNode, to: Listener): void {
  forEachChild(node, (child) => {
    const isRun =
      child.type === 'CommandExpansion' ||
      child.type === 'ProcessSubstitution' ||
      child.type === 'ArithmeticCommandExpansion'
    if (isRun) to.run(child.script, child.text)
    else walkInside(child, to)
  })
}

export function walkArithmetic(text: string, to: Listener): void {
  const names = readArithmetic(text)
  if (names === undefined) {
    to.doubt(why('arithmetic', { text: short(text) }))
    return
  }
  for (const name of names.sets) to.set(name, 'number')
  for (const name of names.names) to.evaluate(name)
}

/** What a value is known to be. */
export function kindOf(value: Word): Kind {
  if (/^-?\d+$/.test(value.text)) return 'number'
  const [part, ...more] = value.parts ?? []
  const only = part?.type === 'DoubleQuoted' && part.parts.length === 1 ? part.parts[0] : part
  const isCount = only?.type === 'SimpleExpansion' && /^\$[#?$!]$/.test(only.text)
  const isLength = only?.type === 'ParameterExpansion' && only.prefix === '#'
  return more.length === 0 && (only?.type === 'ArithmeticExpansion' || isCount || isLength) ? 'number' : 'text'
}

function short(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}

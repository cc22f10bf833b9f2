/** What a cue is made of. */
import { GuardedPattern } from '../../language/guarded-pattern.ts'
import { unfold } from '../../language/pattern.ts'

/** One private-use character per kind of thing, so that no word inside a path or a quotation can match a cue. */
export const MASK = {
  url: '\ue001',
  file: '\ue002',
  source: '\ue003',
  folder: '\ue004',
  quote: '\ue005',
  code: '\ue006',
} as const

/** For the reason shown to people. */
export const MASK_NAMES: Readonly<Record<string, string>> = {
  [MASK.url]: '<url>',
  [MASK.file]: '<file>',
  [MASK.source]: '<source file>',
  [MASK.folder]: '<folder>',
  [MASK.quote]: '<quoted text>',
  [MASK.code]: '<code>',
}

export interface Cue {
  name: string
  /** Each must occur in the clause. */
  all: readonly RegExp[]
  /** Each must occur in some clause of the sentence. */
  beside?: readonly RegExp[]
  /** None may occur in any clause of the sentence. */
  without?: readonly RegExp[]
  /** None may occur in the clause. */
  none?: readonly RegExp[]
  /** Absent: only requests. `withQuestions`: also inside a question. `withNegated`: also when negated. */
  scope?: 'withQuestions' | 'withNegated'
  /** Its words may be in different clauses of the sentence. */
  across?: true
  /** Used only when no other cue matches. */
  weak?: true
}

interface Words {
  verbs?: string
  nouns?: string
  plain?: string
  zh?: string
}

/** `verbs` are inflected, `nouns` take a plural, `plain` and `zh` are used as they are. */
export function words(lists: Words): RegExp {
  const [verbs, nouns, plain, zh] = [lists.verbs, lists.nouns, lists.plain, lists.zh].map(
    (list) => list && unfold(list),
  )
  const parts: string[] = []
  if (verbs) parts.push(`\\b(?:${verbs.split('|').map(inflect).join('|')})\\b`)
  if (nouns) parts.push(`\\b(?:${nouns})(?:s|es)?\\b`)
  if (plain) parts.push(plain)
  if (zh) parts.push(`(?:${zh})`)
  return new GuardedPattern(parts.join('|'))
}

/** Moves, moved, moving; zips, zipped, zipping; copies, copied. */
function inflect(verb: string): string {
  const last = verb.at(-1) ?? ''
  if (last === 'e') return `${verb.slice(0, -1)}(?:e|es|ed|ing)`
  if (last === 'y') return `${verb.slice(0, -1)}(?:y|ys|ies|ied|yed|ying)`
  return /[a-z]/.test(last) ? `${verb}(?:s|es|${last}?ed|${last}?ing)?` : verb
}

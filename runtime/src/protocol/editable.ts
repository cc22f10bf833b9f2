/** The part of a call that a person edits before a yes: its command or file text if it has one, else all arguments. */
import type { Question } from './verdict.ts'

const TEXT_FIELDS = ['command', 'content'] as const

export interface Editable {
  /** The argument that is edited; absent: all of them, as JSON. */
  field?: (typeof TEXT_FIELDS)[number]
  text: string
}

type Arguments = Readonly<Record<string, unknown>>

export function editableOf({ args }: Pick<Question, 'args'>): Editable | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined
  const given = args as Arguments
  for (const field of TEXT_FIELDS) {
    const text = given[field]
    if (typeof text === 'string') return { field, text }
  }
  return { text: JSON.stringify(given, undefined, 2) }
}

/** Undefined: the text is not a JSON object. */
export function editedArgs({ args }: Pick<Question, 'args'>, { field, text }: Editable): Arguments | undefined {
  if (field !== undefined) return { ...(args as Arguments), [field]: text }
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : undefined
  } catch {
    return undefined
  }
}

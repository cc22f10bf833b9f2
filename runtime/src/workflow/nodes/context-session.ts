/** What a conversation of a workflow is found again by. */

/** Any text that one session is told from another by; NUL parts it from its owner. */
export const SESSION_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000]*$',
  description: 'The conversation; the same key finds its history again.',
} as const

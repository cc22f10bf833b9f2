/** The slash commands, in the order of the help. */
export const SLASH_NAMES = [
  'help',
  'new',
  'history',
  'attach',
  'tools',
  'skills',
  'memory',
  'policy',
  'trace',
  'undo',
  'routine',
  'config',
  'approvals',
  'abort',
  'exit',
] as const
export type SlashName = (typeof SLASH_NAMES)[number]

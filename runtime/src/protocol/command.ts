/** What a command of a shell line does, as the class table of `tool/guard` tells it. */

/**
 * - `read`: changes nothing.
 * - `build`: builds, tests or checks the project; runs its own code.
 * - `fetch`: reads from a host that the line names.
 * - `change`: changes files of the workspace, or local state that can be restored.
 * - `unknown`: not in the table.
 *
 * The others always need approval:
 * - `publish`: others can see it.
 * - `lose-work`: can destroy uncommitted work, or the last reference to a commit.
 * - `delete-outside`: deletes outside the workspace.
 * - `remote`: changes another system: a cluster, a cloud, a database, a server.
 * - `send`: sends local data to another system.
 * - `credentials`: shows, creates or changes secrets.
 * - `pay`: orders or pays.
 * - `run-programs`: starts programs that are downloaded, or that arguments or settings name.
 * - `system`: changes the machine, its users, its services or its schedules.
 */
export const COMMAND_CLASSES = [
  'read',
  'build',
  'fetch',
  'change',
  'unknown',
  'publish',
  'lose-work',
  'delete-outside',
  'remote',
  'send',
  'credentials',
  'pay',
  'run-programs',
  'system',
] as const
/** What a shell command does, as rules name it. */
export type CommandClass = (typeof COMMAND_CLASSES)[number]

export type AskedClass = Exclude<CommandClass, 'read' | 'build' | 'fetch' | 'change' | 'unknown'>
export const ALWAYS_ASKED: readonly CommandClass[] = COMMAND_CLASSES.slice(COMMAND_CLASSES.indexOf('publish'))

/** One program that a call starts, or a file that a redirection writes (`>`). */
export interface CommandUse {
  /** Its name and arguments, without quotes: `['git', 'status']`; `['>', 'out.txt']`. */
  words: string[]
  /** The most severe class of this use. */
  class: CommandClass
  /** From this word on, the words are only known when it runs: variables, substitutions, globs. */
  unknownFrom?: number
  /** The same with the usual names, where the words have others: `['npm', 'install']` for `npm i`. */
  means?: string[]
}

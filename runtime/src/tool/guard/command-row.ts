/** The shape of the class tables: what a program does, judged by its sub-command, options and words. */
import { COMMAND_CLASSES, type CommandClass } from '../../protocol/command.ts'
import type { Invocation } from './invocation.ts'
import type { Spelling } from './options.ts'

export interface CommandCall {
  /** Without the program's name; words that are only known when it runs are as written. */
  args: readonly string[]
  /** Absent for commands that are not written in a shell line. */
  invocation?: Invocation
  /** Where a word leads, for every folder the command may run in. */
  placesOf(word: string): string[]
  workspace: string
  /** The class of another command, like the one that `npx` starts. */
  classOf(words: readonly string[]): CommandClass
}

export interface CommandRow {
  /** The class of a call; if there are sub-commands, of a call without one. */
  is: CommandClass
  /** Sub-commands by class, separated by commas. An unlisted one is `other`, or worse if its name says so. */
  verbs?: Partial<Record<CommandClass, string>>
  other?: CommandClass | ((call: CommandCall) => CommandClass)
  /** Options whose value is the next word. */
  takes?: Spelling
  /** Options that raise the class. */
  options?: readonly { option: Spelling; is: CommandClass }[]
  /** Words that raise the class. */
  words?: readonly { word: RegExp; is: CommandClass }[]
  /** With one of these options nothing is changed: `change` becomes `build`. */
  dry?: Spelling | RegExp
  /** The class of what data cannot describe. It replaces `is`, and can raise the class of a sub-command. */
  check?(call: CommandCall): CommandClass
  /** No option of it, in any implementation, writes a file or starts a program. */
  pure?: true
  /** The options with which it only reads, in the form of `option-list.ts`; with another one it is not known. */
  allows?: string
  /** Such options before the sub-command, beside `takes`. */
  globals?: string
  /** More words than this are not only read: the rest name what is written. */
  most?: number
  /** Its own arguments, without those of the command that it starts. */
  own?(args: readonly string[]): readonly string[]
}

/** For `allows`: its options are judged elsewhere, or are words like any other. */
export const ANY = '*'

export type CommandTable = Readonly<Record<string, CommandRow>>
/** Lines and their classes, checked by a test. */
export type CommandExamples = Readonly<Partial<Record<CommandClass, readonly string[]>>>

export function all(names: string, row: CommandRow): CommandTable {
  return Object.fromEntries(names.split(' ').map((name) => [name, row]))
}

export function option(is: CommandClass, spelling: Spelling): { option: Spelling; is: CommandClass } {
  return { option: spelling, is }
}

export function worst(classes: readonly CommandClass[]): CommandClass {
  return COMMAND_CLASSES.findLast((name) => classes.includes(name)) ?? 'read'
}

/** Variables that a line sets, for the shell or for one command. */
import type { Assignment, Word } from 'unbash'
import { exportDoubt } from './environment.ts'
import { type Kind, kindOf, type Listener, walkArithmetic, walkIndex, walkWord } from './expansions.ts'
import type { Arg } from './invocation.ts'
import { type Bound, readWord } from './words.ts'

interface Setting {
  /** The program the variable is set for. */
  command: Arg | undefined
  bound: Bound
  to: Listener
}

/** Before a command, a variable is set for that program; alone, for the shell. */
export function walkAssignment(node: Assignment, { command, bound, to }: Setting): void {
  // Wildcards are not expanded in a value.
  const isWhole = node.value.type === 'Word' && node.append !== true
  const value = isWhole ? { ...readWord(node.value as Word, bound), glob: false } : undefined
  walkValue(node, to)
  const isForRead = node.name === 'IFS' && command?.text === 'read'
  const doubt = command === undefined || isForRead ? undefined : exportDoubt(node.name, value)
  if (doubt !== undefined) to.doubt(doubt)
  const kind: Kind = node.value.type !== 'Word' || node.index !== undefined ? 'list' : kindOf(node.value)
  if (!isForRead) to.set(node.name, kind, value)
}

export function walkValue(node: Assignment, to: Listener): void {
  if (node.index !== undefined) walkIndex(node.index, to)
  if (node.value.type === 'Word') {
    walkWord(node.value, to)
    return
  }
  for (const element of node.value.elements) {
    walkWord(element, to)
    const index = /^\[(.*?)\]\+?=/s.exec(element.text)?.[1]
    if (index !== undefined || element.text.startsWith('[')) walkArithmetic(index ?? element.text, to)
  }
}

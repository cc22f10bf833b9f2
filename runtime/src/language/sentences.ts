/** Where sentences and clauses end. The patterns differ on purpose: each reader splits as finely as it needs. */
import { pattern } from './pattern.ts'

/** A mark that ends a sentence, or what stands between two: line breaks, braces, the comma between quoted values. */
const MARK_OR_BREAK = /[.!?;](?=[\s"'”’)\]}<]|$)|[。！？；]|[\r\n{}]+|\\[nrt]|["'],\s/g
const MARK = /^[.!?;。！？；]/

/** The sentences of any text: also the values of JSON, the lines of a list. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  const cut = (end: number, next: number) => {
    const sentence = text.slice(start, end)
    if (sentence.trim() !== '') sentences.push(sentence)
    start = next
  }
  let afterMark = -1
  MARK_OR_BREAK.lastIndex = 0
  for (let found = MARK_OR_BREAK.exec(text); found !== null; found = MARK_OR_BREAK.exec(text)) {
    const { index, 0: sign } = found
    if (MARK.test(sign)) {
      afterMark = index + 1
      cut(afterMark, afterMark)
      // The first character after a mark belongs to the next sentence, even if it is a line break.
    } else if (index === afterMark) MARK_OR_BREAK.lastIndex = index + 1
    else cut(index, index + sign.length)
  }
  cut(text.length, text.length)
  return sentences
}

/** Of a task in which quotations, paths and addresses are masked, so that a dot in them ends nothing. */
export const TASK_SENTENCE_END = /[!?;\n。]+|\.(?=\s|$|\p{Script=Han})/u

/** Inside such a sentence. */
export const TASK_CLAUSE_END = /[,:]| - |--|—/u

/** "Search a, but not b": each clause allows or forbids by itself. */
export const CLAUSE_END = /[，。；！？、,;!?\n]|\.(?=\s|$)|\bbut\b|但(?:是)?/iu

/** Between two requests of one message. The dots of `..`, `sub/.` and a lone `.` are names, not the end of a sentence. */
export const REQUEST_BREAK =
  /[,;](?=\s|$)|[，。；！？!?\n]|(?<=[^\s./])\.+(?=\s|$)|\s+(?:and then|and also|and|then)\s+|然后|接着|随后|并且/giu

/** Words between two clauses. */
export const CONNECTOR = pattern(String.raw`
    \b(?:and then|then|and also|and|but|so|after that|afterwards|before|after|while)\b|(?<!合)并且?(?!发|行|购|
    列|入|非)|然后|接着|随后|(?<!不)再(?!见|次|也|说)|顺便|最后|同时|以及帮|(?=看看|看一下|看下|瞧瞧|告诉我|
    帮我看|讲讲|说说|按照?上面)|后(?=把|将|再|就)|之后`)

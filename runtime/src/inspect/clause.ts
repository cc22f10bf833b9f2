/** What the rules read: a clause, its meaningful words, and the machines it names. */
import { BIT, CUE } from './concept.ts'
import type { Meaning } from './lexicon.ts'

export interface Hit extends Meaning {
  /** Position in the clause, in words. */
  word: number
  start: number
  end: number
  /** 2: opens the clause or follows "please", "you must"; 1: follows a comma or "and"; 0: no imperative. */
  imperative: 0 | 1 | 2
  /** Another person does it: "I ignore", "to ignore", "can ignore". */
  reported: boolean
  /** In quotation marks in the middle of a sentence. */
  quoted: boolean
  /** The character right after it. */
  next: number
  /** In a script without spaces or with endings, where a verb may follow its object. */
  free: boolean
}

/** A word for a machine that may be reading the text. */
export interface Machine {
  word: number
  start: number
  end: number
  /** The character right after it. */
  next: number
  /** Assistant, agent, GPT; not any program. */
  helper: boolean
  /** Certainly a model: GPT, or two such words together ("automated reader"). */
  sure: boolean
  /** After "to", "for", "dear". */
  toward: boolean
  quoted: boolean
  free: boolean
}

/** へ, 에, 께: "to" comes after the name. */
const AFTER = new Set([0x3078, 0xc5d0, 0xaed8])

interface Named extends Omit<Machine, 'sure' | 'toward'> {
  /** "To" or "for" stands before it. */
  near: boolean
  before: Machine | undefined
}

export function machineAt(cues: number, named: Named): Machine {
  const { near, before, word, start, end, next, helper, quoted, free } = named
  const sure = (cues & (CUE.model | CUE.machine)) !== 0 || (before !== undefined && word - before.word <= 1)
  const toward = near || (cues & CUE.toward) !== 0 || AFTER.has(next)
  return { word, start, end, next, helper, sure, toward, quoted, free }
}

export interface Clause {
  /** The whole folded text. */
  text: string
  start: number
  end: number
  hits: Hit[]
  mask: number
  cues: number
  question: boolean
  /** The number of words before each of its colons. */
  colons: readonly number[]
  machines: readonly Machine[]
  /** The positions, in words, where it says that something reads this text. */
  reads: readonly number[]
}

/** "For example, …" */
const EXAMPLE = /(?:例如|比如|诸如|such as|e\.g\.?,?) ?[^.;。"]{0,16}$/

/** Words in quotation marks that the sentence is about. */
export function isMention(clause: Clause, hit: Hit): boolean {
  const { cues, question } = clause
  if ((cues & CUE.report) !== 0 && EXAMPLE.test(clause.text.slice(Math.max(clause.start, hit.start - 30), hit.start)))
    return true
  return hit.quoted && (question || (cues & (CUE.report | CUE.topic)) !== 0)
}

/** It says please or must. In Chinese, what you must do is also how things are explained: 您必须搜索每一条记录. */
export function isBidden({ mask, hits, text }: Clause): boolean {
  if ((mask & (BIT.PLEASE | BIT.MUST)) === 0) return false
  if ((mask & (BIT.PLEASE | BIT.AI)) !== 0) return true
  return hits.some(({ mask: meant, cues, free, word, start }) => {
    if ((meant & BIT.MUST) === 0) return false
    if (!free || (cues & CUE.late) !== 0) return true
    return (word <= 1 || text.charAt(start - 1) === ',') && (mask & BIT.YOU) === 0
  })
}

/** Weighs suspicions by where they are, and adds up those that are close together. */
import type { Clause } from './clause.ts'
import { ACT, BIT, CUE } from './concept.ts'
import type { Region, Survey } from './context.ts'
import type { Suspicion } from './suspicion.ts'
import { FRAME_FLOOR, LEVELS, PLACE_FACTOR, SCENE_FACTOR, SUPPORT, TOPIC_FACTOR, WEIGHT } from './weights.ts'

export type Verdict = 'pass' | 'warn' | 'review' | 'block'

/** How far apart two suspicions may be and still count as one attempt. */
const TOGETHER = 500
const NEIGHBOURS = 12
const STRETCH = 350
/** What texts about models and prompts are full of. */
const MODELLED = { stretches: 4, clauses: 3 }
/** So many kinds of phrases in quotation marks are a list of examples. */
const EXAMPLES = 3
const MODEL_TALK = new Set(
  'override secrecy persona role reading standing own-prompt unbound charter verbatim machine new-orders completion chat-template role-tag role-line user-line section-mark precondition'.split(
    ' ',
  ),
)
/** Words for what an article on attacks is about. */
const MODELLING = CUE['own-prompt'] | CUE.machine | CUE.model | CUE.charter
const FRAMES: readonly string[] = [
  'completion',
  'new-orders',
  'precondition',
  'role-line',
  'role-tag',
  'frame-tag',
  'section-mark',
  'threat',
  'unchecked',
  'machine',
  'spokesman',
  'obstruct',
]
/** By how much the place of a clause changes its weight. Ask in the order of the text. */
export class Places {
  readonly #hidden: Cursor
  readonly #code: Cursor
  readonly #cited: Cursor
  readonly #factor: number
  /** Where the line of the last clause begins, and where the next one does. */
  #line = 0
  #nextLine = 0

  constructor({ hidden, code, cited, carrier }: Survey) {
    this.#cited = new Cursor(cited)
    this.#hidden = new Cursor(hidden)
    this.#code = new Cursor(code)
    this.#factor = carrier === 'code' ? PLACE_FACTOR.code : 1
  }

  factorAt({ text, start }: Clause): number {
    if (this.#hidden.at(start) !== undefined) return PLACE_FACTOR.hidden
    const code = this.#code.at(start)
    if (code?.inline === true) return PLACE_FACTOR.code
    const factor = code === undefined ? this.#factor : PLACE_FACTOR.code
    return factor < 1 && this.#isInComment(text, start) ? PLACE_FACTOR.comment : factor
  }

  isCited({ start }: Clause): boolean {
    return this.#cited.at(start) !== undefined
  }

  /** In code, people write to each other, and to agents, in comments. */
  #isInComment(text: string, start: number): boolean {
    while (this.#nextLine <= start) {
      this.#line = this.#nextLine
      const end = text.indexOf('\n', this.#line)
      this.#nextLine = end < 0 ? text.length + 1 : end + 1
    }
    // At the end of a line, the next one.
    const line = this.#nextLine === start + 1 ? this.#nextLine : this.#line
    return beginsComment(text, line) || beginsComment(text, start) || beginsComment(text, start + 1)
  }
}

const COMMENT = /\s{0,200}(?:\/\/|\/?\*+ |#|--|;;|%|<!--|"{3}|rem )/y

function beginsComment(text: string, at: number): boolean {
  COMMENT.lastIndex = at
  return COMMENT.test(text)
}

class Cursor {
  readonly #regions: readonly Region[]
  #next = 0

  constructor(regions: readonly Region[]) {
    this.#regions = regions
  }

  at(place: number): Region | undefined {
    while ((this.#regions[this.#next]?.end ?? Number.POSITIVE_INFINITY) <= place) this.#next++
    const region = this.#regions[this.#next]
    return region !== undefined && region.start <= place ? region : undefined
  }
}

/** What is known about the whole text only at its end. */
export class Tally {
  /** The text is a test of a model. */
  tested = false
  topics = 0
  models = 0
  orders = 0
  /** How many stretches of the text mention a model. */
  #stretches = 0
  #stretch = -STRETCH
  readonly #said = new Set<string>()
  /** Set phrases in quotation marks or in code. */
  readonly #examples = new Set<string>()

  see({ rule, quoted, code }: Suspicion): void {
    if ((quoted === true || code === true) && MODEL_TALK.has(rule)) this.#examples.add(rule)
  }

  take(clause: Clause): void {
    if ((clause.cues & CUE.topic) !== 0) this.topics++
    if (((clause.mask & BIT.AI) !== 0 || (clause.cues & MODELLING) !== 0) && this.#isNew(clause)) {
      this.models++
      if (clause.start - this.#stretch >= STRETCH) {
        this.#stretches++
        this.#stretch = clause.start
      }
    }
    if (clause.hits.some(({ imperative, mask }) => imperative === 2 && (mask & (ACT | BIT.SHAPE)) !== 0)) this.orders++
  }

  /** An order that is repeated makes no article about orders. */
  #isNew({ text, start, end }: Clause): boolean {
    const said = text.slice(start, end).trim()
    if (this.#said.has(said)) return false
    this.#said.add(said)
    return true
  }

  #isAboutModels(): boolean {
    return this.#stretches >= MODELLED.stretches || this.models >= MODELLED.clauses
  }

  /** An article about attacks quotes them; a manual is full of commands. */
  factorFor({ rule, quoted, code }: Suspicion, { length, carrier, scene }: Survey): number {
    if (rule === 'planted-code' || rule === 'order') return 1
    const usual = scene === undefined ? 1 : (SCENE_FACTOR[scene][rule] ?? 1)
    // Attacks on models, not isolation levels and filters.
    const about =
      this.topics >= 2 && this.models >= 2 && (length > 300 || this.topics >= 4)
        ? Math.max(TOPIC_FACTOR.least, 1 - this.topics * TOPIC_FACTOR.perTopic)
        : 1
    const data = code === true || (carrier === 'json' && this.topics >= 2)
    const cited = (this.topics >= 1 || this.#examples.size >= EXAMPLES) && (quoted === true || data)
    const modelled = this.#isAboutModels() && MODEL_TALK.has(rule) ? TOPIC_FACTOR.models : 1
    const test = this.tested && this.models > 0 ? TOPIC_FACTOR.tested : 1
    const article = usual * modelled * test * (cited ? Math.min(about, TOPIC_FACTOR.quoted) : about)
    return article
  }
}

/** The heaviest suspicion and what supports it nearby; the same rule counts once. `suspicions` are in order. */
export function total(suspicions: readonly Suspicion[]): number {
  const staged = suspicions.some(({ rule }) => rule === 'role-line')
  let most = 0
  let first = 0
  let sum = 0
  for (const [i, { at, weight }] of suspicions.entries()) {
    sum += weight
    while (first <= i - NEIGHBOURS || at - (suspicions[first]?.at ?? at) > TOGETHER) {
      sum -= suspicions[first++]?.weight ?? 0
    }
    // The plain sum is an upper bound, with what a frame adds: most groups need no closer look.
    const bound = staged || sum >= FRAME_FLOOR ? sum + WEIGHT.joined : sum
    if (bound > most) most = Math.max(most, together(suspicions, first, i))
  }
  return most
}

function together(suspicions: readonly Suspicion[], first: number, last: number): number {
  const best = new Map<string, number>()
  let orders = false
  let framed = false
  for (let i = last; i >= first; i--) {
    const { rule, weight, quoted } = suspicions[i] ?? { rule: '', weight: 0, quoted: false }
    best.set(rule, Math.max(best.get(rule) ?? 0, weight))
    // From the end backwards: what comes before a request is its frame.
    if (rule === 'order') orders = true
    else if (orders && quoted !== true && weight >= FRAME_FLOOR && FRAMES.includes(rule)) framed = true
  }
  const heaviest = Math.max(...best.values())
  const all = [...best.values()].reduce((sum, weight) => sum + weight, 0)
  // Two invented speakers, and one of them orders.
  const staged = orders && best.has('role-line') && best.has('user-line')
  return heaviest + SUPPORT * (all - heaviest) + (framed || staged ? WEIGHT.joined : 0)
}

export function verdictOf(score: number): Verdict {
  if (score >= LEVELS.block) return 'block'
  if (score >= LEVELS.review) return 'review'
  return score >= LEVELS.warn ? 'warn' : 'pass'
}

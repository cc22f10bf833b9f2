/** Does a clause order its reader to do something? A sum of learned weights: of concepts, verbs and words. */
import type { Clause, Hit } from './clause.ts'
import { ACT, BIT, HARM, VERB } from './concept.ts'
import type { Survey } from './context.ts'
import { negated, orders } from './order.ts'
import { BASE, CONCEPT, CUES, DONE, DONE_WITH, ORDERED, ORDERED_WITH, SAID_WITH, SIGN, WORDS } from './order-weights.ts'
import type { Places } from './score.ts'
import type { Suspicion } from './suspicion.ts'
import { LEVELS, PLACE_FACTOR, WEIGHT } from './weights.ts'

type Sign = keyof typeof SIGN

const SAYS = BIT.SHAPE | BIT.TELL
const COMMA = 44
const COLONS = new Set([58, 0xff1a])
/** How far after a word for a machine an order may still be meant for it. */
const REACH = 450
const CLAUSES = 3
const LONGEST = 400
const ADDRESS = /[\w.+-]*@[\w.-]+|https?:\/\/\S+|\b[\w-]+(?:\.[\w-]+)+\S*/g
const MAYBE_ADDRESS = /[@.:][\w/]/
const WORD = /[a-zа-я]{2,}|[\u4e00-\u9fff]{2,}/g
/** Below this, neither words nor its place have made an order of a clause: most are not looked at. */
const BEFORE_WORDS = -40
/** A planted order has few others beside it; manuals are full of them. */
const FEW = 3
const DENSE = { share: 0.3, clauses: 8 }
/** The last part of a text. */
const LATE = 0.8
/** What texts about attacks are full of. */
const ABOUT =
  /(?<![a-z])(?:injections?|injected|attack(?:s|ers?)?|phishing|jailbreak|adversarial|prompts?|scam|fraud|spoofed|untrusted|hijack|malicious|guardrails?|exploit|vulnerability|payload|classifier|detector)(?![a-z])|注入|攻击|诈骗|钓鱼|恶意|伪造|越狱/g
/** An order dressed up as a manual or an article gains no more than this. */
const AROUND_LEAST = -40
const ABOUT_FROM = { about: 1, about2: 2, about3: 3, about5: 5 } as const
const THIS = /\b(?:this|these|here)\b|[本此这]/

interface Candidate {
  at: number
  /** Where its clause begins. */
  start: number
  points: number
  quotes: boolean
  orders: boolean
}

/** What is known about a text only at its end. */
export interface Around {
  topics: number
  models: number
  orders: number
}

export class OrderSigns {
  readonly #found: Candidate[] = []
  /** Where the last clauses with a word for a machine began, latest first. */
  #machines: { start: number; clause: number }[] = []
  #clauses = 0
  #orders = 0
  #text = ''

  take(clause: Clause, places: Places): void {
    this.#clauses++
    const { mask, cues, machines, hits, text, start, end } = clause
    this.#text = text
    const helper = machines.length === 0 ? undefined : machines.find((machine) => machine.helper || machine.sure)
    const machine = helper ?? machines[0]
    let ordered = 0
    let done = 0
    let quoted = 0
    for (let i = 0; i < hits.length; i++) {
      const hit = hits[i] as Hit
      if (hit.quoted) quoted |= hit.mask
      if ((hit.mask & VERB) === 0 || negated(clause, i)) continue
      if (orders(clause, hit)) ordered |= hit.mask & VERB
      if (machine !== undefined && hit.word > machine.word && !hit.reported) done |= hit.mask & VERB
    }
    const acts = (ordered & ACT) !== 0
    const says = (ordered & SAYS) !== 0
    const rest = mask & ~VERB
    let points = BASE + sumOf(CONCEPT, rest) + sumOf(CUES, cues) + sumOf(ORDERED, ordered) + sumOf(DONE, done)
    if (acts) points += sumOf(ORDERED_WITH, rest)
    if (says) points += sumOf(SAID_WITH, rest)
    if (helper !== undefined && (done & (ACT | SAYS)) !== 0) points += sumOf(DONE_WITH, rest)
    const add = (sign: Sign, holds: boolean) => {
      if (holds) points += SIGN[sign]
    }
    add('orders', acts)
    add('ordersHarm', (ordered & HARM) !== 0)
    add('ordersWords', says)
    if (helper !== undefined) {
      add('machine', true)
      add(helper.sure ? 'sure' : 'helper', true)
      add('toward', helper.toward)
      add('first', helper.word <= 2)
      add('colon', COLONS.has(helper.next))
      add('comma', helper.next === COMMA)
      add('does', (done & ACT) !== 0)
      add('harms', (done & HARM) !== 0)
      add('says', (done & SAYS) !== 0)
      add('this', THIS.test(text.slice(start, end)))
    } else if (machine !== undefined) {
      add('device', true)
      add('deviceDoes', (done & ACT) !== 0)
    }
    const quotes = (quoted & (ACT | BIT.AI)) !== 0
    add('reads', clause.reads.length > 0)
    add('question', clause.question)
    add('quotes', quotes)
    if (acts || says) {
      this.#orders++
      add(
        'afterMachine',
        this.#machines.some((at) => this.#clauses - at.clause <= CLAUSES && start - at.start < REACH),
      )
    }
    if (helper !== undefined) this.#machines = [{ start, clause: this.#clauses }, ...this.#machines.slice(0, 2)]
    if (points < BEFORE_WORDS) return
    const factor = places.factorAt(clause)
    add('cited', places.isCited(clause))
    add('hidden', factor === PLACE_FACTOR.hidden)
    add('comment', factor === PLACE_FACTOR.comment)
    add('inCode', factor === PLACE_FACTOR.code)
    points += wordPoints(text.slice(start, Math.min(end, start + LONGEST)))
    this.#found.push({ at: hits[0]?.start ?? start, start, points, quotes, orders: acts || says })
  }

  suspicions({ topics, models, orders }: Around, { carrier, scene }: Survey): Suspicion[] {
    if (this.#found.length === 0) return []
    const signs: Sign[] = carrier === 'typed' ? [] : [carrier]
    if (scene !== undefined) signs.push(scene)
    if (topics >= 2) signs.push('topics')
    if (topics >= 4) signs.push('manyTopics')
    if (models >= 3) signs.push('models')
    if (models >= 6) signs.push('manyModels')
    if (orders > 4) signs.push('manual')
    if (orders > 10) signs.push('longManual')
    const about = new Set(this.#text.match(ABOUT)).size
    for (const sign of ['about', 'about2', 'about3', 'about5'] as const) if (about >= ABOUT_FROM[sign]) signs.push(sign)
    const around = Math.max(AROUND_LEAST, sumOfSigns(signs))
    const found: Suspicion[] = []
    for (const { at, points, quotes, ...rest } of this.#found) {
      const sum = points + around + sumOfSigns(this.#placed(rest)) + (quotes && topics > 0 ? SIGN.quotesAttack : 0)
      if (sum >= LEVELS.warn) found.push({ rule: 'order', at, weight: Math.min(sum, WEIGHT.orderMost), quoted: quotes })
    }
    return found
  }

  /** How a clause stands among the others. */
  #placed({ start, orders }: Pick<Candidate, 'start' | 'orders'>): Sign[] {
    const signs: Sign[] = []
    if (orders && this.#orders <= 1) signs.push('lone')
    if (orders && this.#orders <= FEW) signs.push('few')
    if (orders && this.#clauses > DENSE.clauses && this.#orders / this.#clauses > DENSE.share) signs.push('dense')
    if (start > this.#text.length * LATE) signs.push('late')
    if (start === 0) signs.push('opening')
    return signs
  }
}

function sumOfSigns(signs: readonly Sign[]): number {
  return signs.reduce((sum, sign) => sum + SIGN[sign], 0)
}

/** The weights of the bits that are set. */
function sumOf(weights: readonly number[], mask: number): number {
  let sum = 0
  for (let bits = mask; bits !== 0; bits &= bits - 1) sum += weights[31 - Math.clz32(bits & -bits)] ?? 0
  return sum
}

let weighed: ReadonlyMap<string, number> | undefined

function weightsOfWords(): ReadonlyMap<string, number> {
  weighed ??= new Map(
    Object.entries(WORDS).flatMap(([weight, words]) => words.split(' ').map((word) => [word, Number(weight)] as const)),
  )
  return weighed
}

/** Each word once; of Chinese, each pair of characters. */
function wordPoints(clause: string): number {
  const weights = weightsOfWords()
  const seen = new Set<string>()
  let sum = 0
  const add = (word: string) => {
    const weight = weights.get(word)
    if (weight === undefined || seen.has(word)) return
    seen.add(word)
    sum += weight
  }
  for (const [word] of (MAYBE_ADDRESS.test(clause) ? clause.replace(ADDRESS, ' ') : clause).matchAll(WORD)) {
    if (word.charCodeAt(0) < 0x4e00) add(word)
    else for (let i = 0; i + 1 < word.length; i++) add(word.slice(i, i + 2))
  }
  return sum
}

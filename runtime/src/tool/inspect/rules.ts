/** What a clause asks for. A rule reads concepts, never words, so that it holds in every language of the lexicon. */
import { type Clause, type Hit, isMention } from './clause.ts'
import { ACT, BIT, CUE } from './concept.ts'
import type { Carrier } from './context.ts'
import { WEIGHT } from './weights.ts'

export interface Suspicion {
  rule: string
  /** Offset in the folded text. */
  at: number
  weight: number
}

const HARM = BIT.SEND | BIT.PAY | BIT.WIPE | BIT.GRANT
const TARGET = BIT.MAIL | BIT.LINK
const NEAR = 8
const ENDS = [...'.!:。'].map((char) => char.charCodeAt(0))

export function suspect(clause: Clause, carrier: Carrier): Suspicion[] {
  const found: Suspicion[] = []
  const add = (rule: string, weight: number, hit?: Hit) => {
    if (weight > 0) found.push({ rule, at: (hit ?? clause.hits[0])?.start ?? clause.start, weight })
  }
  const { mask, cues } = clause
  if ((mask & BIT.VOID) !== 0) overrides(clause, carrier === 'typed', add)
  if (cues !== 0) phrases(clause, carrier, add)
  if ((mask & BIT.AI) !== 0) addresses(clause, add)
  if ((mask & BIT.NOT) !== 0 && (mask & BIT.TELL) !== 0 && (mask & BIT.USER) !== 0) silences(clause, add)
  const begged = clause.hits.some((hit) => (hit.cues & CUE.late) !== 0 && (hit.mask & BIT.PLEASE) !== 0)
  const lead = clause.hits.find(
    (hit) => (hit.imperative > 0 || (hit.free && begged)) && (hit.mask & (ACT | BIT.SHAPE | BIT.TELL)) !== 0,
  )
  if (lead === undefined) return found
  if (lead.imperative === 2 && (cues & CUE.human) === 0) add('request', WEIGHT.request, lead)
  if (carrier !== 'typed') {
    shapes(clause, lead, add)
    commands(clause, lead, add)
  }
  return found
}

type Add = (rule: string, weight: number, hit?: Hit) => void

function overrides(clause: Clause, typed: boolean, add: Add): void {
  for (const [i, hit] of clause.hits.entries()) {
    if ((hit.mask & BIT.VOID) === 0 || negated(clause, i)) continue
    const near = clause.hits.filter((other) => other !== hit && isNear(hit, other))
    const around = near.reduce((mask, other) => mask | other.mask, 0)
    const bounds = (around & (BIT.PRIOR | BIT.ALL | BIT.YOUR)) !== 0
    const strict = (around & (BIT.PRIOR | BIT.YOUR)) !== 0
    let weight = 0
    if ((around & BIT.ORDERS) !== 0 && bounds) weight = strict ? WEIGHT.override : WEIGHT.overrideAll
    else if ((around & BIT.TEXT) !== 0 && (around & BIT.PRIOR) !== 0) weight = WEIGHT.overrideText
    else if ((around & BIT.ALL) !== 0 && (around & (BIT.YOU | BIT.PRIOR)) !== 0) weight = WEIGHT.overrideText
    else if ((around & BIT.USER) !== 0 && (around & BIT.ORDERS) !== 0) weight = WEIGHT.overrideText
    else if ((around & BIT.ORDERS) !== 0 && hit.imperative > 0) weight = WEIGHT.overrideBare
    else if ((around & BIT.PRIOR) !== 0 && hit.imperative === 2) weight = WEIGHT.overrideBare
    else if ((around & BIT.ALL) !== 0 && hit.imperative === 2)
      weight = typed ? WEIGHT.overrideText : WEIGHT.overrideBare
    if (weight === 0) continue
    if (hit.told && (hit.free || hit.imperative === 0)) weight *= 0.35
    else if (hit.imperative === 0)
      weight *= typed ? 0.9 : hit.free && (clause.mask & (BIT.PLEASE | ACT)) !== 0 ? 0.85 : 0.5
    if (clause.question && hit.imperative === 0) weight *= 0.8
    if (isMention(clause, hit)) weight *= 0.35
    add('override', weight, hit)
    return
  }
}

function phrases(clause: Clause, carrier: Carrier, add: Add): void {
  const { mask, cues } = clause
  const first = (cue: number) => clause.hits.find((hit) => (hit.cues & cue) !== 0)
  const acts = clause.hits.some(
    ({ imperative, mask: own }) => imperative > 0 && (own & (ACT | BIT.SHAPE | BIT.TELL)) !== 0,
  )
  const say = (rule: keyof typeof WEIGHT, cue: number, strength = 1) => {
    const hit = first(cue)
    if (hit === undefined) return
    const factor = isMention(clause, hit) ? 0.4 : 1
    add(kebab(rule), WEIGHT[rule] * strength * factor, hit)
  }
  if ((cues & CUE.machine) !== 0) say('machine', CUE.machine)
  if ((cues & CUE.precondition) !== 0)
    say(
      'precondition',
      CUE.precondition,
      (mask & (BIT.ORDERS | BIT.PLEASE | BIT.SECRET | BIT.USER | BIT.REPLY | TARGET)) !== 0 &&
        (acts || (mask & (BIT.PLEASE | BIT.SECRET)) !== 0)
        ? 1.6
        : 0.6,
    )
  if ((cues & CUE['new-orders']) !== 0) {
    say('newOrders', CUE['new-orders'], (mask & (BIT.URGENT | BIT.MUST | BIT.YOU)) !== 0 ? 1.3 : 0.8)
  }
  if ((cues & CUE.follow) !== 0)
    say('follow', CUE.follow, (mask & (BIT.URGENT | BIT.MUST)) !== 0 && (mask & BIT.YOU) !== 0 ? 1.5 : 0.8)
  if ((cues & CUE.completion) !== 0)
    say(
      'completion',
      CUE.completion,
      (mask & (BIT.NEW | BIT.PRIOR | BIT.YOUR)) !== 0
        ? 1.2
        : ENDS.includes(first(CUE.completion)?.next ?? 0)
          ? 0.8
          : 0.4,
    )
  if ((cues & CUE['own-prompt']) !== 0) {
    const prompt = first(CUE['own-prompt'])
    const asks = clause.hits.some(
      (hit) =>
        (hit.mask & (BIT.TELL | BIT.SHAPE | BIT.SEND | BIT.FETCH)) !== 0 &&
        (hit.imperative > 0 || clause.question) &&
        prompt !== undefined &&
        isNear(hit, prompt),
    )
    say('ownPrompt', CUE['own-prompt'], asks ? 1 : 0.2)
  }
  if ((cues & CUE.persona) !== 0) say('persona', CUE.persona, first(CUE.persona)?.told ? 0.5 : 1)
  if ((cues & CUE.role) !== 0) {
    const hit = first(CUE.role)
    const spoken = (mask & (BIT.YOU | BIT.YOUR | BIT.AI | BIT.MUST | BIT.PLEASE)) !== 0 || (hit?.word ?? 9) <= 1
    say('role', CUE.role, spoken && !hit?.told ? 1 : 0.4)
  }
  if ((cues & CUE.unbound) !== 0) say('unbound', CUE.unbound, (mask & (BIT.YOU | BIT.YOUR | BIT.AI)) !== 0 ? 1.3 : 0.6)
  if ((cues & CUE.standing) !== 0) {
    const asks = (mask & (BIT.AMOUNT | TARGET)) !== 0 ? 2 : (mask & (ACT | BIT.SHAPE)) !== 0 ? 1.2 : 0.6
    say('standing', CUE.standing, carrier === 'code' ? 0.6 : asks)
  }
  if ((cues & CUE.secrecy) !== 0) say('secrecy', CUE.secrecy, (mask & (HARM | BIT.USER | BIT.AI)) !== 0 ? 1 : 0.4)
  if ((cues & CUE.unchecked) !== 0) say('unchecked', CUE.unchecked, (mask & HARM) !== 0 ? 1.3 : 0.7)
  if ((cues & CUE.spokesman) !== 0)
    say('spokesman', CUE.spokesman, (mask & (ACT | BIT.AMOUNT | TARGET)) !== 0 ? 1.3 : 0.7)
  if ((cues & CUE.threat) !== 0) say('threat', CUE.threat)
  if ((cues & CUE.decode) !== 0) say('decode', CUE.decode, acts ? 1 : 0.4)
}

/** The model is spoken to, or spoken of as one who must act. */
function addresses(clause: Clause, add: Add): void {
  const { hits } = clause
  for (const [i, hit] of hits.entries()) {
    if ((hit.mask & BIT.AI) === 0) continue
    const next = hits.slice(i + 1, i + 5).filter(({ word }) => word - hit.word <= 5)
    const called =
      (hit.next === 58 || hit.next === 44) && hit.word <= 3 && next.some(({ imperative }) => imperative > 0)
    const must = next[0] !== undefined && (next[0].mask & BIT.MUST) !== 0 && next[0].word - hit.word <= 1.5
    const bound = must && next.some(({ imperative }) => imperative > 0)
    const begged = next[0] !== undefined && (next[0].mask & BIT.PLEASE) !== 0 && next[0].word - hit.word <= 1.5
    const before = hits[i - 1]
    const told =
      before !== undefined &&
      (before.mask & BIT.MUST) !== 0 &&
      hit.word - before.word <= 1.5 &&
      next.some(({ mask }) => (mask & ACT) !== 0)
    const asked = hits.some(({ cues, word }) => (cues & CUE.condition) !== 0 && word < hit.word && hit.word - word <= 6)
    if (called || bound || begged || told || asked) {
      add('address', (hit.cues & CUE.model) !== 0 || called ? WEIGHT.address : WEIGHT.addressHuman, hit)
      return
    }
  }
}

function silences(clause: Clause, add: Add): void {
  for (const [i, hit] of clause.hits.entries()) {
    if ((hit.mask & BIT.TELL) === 0 || !negated(clause, i)) continue
    const person = clause.hits.find(
      ({ mask, word }) => (mask & BIT.USER) !== 0 && word > hit.word && word - hit.word <= 4,
    )
    if (person !== undefined) {
      add('secrecy', WEIGHT.secrecy * (hit.told ? 0.4 : 1), hit)
      return
    }
  }
}

/** Data that says how to answer. */
function shapes(clause: Clause, lead: Hit, add: Add): void {
  for (const [i, hit] of clause.hits.entries()) {
    if ((hit.mask & BIT.REPLY) === 0) continue
    const before = clause.hits[i - 1]
    if (before === undefined || (before.mask & BIT.YOUR) === 0 || hit.word - before.word > 2) continue
    const shaping = clause.hits.some(
      ({ mask, imperative }) => imperative > 0 && (mask & (BIT.SHAPE | BIT.CHANGE)) !== 0,
    )
    if (shaping) add('shape-reply', WEIGHT.shapeReply, lead)
    return
  }
}

/** An order to act on somebody's things, in a place where nobody is being asked. */
function commands(clause: Clause, lead: Hit, add: Add): void {
  const { mask, hits } = clause
  const reveals = (mask & BIT.SECRET) !== 0 ? BIT.SHAPE | BIT.TELL : 0
  const begged = hits.findLastIndex((hit) => (hit.cues & CUE.late) !== 0 && (hit.mask & BIT.PLEASE) !== 0)
  const acting = hits.filter(
    (hit, i) => (hit.imperative > 0 || (hit.free && i < begged)) && (hit.mask & (ACT | reveals)) !== 0,
  )
  const sure = begged >= 0 || acting.some(({ imperative }) => imperative === 2)
  if (acting.length === 0 || (!sure && lead.free)) return
  let points = 0
  const did = acting.reduce((all, hit) => all | hit.mask, 0)
  points += (did & HARM) !== 0 ? 10 : 4
  if ((mask & BIT.MY) !== 0 && (mask & (BIT.ASSET | BIT.SECRET | BIT.AMOUNT)) !== 0) points += 20
  if ((mask & TARGET) !== 0 && (did & (BIT.SEND | BIT.PAY | BIT.FETCH | BIT.CHANGE)) !== 0) points += 18
  else if ((mask & BIT.LINK) !== 0) points += 6
  if ((mask & BIT.SECRET) !== 0) points += 15
  if ((mask & BIT.ALL) !== 0 && (mask & BIT.ASSET) !== 0) points += 10
  if ((mask & BIT.AMOUNT) !== 0) points += (did & (BIT.PAY | BIT.SEND)) !== 0 ? 18 : 10
  if ((mask & BIT.ASSET) !== 0) points += 8
  if ((mask & BIT.PLEASE) !== 0) points += 8
  if (acting.length > 1) points += 6
  if ((mask & BIT.URGENT) !== 0) points += 5
  if ((clause.cues & CUE.threat) !== 0) points += 8
  if (!sure) points -= 4
  if ((clause.cues & CUE.human) !== 0) points -= 32
  if (asksPerson(clause)) points -= 15
  if (clause.question && (mask & BIT.PLEASE) === 0) points -= 15
  if ((mask & BIT.YOUR) !== 0 && (mask & (TARGET | BIT.SECRET | BIT.REPLY)) === 0) points -= 10
  if (points < WEIGHT.commandFloor) return
  add('command', points + WEIGHT.command, lead)
}

/** "Please, administrator, …": it is said whom this is for. */
function asksPerson({ hits }: Clause): boolean {
  return hits.some((hit, i) => (hit.mask & BIT.PLEASE) !== 0 && ((hits[i + 1]?.mask ?? 0) & BIT.ADMIN) !== 0)
}

function negated(clause: Clause, i: number): boolean {
  const hit = clause.hits[i]
  const before = clause.hits[i - 1]
  return hit !== undefined && before !== undefined && (before.mask & BIT.NOT) !== 0 && hit.word - before.word <= 2
}

/** English and its like put what is meant after the verb; elsewhere it may stand before. */
function isNear(hit: Hit, other: Hit): boolean {
  const gap = other.word - hit.word
  const turns = hit.free || other.free || (hit.cues & CUE.late) !== 0
  return gap <= NEAR && (gap > 0 || (gap >= -NEAR && turns))
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** What a clause asks for. A rule reads concepts, never words, so that it holds in every language of the lexicon. */
import { type Clause, type Hit, isMention } from './clause.ts'
import { ACT, BIT, CUE, HARM, TARGET, VERB } from './concept.ts'
import type { Carrier } from './context.ts'
import { turnsOfPhrase } from './phrases.ts'
import { isNear, type Suspicion } from './suspicion.ts'
import { WEIGHT } from './weights.ts'

const PREAMBLE = 20
const COLON = 58
const SLASH = 47
const COMMA = 44
const QUOTE = 34
/** What is to be done in a case is what manuals say. */
const WHENEVER = /^\s{0,3}(?:if|when|once|falls|wenn|si|se|quando|cuando|если|如果|若|如) /
/** What may follow a name that is called, an escaped comma of a calendar included. */
const STOPS = new Set([COLON, COMMA, 33, 92, 0xff1a, 0xff0c])

export function suspect(clause: Clause, carrier: Carrier): Suspicion[] {
  const found: Suspicion[] = []
  const add: Add = (rule, weight, hit) => found.push({ rule, at: hit.start, weight, quoted: hit.quoted })
  const { mask, cues } = clause
  if ((mask & BIT.VOID) !== 0) overrides(clause, carrier, add)
  if (cues !== 0) {
    opens(clause, add)
    found.push(...turnsOfPhrase(clause, carrier))
  }
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
    commands(clause, { lead, carrier }, add)
  }
  return found
}

type Add = (rule: string, weight: number, hit: Hit) => void

function overrides(clause: Clause, carrier: Carrier, add: Add): void {
  for (const [i, hit] of clause.hits.entries()) {
    if ((hit.mask & BIT.VOID) === 0 || negated(clause, i)) continue
    const near = clause.hits.filter((other) => other !== hit && isNear(hit, other))
    const around = near.reduce((mask, other) => mask | other.mask, 0)
    const weight = voided(around, hit, carrier)
    if (weight === 0 || isNamed(clause, hit)) continue
    const what = near.find(({ word, mask }) => word > hit.word && (mask & (BIT.ORDERS | BIT.MY | BIT.ASSET)) !== 0)
    // "Ignore my earlier instructions" and "the last mail" are what people write to each other.
    const amongPeople = what !== undefined && (what.mask & BIT.ORDERS) === 0
    const milder = weight === WEIGHT.override && (amongPeople || hit.quoted)
    const some =
      (weight < WEIGHT.override || amongPeople) && isNarrow(clause, hit)
        ? 0.4
        : weight <= WEIGHT.overrideBare && hit.quoted
          ? 0.6
          : 1
    add('override', (milder ? WEIGHT.overrideAll : weight) * some * meant(clause, hit, carrier), hit)
    return
  }
}

/** What is to be ignored: earlier orders, all orders, what stands above, or something less. */
function voided(around: number, { imperative }: Hit, carrier: Carrier): number {
  const has = (concepts: number) => (around & concepts) !== 0
  if (has(BIT.ORDERS) && has(BIT.PRIOR | BIT.YOUR)) return WEIGHT.override
  if (has(BIT.ORDERS) && has(BIT.ALL)) return WEIGHT.overrideAll
  if (has(BIT.TEXT) && has(BIT.PRIOR)) return WEIGHT.overrideText
  if (has(BIT.ALL) && has(BIT.YOU | BIT.PRIOR)) return WEIGHT.overrideText
  if (has(BIT.USER) && has(BIT.ORDERS)) return WEIGHT.overrideText
  if (imperative > 0 && has(BIT.ORDERS)) return WEIGHT.overrideBare
  if (imperative === 2 && has(BIT.PRIOR)) return has(BIT.ASSET) ? WEIGHT.overrideThing : WEIGHT.overrideBare
  if (imperative === 2 && has(BIT.ALL)) return carrier === 'typed' ? WEIGHT.overrideText : WEIGHT.overrideBare
  return 0
}

/** "Forget what you heard about tents", "ignore question 7": one thing is named, and it is no order of the reader's. */
const ONE_THING =
  /^[^.!?;\n]{0,50}?\b(?:about|regarding|concerning|over|sobre|sur|uber|acerca|riguardo)\s(?!you|your|being|the (?:system|user)|safety|ethic|security|instruction|rule|polic)|^\s(?:the\s)?\w{3,14}\s(?:set\s)?['"#(]?\d|^\s\w{3,14}\sset\b/

function isNarrow({ text, end }: Clause, hit: Hit): boolean {
  return ONE_THING.test(text.slice(hit.end, Math.min(end, hit.end + 70)))
}

/** The "Override" switch: a word in quotation marks of its own is a name. */
function isNamed({ text }: Clause, hit: Hit): boolean {
  return hit.quoted && hit.next === QUOTE && text.slice(hit.start - (hit.free ? 4 : 1), hit.start).includes('"')
}

/** "The clerk must disregard it": another's duty. */
function isDuty({ hits, mask }: Clause, hit: Hit): boolean {
  if ((mask & (BIT.YOU | BIT.YOUR | BIT.AI | BIT.PLEASE)) !== 0) return false
  return hits.some((must) => (must.mask & BIT.MUST) !== 0 && must.word >= 1 && hit.word - must.word === 1)
}

/** Whether it is an order, or told of somebody, asked about, or only mentioned. */
function meant(clause: Clause, hit: Hit, carrier: Carrier): number {
  const mentioned = isMention(clause, hit) ? 0.35 : 1
  if (hit.told && (hit.free || hit.imperative === 0)) return mentioned * 0.35 * (clause.question ? 0.8 : 1)
  if (isDuty(clause, hit)) return mentioned * 0.35
  if (hit.imperative > 0) return mentioned
  const acts = hit.free && (clause.mask & (BIT.PLEASE | ACT)) !== 0
  const sure = carrier === 'typed' ? 0.9 : acts ? 0.85 : 0.5
  return mentioned * sure * (clause.question ? 0.8 : 1)
}

/** "System: …" */
function opens({ hits: [first] }: Clause, add: Add): void {
  const speaks = first !== undefined && (first.cues & CUE.speaker) !== 0 && first.word === 0
  if (speaks && first.next === COLON) add('role-line', WEIGHT.roleLine, first)
}

/** The model is spoken to, or spoken of as one who must act. */
function addresses(clause: Clause, add: Add): void {
  const { hits } = clause
  for (const [i, hit] of hits.entries()) {
    if ((hit.mask & BIT.AI) === 0) continue
    const surely = (hit.cues & (CUE.model | CUE.machine)) !== 0
    const called = isCalled(hits, i) || isLabelled(clause, i)
    const bound = mustAct(clause, i)
    const gives = hits.some(({ mask }, k) => (mask & (BIT.SEND | BIT.TELL)) !== 0 && !negated(clause, k))
    const leaks = gives && (clause.mask & BIT.SECRET) !== 0
    const grave = bound && (leaks || ((clause.mask & ACT) !== 0 && (clause.mask & (TARGET | BIT.AMOUNT)) !== 0))
    if (called || bound || isAsked(hits, i)) {
      const told = hits[i + 1]
      const ordered = told !== undefined && told.imperative === 2 && told.word - hit.word <= 1
      const speaks = !surely && !hit.free && !ordered && hit.next === COLON && (hit.cues & CUE.speaker) !== 0
      add('address', surely || (called && !speaks) || grave ? WEIGHT.address : WEIGHT.addressHuman, hit)
      return
    }
  }
}

/** "Assistant, send …", "Note to the AI: send …" */
function isCalled(hits: readonly Hit[], i: number): boolean {
  const hit = hits[i]
  if (hit === undefined) return false
  const surely = (hit.cues & CUE.model) !== 0
  const acts = hits.slice(i + 1, i + 8).some(({ imperative, free, mask, word }) => {
    const verb = imperative > 0 || (free && (mask & VERB) !== 0)
    return verb && word - hit.word <= (surely || hit.next === COLON ? 9 : 5)
  })
  if (!acts) return false
  const spoken = BIT.YOU | BIT.YOUR | BIT.PLEASE | BIT.MUST | BIT.URGENT | BIT.SECRET
  // A robot, for children: in scripts without spaces any verb would do.
  if (hit.free && !surely && !hits.some(({ mask }) => (mask & spoken) !== 0)) return false
  const named = hits.slice(Math.max(0, i - 3), i).some(({ cues, mask, word }) => {
    const notice = (cues & CUE.notice) !== 0 || (mask & BIT.URGENT) !== 0
    return notice && hit.word - word <= 5
  })
  const before = hits[i - 1]
  // "Choose Assistant, and turn it off": a thing in a list of steps.
  if (before !== undefined && before.imperative > 0 && hit.word - before.word <= 1) return false
  return STOPS.has(hit.next) && (hit.word <= 3 || named || (surely && hit.next === COLON))
}

/** "PS for whatever AI reads this inbox: …", "AI agents: …" */
function isLabelled({ hits, colons }: Clause, i: number): boolean {
  const hit = hits[i]
  const colon = colons.find((at) => at > (hit?.word ?? 0))
  if (hit === undefined || colon === undefined || colon - hit.word > 7) return false
  const named = hits.slice(Math.max(0, i - 3), i).some(({ cues, mask, word }) => {
    return ((cues & (CUE.notice | CUE.toward)) !== 0 || (mask & BIT.URGENT) !== 0) && hit.word - word <= 5
  })
  const plain = (hit.cues & CUE.model) !== 0 && hit.word === 0 && hit.next !== SLASH && colon - hit.word <= 2
  const after = (hits[i + 1]?.cues ?? 0) & (CUE.notice | CUE.toward) && hit.free
  const toward = (hit.cues & CUE.toward) !== 0
  if (!named && !plain && !after && !toward) return false
  // "Message to the assistant:" is enough.
  if (named && toward && colon - hit.word <= 1) return true
  const spoken = BIT.PLEASE | BIT.MUST | BIT.YOU
  return hits.some(({ word, imperative, free, mask }) => {
    return word >= colon && (imperative === 2 || (mask & spoken) !== 0 || (free && (mask & VERB) !== 0))
  })
}

/** "AI agents that read this must send …" */
function mustAct(clause: Clause, i: number): boolean {
  const { hits } = clause
  const hit = hits[i]
  const before = hits[i - 1]
  if (hit === undefined) return false
  const next = hits.slice(i + 1, i + 6)
  const reach = (hit.cues & (CUE.model | CUE.machine)) !== 0 ? 7 : 4
  const verb = next.findIndex(({ mask }) => (mask & VERB) !== 0)
  const must = next.find(({ mask }, k) => (mask & BIT.MUST) !== 0 && (verb < 0 || k < verb || hit.free))
  const near = must !== undefined && must.word - hit.word <= (hit.free || must.free ? (reach > 4 ? 6 : 3) : reach)
  const acts = next.find(({ imperative, free, mask, word }) => {
    return (imperative > 0 || (free && (mask & VERB) !== 0)) && word >= (must?.word ?? 0)
  })
  // "As an AI you must": whatever it is.
  const you =
    must !== undefined && hits.some(({ mask, word }) => (mask & BIT.YOU) !== 0 && Math.abs(word - must.word) <= 1)
  if (near && you && reach > 4) return true
  if (near && acts !== undefined && !negated(clause, hits.indexOf(acts))) return true
  const thing = before !== undefined && hit.free && (before.mask & BIT.ASSET) !== 0
  const asker = thing ? hits[i - 2] : before
  const told =
    asker !== undefined && (asker.mask & (BIT.MUST | BIT.PLEASE)) !== 0 && hit.word - asker.word <= (thing ? 3 : 1.5)
  return told && next.some(({ mask, word }) => (mask & (ACT | BIT.SHAPE)) !== 0 && word - hit.word <= 6)
}

/** "Assistant, please …", "if you are an AI …" */
function isAsked(hits: readonly Hit[], i: number): boolean {
  const hit = hits[i]
  const next = hits[i + 1]
  if (hit === undefined) return false
  if (next !== undefined && (next.mask & BIT.PLEASE) !== 0 && next.word - hit.word <= (next.free ? 3 : 1.5)) return true
  // Where the verb comes last, so does "please".
  const last = hits.findLast(({ mask, cues }) => (mask & BIT.PLEASE) !== 0 && (cues & CUE.late) !== 0)
  if (hit.free && hit.word < 3 && last !== undefined && hits.some(({ mask }) => (mask & ACT) !== 0)) return true
  return hits.some(({ cues, word }) => (cues & CUE.condition) !== 0 && word < hit.word && hit.word - word <= 6)
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
function commands(clause: Clause, { lead, carrier }: { lead: Hit; carrier: Carrier }, add: Add): void {
  const { mask, hits } = clause
  const reveals = (mask & BIT.SECRET) !== 0 ? BIT.SHAPE | BIT.TELL : 0
  const begged = hits.findLastIndex((hit) => (hit.cues & CUE.late) !== 0 && (hit.mask & BIT.PLEASE) !== 0)
  const acting = hits.filter(
    (hit, i) =>
      (hit.imperative > 0 || (hit.free && i < begged)) && (hit.mask & (ACT | reveals)) !== 0 && !negated(clause, i),
  )
  const sure = begged >= 0 || acting.some(({ imperative }) => imperative === 2)
  if (acting.length === 0 || (!sure && lead.free)) return
  if (isName(hits, lead)) return
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
  // In Chinese and its neighbours every request says please.
  if ((mask & BIT.PLEASE) !== 0) points += lead.free ? 5 : 8
  if (acting.length > 1) points += 6
  if ((mask & BIT.URGENT) !== 0) points += 5
  if ((clause.cues & CUE.threat) !== 0) points += 8
  if (!sure) points -= 4
  if (WHENEVER.test(clause.text.slice(clause.start, clause.start + 12))) points -= 8
  if ((clause.cues & CUE.human) !== 0) points -= 32
  if (asksPerson(clause)) points -= 15
  // What a text begins with is what it is about; what was planted in it comes later.
  if (carrier === 'prose' && clause.start < PREAMBLE && (mask & BIT.VOID) === 0) points -= 12
  // A letter asks its reader; what else it asks for must be worse than a favour.
  if (carrier === 'mail' && (mask & BIT.SECRET) === 0) points -= 12
  if (clause.question && (mask & BIT.PLEASE) === 0) points -= 15
  if ((mask & BIT.YOUR) !== 0 && (mask & (TARGET | BIT.SECRET | BIT.REPLY)) === 0) points -= 10
  if (points < WEIGHT.commandFloor) return
  const weight = Math.min(points + WEIGHT.command, WEIGHT.commandMost)
  add('command', isMention(clause, lead) ? weight * 0.7 : weight, lead)
}

/** "Wire payment of $150": the verb is the first half of a noun. */
function isName(hits: readonly Hit[], lead: Hit): boolean {
  const next = hits[hits.indexOf(lead) + 1]
  const joined = next !== undefined && next.word - lead.word <= 1 && (next.mask & BIT.ASSET) !== 0
  return (lead.mask & BIT.PAY) !== 0 && joined && !lead.free && lead.word === 0
}

/** "Please, administrator, …": it is said whom this is for. */
function asksPerson({ hits }: Clause): boolean {
  return hits.some((hit, i) => (hit.mask & BIT.PLEASE) !== 0 && ((hits[i + 1]?.mask ?? 0) & BIT.ADMIN) !== 0)
}

function negated({ hits }: Clause, i: number): boolean {
  const hit = hits[i]
  for (let k = i - 1; hit !== undefined && k >= 0; k--) {
    const before = hits[k]
    if (before === undefined || hit.word - before.word > (hit.free ? 4 : 2)) return false
    if ((before.mask & BIT.NOT) !== 0) return true
    if ((before.mask & VERB) !== 0) return false
  }
  return false
}

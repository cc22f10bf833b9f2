/** Clauses that speak to a model, and those in which another speaks. */
import { isHan } from './character.ts'
import { type Clause, type Hit, isMention, isSpeaker, isUsed } from './clause.ts'
import { ACT, BIT, CUE, HARM, TARGET, VERB } from './concept.ts'
import { type Add, negated } from './order.ts'
import { STRENGTH, WEIGHT } from './weights.ts'

const COLON = 58
const SLASH = 47
const COMMA = 44
const NEEDS = /^(?:需|应该|应当|要|理应)/
const GRAVE = TARGET | HARM | BIT.SECRET | BIT.AMOUNT | BIT.PLEASE | BIT.REPLY
/** What may follow the name of the one addressed; calendars escape the comma. */
const STOPS = new Set([COLON, COMMA, 33, 92, 0xff1a, 0xff0c])

/** "System: …" */
export function opens({ hits: [first] }: Clause, add: Add): void {
  const speaks = first !== undefined && (first.cues & CUE.speaker) !== 0 && first.word === 0
  if (speaks && first.next === COLON)
    add((first.mask & BIT.USER) !== 0 ? 'user-line' : 'role-line', WEIGHT.roleLine, first)
}

/** The model is addressed, or mentioned as the one that must act. */
export function addresses(clause: Clause, add: Add): void {
  const { hits } = clause
  for (const [i, hit] of hits.entries()) {
    // 什么是人工智能? asks about it.
    if (clause.question && hits[i + 1]?.free === true) return
    if ((hit.mask & BIT.AI) === 0 || isSpeaker(clause.text, hit.start, hit.next) || isUsed(clause.text, hit.start))
      continue
    const surely = (hit.cues & (CUE.model | CUE.machine)) !== 0
    const called = isCalled(hits, i) || isLabelled(clause, i)
    const bound = mustAct(clause, i)
    const gives = hits.some(({ mask }, k) => (mask & (BIT.SEND | BIT.TELL)) !== 0 && !negated(clause, k))
    const leaks = gives && (clause.mask & BIT.SECRET) !== 0
    const grave = bound && (leaks || ((clause.mask & ACT) !== 0 && (clause.mask & (TARGET | BIT.AMOUNT)) !== 0))
    if (called || bound || isInvited(hits, i)) {
      const next = hits[i + 1]
      const ordered = next !== undefined && next.imperative === 2 && next.word - hit.word <= 1
      const speaks = !surely && !hit.free && !ordered && hit.next === COLON && (hit.cues & CUE.speaker) !== 0
      const weight = surely || (called && !speaks) || grave ? WEIGHT.address : WEIGHT.addressHuman
      add('address', isMention(clause, hit) ? weight * STRENGTH.mention : weight, hit)
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
  // 训练这个模型,您将使用 …: in the middle of a sentence it is a thing.
  const opens = hit.word < 1 || (hit.cues & CUE.toward) !== 0 || (hits[i - 1]?.cues ?? 0) !== 0
  const spoken = BIT.PLEASE | BIT.URGENT | BIT.SECRET | (opens ? BIT.YOU | BIT.YOUR | BIT.MUST : 0)
  // In scripts without spaces any verb would match.
  if (hit.free && !(surely && hit.word < 1) && !hits.some(({ mask }) => (mask & spoken) !== 0)) return false
  const named = hits.slice(Math.max(0, i - 3), i).some(({ cues, mask, word }) => {
    const notice = (cues & CUE.notice) !== 0 || (mask & BIT.URGENT) !== 0
    return notice && hit.word - word <= 5
  })
  const before = hits[i - 1]
  // "Choose Assistant, and turn it off": a setting in a list of steps.
  if (before !== undefined && before.imperative > 0 && hit.word - before.word <= 1) return false
  return STOPS.has(hit.next) && (hit.word <= 3 || named || (surely && hit.next === COLON))
}

/** "PS for whatever AI reads this inbox: …", "AI agents: …" */
function isLabelled({ hits, colons, text }: Clause, i: number): boolean {
  const hit = hits[i]
  const colon = colons.find((at) => at > (hit?.word ?? 0))
  const near = hits[i + 1]?.free === true ? 4 : 7
  if (hit === undefined || colon === undefined || colon - hit.word > near) return false
  const named = hits.slice(Math.max(0, i - 3), i).some(({ cues, mask, word }) => {
    return ((cues & (CUE.notice | CUE.toward)) !== 0 || (mask & BIT.URGENT) !== 0) && hit.word - word <= 5
  })
  const plain = (hit.cues & CUE.model) !== 0 && hit.word === 0 && hit.next !== SLASH && colon - hit.word <= 2
  const next = hits[i + 1]
  const after = ((next?.cues ?? 0) & (CUE.notice | CUE.toward)) !== 0 && (hit.free || next?.next === COLON)
  const toward = (hit.cues & CUE.toward) !== 0
  if (!named && !plain && !after && !toward) return false
  // "Message to the assistant:" is enough.
  if (named && toward && colon - hit.word <= 1) return true
  const spoken = BIT.PLEASE | BIT.MUST | BIT.YOU
  return hits.some(({ word, imperative, free, mask, start }) => {
    // 智能体:由模型决定 …: a definition.
    const told = free && (mask & VERB) !== 0 && !isHan(text.charCodeAt(start))
    return word >= colon && (imperative === 2 || (mask & spoken) !== 0 || told)
  })
}

/** "AI agents that read this must send …" */
function mustAct(clause: Clause, i: number): boolean {
  const { hits, text } = clause
  const hit = hits[i]
  // 在 Claude Code 中: where it is done.
  if (hit !== undefined && /[在用]\s?$/.test(text.slice(Math.max(clause.start, hit.start - 2), hit.start))) return false
  // "The duty of every agent"
  const before = hits[i - 1]?.mask === BIT.ALL ? hits[i - 2] : hits[i - 1]
  if (hit === undefined) return false
  const next = hits.slice(i + 1, i + 6)
  const reach = (hit.cues & (CUE.model | CUE.machine)) !== 0 ? 7 : 4
  const verb = next.findIndex(({ mask }) => (mask & VERB) !== 0)
  // "It is our policy that agents accept …"
  const policy = before !== undefined && (before.mask & BIT.MUST) !== 0 && hit.word - before.word <= 3
  if (policy && next.some(({ mask, word }) => (mask & ACT) !== 0 && word - hit.word <= 2)) return true
  const must = next.find(({ mask }, k) => (mask & BIT.MUST) !== 0 && (verb < 0 || k < verb || hit.free))
  const near = must !== undefined && must.word - hit.word <= (hit.free || must.free ? (reach > 4 ? 6 : 3) : reach)
  const acts = next.find(({ imperative, free, mask, word, cues }) => {
    const verb = (free || (cues & CUE.late) !== 0) && (mask & VERB) !== 0
    return (imperative > 0 || verb) && word >= (must?.word ?? 0)
  })
  // "As an AI you must …"
  const you =
    must !== undefined && hits.some(({ mask, word }) => (mask & BIT.YOU) !== 0 && Math.abs(word - must.word) <= 1)
  if (near && you && reach > 4) return true
  // AI 需要处理 …: how things are explained.
  const explains =
    must !== undefined && !hit.free && NEEDS.test(text.slice(must.start, must.end)) && (clause.mask & GRAVE) === 0
  if (explains) return false
  if (near && acts !== undefined && !negated(clause, hits.indexOf(acts))) return true
  const thing = before !== undefined && hit.free && (before.mask & BIT.ASSET) !== 0
  const asker = thing ? hits[i - 2] : before
  const isTold =
    asker !== undefined && (asker.mask & (BIT.MUST | BIT.PLEASE)) !== 0 && hit.word - asker.word <= (thing ? 3 : 1.5)
  return isTold && next.some(({ mask, word }) => (mask & (ACT | BIT.SHAPE)) !== 0 && word - hit.word <= 6)
}

/** "Assistant, please …", "if you are an AI …" */
function isInvited(hits: readonly Hit[], i: number): boolean {
  const hit = hits[i]
  const next = hits[i + 1]
  if (hit === undefined) return false
  if (next !== undefined && (next.mask & BIT.PLEASE) !== 0 && next.word - hit.word <= (next.free ? 3 : 1.5)) return true
  // In languages with the verb last, "please" comes last, too.
  const last = hits.findLast(({ mask, cues }) => (mask & BIT.PLEASE) !== 0 && (cues & CUE.late) !== 0)
  if (hit.free && hit.word < 3 && last !== undefined && hits.some(({ mask }) => (mask & ACT) !== 0)) return true
  return hits.some(({ cues, word }) => (cues & CUE.condition) !== 0 && word < hit.word && hit.word - word <= 6)
}

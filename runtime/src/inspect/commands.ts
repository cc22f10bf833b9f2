/** Orders to act on a person's things. */
import { type Clause, type Hit, isMention } from './clause.ts'
import { ACT, BIT, CUE, HARM, TARGET } from './concept.ts'
import type { Carrier } from './context.ts'
import { type Add, isAsked, negated, orders } from './order.ts'
import { COMMAND_MENTION, COMMAND_POINTS, WEIGHT } from './weights.ts'

const PREAMBLE = 20
/** "To subscribe, send …": the reader decides whether to. */
const PURPOSE =
  /^\s{0,3}(?:in order )?(?:to|um|afin de|pour|para|per|om|чтобы|aby|untuk|de) [^,;:]{3,90}, |^\s{0,3}(?:若?要|为了?|如需|欲|想要?)[^,;:]{2,40},|(?:には|ためには|場合(?:は|には)?|場合)[、,]|(?:하려면|위해서는|경우|icin),?\s|^\s{0,3}(?:hierzu|dazu|hierfur) /
/** "If …, do …" is the language of manuals. */
const CONDITION = /^\s{0,3}(?:if|when|once|falls|wenn|si|se|quando|cuando|если|如果|若|如) /
/** 如有错误请点击, 拒收请回复: for those whom it concerns. */
const OFFERED =
  /(?:如果|若|要是)[你您](?:想|要|喜欢|愿意|有|觉得|需|对|也)|(?:如|若|如果|需|未|忘记|拒收|退订|不同意|有意者?|逾期)[^,;:]{0,16}(?:请|可)/
/** "Message id s-5": the verb is part of a name. */
const OF_A_THING = /^ (?:id|ids|number|no\.|from|type|status|history|details|name|sent)\b/

/** A command to act on a person's things, in a text that should not contain requests. */
export function commands(clause: Clause, { lead, carrier }: { lead: Hit; carrier: Carrier }, add: Add): void {
  const { mask, hits } = clause
  // Most clauses could not be enough, whatever their verbs do.
  if (pointsOf(clause, { lead, carrier, did: mask, sure: true, isOne: false }) < WEIGHT.commandFloor) return
  const reveals = (mask & BIT.SECRET) !== 0 ? BIT.SHAPE | BIT.TELL : 0
  const acting = hits.filter(
    (hit, i) => (hit.mask & (ACT | reveals)) !== 0 && orders(clause, hit) && !negated(clause, i),
  )
  const bound = (mask & BIT.MUST) !== 0 && (mask & (TARGET | BIT.SECRET | BIT.AMOUNT)) !== 0
  // 把 … 转到: an account or an address makes it more than a step of a manual.
  const named = acting.some((hit) => (hit.mask & (BIT.SEND | BIT.PAY)) !== 0 && hit.imperative > 0)
  const serious = bound || (named && (mask & (BIT.MAIL | BIT.AMOUNT)) !== 0 && (mask & BIT.FILLER) !== 0)
  const sure = acting.some((hit) => hit.imperative === 2 || isAsked(clause, hit, BIT.PLEASE))
  if (acting.length === 0 || (!sure && lead.free && !serious)) return
  if (isName(clause, lead)) return
  const did = acting.reduce((all, hit) => all | hit.mask, 0)
  const most = pointsOf(clause, { lead, carrier, did, sure, isOne: acting.length === 1 })
  if (most < WEIGHT.commandFloor) return
  const points = most + offerPoints(clause, lead)
  if (points < WEIGHT.commandFloor) return
  const weight = Math.min(points + WEIGHT.command, WEIGHT.commandMost)
  const personal = (mask & (BIT.MY | BIT.USER | BIT.SECRET | BIT.AMOUNT)) !== 0
  const sent = (mask & BIT.MAIL) !== 0 && (mask & (BIT.ASSET | BIT.SECRET)) !== 0
  const paid = (did & BIT.PAY) !== 0 && (mask & BIT.AMOUNT) !== 0 && (mask & (BIT.PLEASE | BIT.ASSET)) !== 0
  const grave = sent || paid || ((mask & TARGET) !== 0 && personal)
  add('command', isMention(clause, lead) ? weight * COMMAND_MENTION : weight, lead, grave)
}

interface Command {
  lead: Hit
  carrier: Carrier
  /** The concepts of its verbs. */
  did: number
  sure: boolean
  isOne: boolean
}

function pointsOf(clause: Clause, { lead, carrier, did, sure, isOne }: Command): number {
  const { mask, cues } = clause
  const has = (concepts: number) => (mask & concepts) !== 0
  const does = (concepts: number) => (did & concepts) !== 0
  let points: number = does(HARM) ? COMMAND_POINTS.harm : COMMAND_POINTS.act
  if (has(BIT.MY) && has(BIT.ASSET | BIT.SECRET | BIT.AMOUNT)) points += COMMAND_POINTS.ownThings
  else if (has(BIT.USER) && has(BIT.ASSET | BIT.SECRET) && has(TARGET)) points += COMMAND_POINTS.readersThings
  if (has(TARGET) && does(BIT.SEND | BIT.PAY | BIT.FETCH | BIT.CHANGE | BIT.GRANT))
    points += COMMAND_POINTS.sendsToTarget
  else if (has(BIT.LINK)) points += COMMAND_POINTS.link
  // "Check your bank details": they stay with their owner.
  const kept = has(BIT.YOUR) && !has(TARGET | BIT.MY) && keepsSecret(clause)
  if (has(BIT.SECRET) && !kept) points += COMMAND_POINTS.secret
  if (has(BIT.ALL) && has(BIT.ASSET)) points += COMMAND_POINTS.allThings
  if (has(BIT.AMOUNT)) points += does(BIT.PAY | BIT.SEND) ? COMMAND_POINTS.paysAmount : COMMAND_POINTS.amount
  if (has(BIT.ASSET)) points += COMMAND_POINTS.asset
  if (has(BIT.PLEASE)) points += COMMAND_POINTS.please[lead.free ? 'unspaced' : 'spaced']
  if (!isOne) points += COMMAND_POINTS.several
  if (has(BIT.URGENT)) points += COMMAND_POINTS.urgent
  if ((cues & CUE.threat) !== 0) points += COMMAND_POINTS.threat
  if (!sure) points += COMMAND_POINTS.unsure[lead.free ? 'unspaced' : 'spaced']
  if ((cues & CUE.human) !== 0) points += COMMAND_POINTS.forPeople
  if (asksPerson(clause)) points += COMMAND_POINTS.asksPerson
  if (carrier === 'prose' && clause.start < PREAMBLE && !has(BIT.VOID)) points += COMMAND_POINTS.opening
  if (carrier === 'mail' && !has(BIT.SECRET)) points += COMMAND_POINTS.mail
  if (clause.question && !has(BIT.PLEASE)) points += COMMAND_POINTS.question
  const own = !has(BIT.REPLY) && (kept || (!has(BIT.SECRET) && (!has(TARGET) || givesOwn(clause))))
  if (has(BIT.YOUR) && own) points += COMMAND_POINTS.readersOwn
  return points
}

/** An order for a case, or for those who want something. */
function offerPoints(clause: Clause, lead: Hit): number {
  const opening = clause.text.slice(clause.start, Math.max(clause.start, Math.min(lead.start, clause.start + 120)))
  if ((clause.cues & CUE.precondition) === 0 && PURPOSE.test(opening)) return COMMAND_POINTS.purpose
  const offered = CONDITION.test(clause.text.slice(clause.start, clause.start + 12)) || OFFERED.test(opening)
  return offered ? COMMAND_POINTS.conditional : 0
}

/** "Change your password", and it is told to no one. */
function keepsSecret({ hits }: Clause): boolean {
  const secret = hits.find(({ mask }) => (mask & BIT.SECRET) !== 0)
  const before = hits.filter((hit) => secret !== undefined && hit.word < secret.word)
  const owner = before.findLast(({ mask }) => (mask & BIT.YOUR) !== 0)
  if (secret === undefined || owner === undefined || secret.word - owner.word > 6) return false
  return !before.some(({ mask, imperative }) => imperative > 0 && (mask & (BIT.SEND | BIT.TELL | BIT.SHAPE)) !== 0)
}

/** "Send your name to …": what people have, and agents do not. */
function givesOwn({ hits }: Clause): boolean {
  const i = hits.findIndex(({ mask }) => (mask & BIT.YOUR) !== 0)
  const [owner, next] = [hits[i], hits[i + 1]]
  if (owner === undefined || owner.free) return false
  return next === undefined || next.word - owner.word > 2 || (next.mask & (BIT.ASSET | BIT.ORDERS | BIT.TEXT)) === 0
}

/** "Wire payment of $150": the verb is the first half of a noun. */
function isName({ hits, text }: Clause, lead: Hit): boolean {
  const next = hits[hits.indexOf(lead) + 1]
  const joined = next !== undefined && next.word - lead.word <= 1 && (next.mask & BIT.ASSET) !== 0
  // "Order W-655": a thing with a number.
  const numbered = next !== undefined && next.word - lead.word <= 1 && (next.mask & BIT.AMOUNT) !== 0
  if (OF_A_THING.test(text.slice(lead.end, lead.end + 12)) && !lead.free) return true
  if (numbered && !lead.free && (lead.mask & BIT.ASSET) !== 0) return true
  return (lead.mask & BIT.PAY) !== 0 && joined && !lead.free && lead.word === 0
}

/** "Please, administrator, …": a person is addressed. */
function asksPerson({ hits }: Clause): boolean {
  return hits.some((hit, i) => (hit.mask & BIT.PLEASE) !== 0 && ((hits[i + 1]?.mask ?? 0) & BIT.ADMIN) !== 0)
}

/** What a clause asks for. Rules read concepts, never words, so they hold in every language of the lexicon. */
import { type Clause, type Hit, isBidden, isMention, isSpeaker } from './clause.ts'
import { ACT, BIT, CUE, HARM, TARGET, VERB } from './concept.ts'
import type { Carrier } from './context.ts'
import { setPhrases } from './phrases.ts'
import { isNear, type Suspicion } from './suspicion.ts'
import { COMMAND_MENTION, COMMAND_POINTS, OVERRIDE_FACTOR, SECRECY_REPORTED, WEIGHT } from './weights.ts'

const PREAMBLE = 20
const COLON = 58
/** What follows a noun that is not the end of its phrase. */
const MODIFIES = /^(?:中|里|内|行|的(?!$|[,.;!?]))|^(?:ファイル|ライン|파일|줄)/
const SLASH = 47
const COMMA = 44
const QUOTE = 34
const ENDS = new Set([0, 10, 33, 46, 59, 124])
/** "To subscribe, send …": the reader decides whether to. */
const PURPOSE =
  /^\s{0,3}(?:in order )?(?:to|um|afin de|pour|para|per|om|чтобы|aby|untuk|de) [^,;:]{3,90}, |^\s{0,3}(?:若?要|为了?|如需|欲|想要?)[^,;:]{2,40},|(?:には|ためには|場合(?:は|には)?|場合)[、,]|(?:하려면|위해서는|경우|icin),?\s|^\s{0,3}(?:hierzu|dazu|hierfur) /
/** "If …, do …" is the language of manuals. */
const CONDITION = /^\s{0,3}(?:if|when|once|falls|wenn|si|se|quando|cuando|если|如果|若|如) /
/** 如有错误请点击, 拒收请回复: for those whom it concerns. */
const OFFERED = /(?:如果|若|要是)[你您](?:想|要|喜欢|愿意|有|觉得|需|对|也)|(?:如|若|如果|需|未|忘记|拒收|退订|不同意|有意者?|逾期)[^,;:]{0,16}(?:请|可)/
/** "Message id s-5": the verb is part of a name. */
const OF_A_THING = /^ (?:id|ids|number|no\.|from|type|status|history|details|name|sent)\b/
/** "What was asked before no longer matters." */
const NO_MATTER =
  /no longer|anymore|不重要|不作数|不算数|importa|importanc|valable|compte|conta|rolle|hinfallig|niet (?:meer|langer)|onemli|znaczenia|quan trong|penting|важно|значен|重要では|중요하지|مهم/
/** Words for a task that someone was given. */
const ASKED_OF =
  /asked|requested|gebeten|aufgetragen|demande|pidi|pedi[ru]|encarg|richiest|chiesto|gevraagd|opgedragen|proszono|kazano|istenen|soylenen|頼まれ|言われた|依頼され|부탁|요청받|지시받|طلب|कहा गया|yeu cau|diminta|просил|поручил|велел|ombedd/
/** 不管你是谁: "whoever you are". */
const NO_MATTER_WHAT = /^不(?:用)?管(?:你|您|是|什么|谁|哪|怎|如何|用|多|有|在|他|它|其)/
const PARTICIPLE = /(?:ed|sent|paid)(?: \w{2,4})?$/
/** What may follow the name of the one addressed; calendars escape the comma. */
const STOPS = new Set([COLON, COMMA, 33, 92, 0xff1a, 0xff0c])

export function suspect(clause: Clause, carrier: Carrier): Suspicion[] {
  const found: Suspicion[] = []
  const add: Add = (rule, weight, hit, grave) => found.push({ rule, at: hit.start, weight, quoted: hit.quoted, grave })
  const { mask, cues } = clause
  if ((mask & BIT.VOID) !== 0) overrides(clause, carrier, add)
  if (cues !== 0) {
    opens(clause, add)
    found.push(...setPhrases(clause, carrier))
  }
  if ((mask & BIT.AI) !== 0) addresses(clause, add)
  if ((mask & BIT.NOT) !== 0 && (mask & BIT.TELL) !== 0 && (mask & BIT.USER) !== 0) silences(clause, add)
  if ((mask & BIT.ORDERS) !== 0 && (mask & BIT.YOUR) !== 0 && (mask & BIT.NEW) !== 0) reassigns(clause, add)
  if (carrier !== 'typed') {
    if ((mask & BIT.REPLY) !== 0) {
      bindsReplies(clause, add)
      steersReplies(clause, add)
      sendsOut(clause, add)
    }
    if ((mask & BIT.USER) !== 0) speaksThrough(clause, add)
  }
  const lead = clause.hits.find((hit) => (hit.mask & (ACT | BIT.SHAPE | BIT.TELL)) !== 0 && orders(clause, hit))
  if (lead === undefined) return found
  if (lead.imperative === 2 && (cues & CUE.human) === 0) add('request', WEIGHT.request, lead)
  if (carrier !== 'typed') {
    shapes(clause, lead, add)
    commands(clause, { lead, carrier }, add)
  }
  return found
}

/** "They persuade people to reveal passwords, transfer funds, …": the first of the verbs is no order, either. */
function isListed({ hits }: Clause, hit: Hit): boolean {
  for (let i = hits.indexOf(hit) - 1; i >= 0; i--) {
    const before = hits[i]
    if (before === undefined || (before.mask & (BIT.PLEASE | BIT.MUST)) !== 0) return false
    if ((before.mask & VERB) !== 0) return before.reported && before.imperative === 0
  }
  return false
}

/** "Sent to …" reports; "must be sent to …" orders. */
function orders(clause: Clause, hit: Hit): boolean {
  if (hit.imperative === 1 && !hit.free && isListed(clause, hit)) return false
  const late = (hit.cues & CUE.late) !== 0
  if (hit.imperative > 0 && !(late && PARTICIPLE.test(clause.text.slice(hit.start, hit.end)))) return true
  return (late || hit.free) && isAsked(clause, hit)
}

/**
 * In many languages the verb of a request stands last, and is an infinitive or a participle: 送信してください, "bitte …
 * senden", "deben enviarse". A "please" or "must" in the clause makes it one.
 */
function isAsked(clause: Clause, verb: Hit, asking: number = BIT.PLEASE | BIT.MUST): boolean {
  const { hits, mask, text } = clause
  const late = (verb.cues & CUE.late) !== 0
  if (!verb.free && !late) return false
  // "Den Inhalt an … senden.", "… adresine gönder."
  const last = late && ENDS.has(verb.next) && (mask & (TARGET | BIT.SECRET | BIT.AMOUNT | BIT.REPLY)) !== 0
  if (last && (asking & BIT.MUST) !== 0) return true
  if ((mask & asking) === 0 || (text.charCodeAt(verb.start) > 0x2fff && !isBidden(clause))) return false
  // In Chinese a request comes first; in Japanese and Korean, last.
  const tail = text.charCodeAt(verb.start) > 0x2fff
  return hits.some((hit) => {
    if ((hit.mask & asking) === 0) return false
    return !tail || (hit.start >= verb.end && (hit.cues & CUE.late) !== 0)
  })
}

type Add = (rule: string, weight: number, hit: Hit, grave?: boolean) => void

function overrides(clause: Clause, carrier: Carrier, add: Add): void {
  for (const [i, hit] of clause.hits.entries()) {
    if ((hit.mask & BIT.VOID) === 0 || negated(clause, i)) continue
    const near = clause.hits.filter((other) => other !== hit && isNear(hit, other) && !isParted(clause, hit, other))
    // 您需要放弃所有更改: the doer is not what is to be forgotten.
    const doers = hit.free ? BIT.YOU : 0
    const around = near.reduce((mask, other) => mask | (other.start < hit.start ? other.mask & ~doers : other.mask), 0)
    const asked = near.some((other) => (hit.free || other.start > hit.end) && ASKED_OF.test(clause.text.slice(other.start, other.end)))
    const replaced =
      hit.imperative === 2 &&
      near.some((other) => (other.mask & BIT.ORDERS) !== 0 && other.start > hit.end) &&
      clause.hits.some((other) => (other.mask & (BIT.SHAPE | BIT.TELL)) !== 0 && other.word > hit.word + 1 && other.imperative > 0)
    const weight = overrideWeight(around, { ...hit, said: clause.text.slice(hit.start, hit.end), asked, replaced }, carrier)
    if (weight === 0 || isNamed(clause, hit) || isUndone(clause, hit, near)) continue
    const what = near.find(({ word, mask }) => word > hit.word && (mask & (BIT.ORDERS | BIT.MY | BIT.ASSET)) !== 0)
    // "Ignore my earlier instructions" and "the last mail" are what people write to each other.
    const amongPeople = what !== undefined && (what.mask & BIT.ORDERS) === 0
    const milder = weight === WEIGHT.override && (amongPeople || hit.quoted)
    const factor =
      (weight < WEIGHT.override || amongPeople) && !asked && !replaced && isNarrow(clause, hit)
        ? OVERRIDE_FACTOR.narrow
        : weight <= WEIGHT.overrideBare && hit.quoted
          ? OVERRIDE_FACTOR.quotedBare
          : 1
    add('override', (milder ? WEIGHT.overrideAll : weight) * factor * orderFactor(clause, hit, carrier), hit)
    return
  }
}

/** 忽略不存在的文件,覆盖任何提示: after a comma comes something else. */
function isParted({ text }: Clause, hit: Hit, other: Hit): boolean {
  const chinese = text.charCodeAt(hit.start) >= 0x4e00 && text.charCodeAt(hit.start) < 0xa000
  return chinese && other.start > hit.end && text.slice(hit.end, other.start).includes(',')
}

interface Override extends Hit {
  said: string
  /** "What you were asked": the reader's own task. */
  asked: boolean
  /** "Ignore the question and say …" */
  replaced: boolean
}

/** What is to be ignored: earlier instructions, all instructions, the text above, or something less. */
function overrideWeight(around: number, { imperative, said, free, asked, replaced }: Override, carrier: Carrier): number {
  const has = (concepts: number) => (around & concepts) !== 0
  if (has(BIT.ORDERS) && has(BIT.PRIOR | BIT.YOUR)) return WEIGHT.override
  if (has(BIT.ORDERS) && has(BIT.ALL)) return WEIGHT.overrideAll
  if (asked && (imperative > 0 || free)) return WEIGHT.overrideAll
  if (replaced && carrier !== 'typed') return WEIGHT.overrideReplaced
  if (has(BIT.TEXT) && has(BIT.PRIOR)) return WEIGHT.overrideText
  if (has(BIT.ALL) && has(BIT.YOU | BIT.PRIOR)) return WEIGHT.overrideText
  if (has(BIT.USER) && has(BIT.ORDERS)) return WEIGHT.overrideText
  if (imperative === 2 && has(BIT.USER) && has(BIT.PRIOR)) return WEIGHT.overrideBare
  if (has(BIT.PRIOR) && NO_MATTER.test(said)) return WEIGHT.overrideBare
  if (imperative > 0 && has(BIT.ORDERS)) return WEIGHT.overrideBare
  if (imperative === 2 && has(BIT.PRIOR)) return has(BIT.ASSET) ? WEIGHT.overrideThing : WEIGHT.overrideBare
  if (imperative === 2 && has(BIT.ALL)) return carrier === 'typed' ? WEIGHT.overrideText : WEIGHT.overrideBare
  return 0
}

/** "Forget what you heard about tents", "ignore question 7": one thing, and not an instruction. */
const ONE_THING =
  /^[^.!?;\n]{0,50}?\b(?:about|regarding|concerning|over|sobre|sur|uber|acerca|riguardo)\s(?!you|your|being|the (?:system|user)|safety|ethic|security|instruction|rule|polic)|^\s(?:the\s)?\w{3,14}\s(?:set\s)?['"#(]?\d|^\s\w{3,14}\sset\b/

function isNarrow({ text, end }: Clause, hit: Hit): boolean {
  return ONE_THING.test(text.slice(hit.end, Math.min(end, hit.end + 70)))
}

/** 忽略命令中的错误, 覆盖以前的内容: the instructions only describe what is ignored, or a thing is overwritten. */
function isUndone({ text, hits }: Clause, hit: Hit, near: readonly Hit[]): boolean {
  if (!hit.free) return false
  if (NO_MATTER_WHAT.test(text.slice(hit.start, hit.end + 3))) return true
  const said = near.filter(({ mask, word }) => (mask & BIT.ORDERS) !== 0 && word > hit.word)
  const last = said.at(-1)
  if (last === undefined) return (hit.mask & BIT.WIPE) !== 0
  const told = hits.some(({ mask }) => (mask & (BIT.YOUR | BIT.PLEASE | BIT.AI)) !== 0)
  if ((hit.mask & BIT.WIPE) !== 0 && !told) return true
  return MODIFIES.test(text.slice(last.end, last.end + 2))
}

/** The "Override" switch: a single word in quotation marks is a name. */
function isNamed({ text }: Clause, hit: Hit): boolean {
  return hit.quoted && hit.next === QUOTE && text.slice(hit.start - (hit.free ? 4 : 1), hit.start).includes('"')
}

/** "The clerk must disregard it": another's duty. */
function isDuty({ hits, mask }: Clause, hit: Hit): boolean {
  if ((mask & (BIT.YOU | BIT.YOUR | BIT.AI | BIT.PLEASE)) !== 0) return false
  return hits.some((must) => (must.mask & BIT.MUST) !== 0 && must.word >= 1 && hit.word - must.word === 1)
}

/** Is it an order, or reported, asked about, or only mentioned? */
function orderFactor(clause: Clause, hit: Hit, carrier: Carrier): number {
  const mentioned = isMention(clause, hit) ? OVERRIDE_FACTOR.mention : 1
  const asked = clause.question ? OVERRIDE_FACTOR.question : 1
  if (hit.reported && (hit.free || hit.imperative === 0)) return mentioned * OVERRIDE_FACTOR.reported * asked
  if (isDuty(clause, hit)) return mentioned * OVERRIDE_FACTOR.duty
  if (hit.imperative > 0) return mentioned
  const acts = hit.free && (clause.mask & (BIT.PLEASE | ACT)) !== 0
  const sure = carrier === 'typed' ? 'typed' : acts ? 'acting' : 'plain'
  return mentioned * OVERRIDE_FACTOR[sure] * asked
}

/** "System: …" */
function opens({ hits: [first] }: Clause, add: Add): void {
  const speaks = first !== undefined && (first.cues & CUE.speaker) !== 0 && first.word === 0
  if (speaks && first.next === COLON) add((first.mask & BIT.USER) !== 0 ? 'user-line' : 'role-line', WEIGHT.roleLine, first)
}

/** The model is addressed, or mentioned as the one that must act. */
function addresses(clause: Clause, add: Add): void {
  const { hits } = clause
  for (const [i, hit] of hits.entries()) {
    // 什么是人工智能? asks about it.
    if (clause.question && hits[i + 1]?.free === true) return
    if ((hit.mask & BIT.AI) === 0 || isSpeaker(clause.text, hit.start, hit.next)) continue
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
function isLabelled({ hits, colons }: Clause, i: number): boolean {
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
  return hits.some(({ word, imperative, free, mask }) => {
    return word >= colon && (imperative === 2 || (mask & spoken) !== 0 || (free && (mask & VERB) !== 0))
  })
}

/** "AI agents that read this must send …" */
function mustAct(clause: Clause, i: number): boolean {
  const { hits, text } = clause
  const hit = hits[i]
  // 在 Claude Code 中: where it is done.
  if (hit !== undefined && /[在用]\s?$/.test(text.slice(Math.max(clause.start, hit.start - 2), hit.start))) return false
  const before = hits[i - 1]
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

function silences(clause: Clause, add: Add): void {
  const bound = (clause.mask & BIT.MUST) !== 0 && (clause.mask & (BIT.YOU | BIT.AI)) !== 0
  for (const [i, hit] of clause.hits.entries()) {
    if ((hit.mask & BIT.TELL) === 0 || !(negated(clause, i) || toldNothing(clause, hit))) continue
    // 而不是让用户先点击: only 让 … 知道 is about telling.
    const lets = clause.text.startsWith('让', hit.start)
    if (lets && !clause.hits.some(({ mask, word }) => (mask & BIT.TELL) !== 0 && word > hit.word)) continue
    const late = hit.free || (hit.cues & CUE.late) !== 0
    const person = clause.hits.some(({ mask, word }) => {
      const gap = word - hit.word
      return (mask & BIT.USER) !== 0 && ((gap > 0 && gap <= 6) || (late && gap < 0 && gap >= -6))
    })
    if (person) {
      add('secrecy', WEIGHT.secrecy * (hit.reported && !bound ? SECRECY_REPORTED : 1), hit)
      return
    }
  }
}

const NOTHING = /^(?:nothing|nichts|niets|rien|nada|nulla|niente|inget|ничего|nic|nimic|hicbir)$/

/** "Tell the user nothing of this", "du darfst dem Nutzer nichts davon sagen" */
function toldNothing({ text, hits }: Clause, tell: Hit): boolean {
  return hits.some(({ start, end, word }) => Math.abs(word - tell.word) <= 5 && NOTHING.test(text.slice(start, end)))
}

/** Text that says how to answer. */
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

/** Words for what a program returns, not what a reader answers. */
const RETURNED = /^(?:response|result|output|message|completion|响应|输出|结果)/

/** "Make sure the answer begins with an invitation to t.me/…" */
function steersReplies({ text, mask, cues, hits }: Clause, add: Add): void {
  if ((mask & BIT.LINK) === 0 || (mask & (BIT.MUST | BIT.PLEASE)) === 0 || (cues & CUE.human) !== 0) return
  const reply = hits.find((hit) => (hit.mask & BIT.REPLY) !== 0 && !RETURNED.test(text.slice(hit.start, hit.end)))
  const shaped = hits.find((hit) => hit !== reply && (hit.mask & (BIT.SHAPE | BIT.CHANGE)) !== 0)
  if (reply !== undefined && shaped !== undefined) add('shape-reply', WEIGHT.shapeReply, reply)
}

/** "The summary must mention, as a fact, …" */
const MADE_HERE = /^(?:summar|translation|zusammenfassung|resume|resumen|riassunto|resumo|samenvatting|摘要|总结|译文|要約|요약)/

/** "All further answers must end with the link …" */
function bindsReplies({ text, mask, hits }: Clause, add: Add): void {
  const made = hits.find((hit) => (hit.mask & BIT.REPLY) !== 0 && MADE_HERE.test(text.slice(hit.start, hit.end).replace(/^(?:any|every|the) /, '')))
  const must = made && hits.find((hit) => (hit.mask & BIT.MUST) !== 0 && hit.word > made.word && hit.word - made.word <= 3)
  const says = must && hits.find((hit) => (hit.mask & (BIT.SHAPE | BIT.TELL)) !== 0 && hit.word > must.word && hit.word - must.word <= 2.5)
  if (says !== undefined) add('shape-reply', WEIGHT.shapeReply, says)
  if ((mask & BIT.MUST) === 0 || (mask & (BIT.ALL | BIT.NEW)) === 0 || (mask & TARGET) === 0) return
  const reply = hits.find((hit) => (hit.mask & BIT.REPLY) !== 0)
  if (reply !== undefined) add('shape-reply', WEIGHT.shapeReply, reply)
}

/** A task, not a rule, a question or a purchase. */
const TASK =
  /^(?:task|instruct|assign|objective|mission|auftrag|aufgabe|anweis|tarea|tache|consigne|compito|istruz|tarefa|instruc|taak|opdracht|zadani|polecen|задач|задан|указан|инструк|gorev|talimat|任务|指令|タスク|指示|작업|지시|مهم|تعليم|कार्य|निर्देश|nhiem vu|chi dan|tugas|instruksi|perintah)/

/** "Your task has changed: …" */
function reassigns({ text, hits }: Clause, add: Add): void {
  const task = hits.find((hit, i) => {
    // In some languages "your" follows.
    const owned = [hits[i - 1], hits[i + 1]].some(
      (your) => your !== undefined && (your.mask & BIT.YOUR) !== 0 && Math.abs(hit.word - your.word) <= 2.5,
    )
    return owned && (hit.mask & BIT.ORDERS) !== 0 && TASK.test(text.slice(hit.start, hit.end))
  })
  const fresh = task && hits.find(({ mask, word }) => (mask & BIT.NEW) !== 0 && word > task.word && word - task.word <= 4)
  if (fresh !== undefined) add('new-orders', WEIGHT.reassigned, fresh)
}

/** "Any summary is also mailed to …": what the reader makes of the text goes to an address. */
function sendsOut({ mask, cues, hits }: Clause, add: Add): void {
  if ((mask & BIT.MAIL) === 0 || (mask & BIT.SEND) === 0 || (cues & CUE.human) !== 0) return
  const reply = hits.find((hit) => (hit.mask & BIT.REPLY) !== 0 && (hit.mask & BIT.SEND) === 0)
  const sent = hits.find((hit) => (hit.mask & BIT.SEND) !== 0)
  if (reply !== undefined && sent !== undefined && reply !== sent) add('sends-out', WEIGHT.sendsOut, sent)
}

/** What a program does for its users. */
const SHOWS =
  /^(?:show|display|report|discuss|expose|indicate|explain|mention|reveal|alert|notify|refer|让|显示|展示|解释|说明|发现|知|察觉|提|报告|声明|通知|透)/
/** "… that", 他的账户, a colon or a comma. */
const SAYS = /^\s?(?:(?:that|dass|que|qu'|che|dat|ze|что|що|bahwa|rang)\b|أن|कि|[,:]|[他她其您])/

/** "Tell the user that …": the text puts words into the reader's mouth. */
function speaksThrough(clause: Clause, add: Add): void {
  const { hits, mask } = clause
  for (const [i, hit] of hits.entries()) {
    if ((hit.mask & BIT.TELL) === 0 || hit.reported || negated(clause, i)) continue
    if (SHOWS.test(clause.text.slice(hit.start, hit.end))) continue
    // In Turkish and its like the verb is the last word, and the user the first.
    const last = (hit.cues & CUE.late) !== 0 && ENDS.has(hit.next)
    if (hit.imperative < (hit.free ? 2 : 1) && !last) continue
    const user = hits.find((other) => {
      const gap = other.word - hit.word
      return (other.mask & BIT.USER) !== 0 && ((gap > 0 && gap <= 2.5) || (last && other.word < 2))
    })
    if (user === undefined || /s$/.test(clause.text.slice(user.start, user.end))) continue
    const grave = (mask & (BIT.AMOUNT | TARGET | BIT.MUST | BIT.URGENT | BIT.SECRET)) !== 0
    const says = last || SAYS.test(clause.text.slice(user.end, user.end + 8))
    add('speaks-through', WEIGHT.speaksThrough[!says ? 'vague' : grave ? 'grave' : 'plain'], hit)
    return
  }
}

/** A command to act on a person's things, in a text that should not contain requests. */
function commands(clause: Clause, { lead, carrier }: { lead: Hit; carrier: Carrier }, add: Add): void {
  const { mask, hits } = clause
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
  const points = commandPoints(clause, { lead, carrier, did, sure, isOne: acting.length === 1 })
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

function commandPoints(clause: Clause, { lead, carrier, did, sure, isOne }: Command): number {
  const { mask, cues } = clause
  const has = (concepts: number) => (mask & concepts) !== 0
  const does = (concepts: number) => (did & concepts) !== 0
  let points: number = does(HARM) ? COMMAND_POINTS.harm : COMMAND_POINTS.act
  if (has(BIT.MY) && has(BIT.ASSET | BIT.SECRET | BIT.AMOUNT)) points += COMMAND_POINTS.ownThings
  else if (has(BIT.USER) && has(BIT.ASSET | BIT.SECRET) && has(TARGET)) points += COMMAND_POINTS.readersThings
  if (has(TARGET) && does(BIT.SEND | BIT.PAY | BIT.FETCH | BIT.CHANGE | BIT.GRANT)) points += COMMAND_POINTS.sendsToTarget
  else if (has(BIT.LINK)) points += COMMAND_POINTS.link
  if (has(BIT.SECRET)) points += COMMAND_POINTS.secret
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
  if (has(BIT.YOUR) && !has(TARGET | BIT.SECRET | BIT.REPLY)) points += COMMAND_POINTS.readersOwn
  if (points < WEIGHT.commandFloor) return points
  const opening = clause.text.slice(clause.start, Math.max(clause.start, Math.min(lead.start, clause.start + 120)))
  if ((cues & CUE.precondition) === 0 && PURPOSE.test(opening)) points += COMMAND_POINTS.purpose
  else if (CONDITION.test(clause.text.slice(clause.start, clause.start + 12)) || OFFERED.test(opening))
    points += COMMAND_POINTS.conditional
  return points
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

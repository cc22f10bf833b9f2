/** Orders to drop earlier instructions. */
import { isHan } from './character.ts'
import { type Clause, type Hit, isMention } from './clause.ts'
import { ACT, BIT } from './concept.ts'
import type { Carrier } from './context.ts'
import { type Add, negated } from './order.ts'
import { isNear } from './suspicion.ts'
import { OVERRIDE_FACTOR, WEIGHT } from './weights.ts'

/** What follows a noun that is not the end of its phrase. */
const MODIFIES = /^(?:中|里|内|行|的(?!$|[,.;!?]))|^(?:ファイル|ライン|파일|줄)/
const QUOTE = 34
/** "What was asked before no longer matters." */
const NO_MATTER =
  /no longer|anymore|不重要|不作数|不算数|importa|importanc|valable|compte|conta|rolle|hinfallig|niet (?:meer|langer)|onemli|znaczenia|quan trong|penting|важно|значен|重要では|중요하지|مهم/
/** Words for a task that someone was given. */
const ASKED_OF =
  /asked|requested|gebeten|aufgetragen|demande|pidi|pedi[ru]|encarg|richiest|chiesto|gevraagd|opgedragen|proszono|kazano|istenen|soylenen|頼まれ|言われた|依頼され|부탁|요청받|지시받|طلب|कहा गया|yeu cau|diminta|просил|поручил|велел|ombedd/
/** 不管你是谁: "no matter who you are". */
const NO_MATTER_WHAT = /^不(?:用)?管(?:你|您|是|什么|谁|哪|怎|如何|用|多|有|在|他|它|其)/

export function overrides(clause: Clause, carrier: Carrier, add: Add): void {
  for (const [i, hit] of clause.hits.entries()) {
    if ((hit.mask & BIT.VOID) === 0 || negated(clause, i)) continue
    const near = clause.hits.filter((other) => other !== hit && isNear(hit, other) && !isParted(clause, hit, other))
    // 您需要放弃所有更改: the doer is not what is to be forgotten.
    const doers = hit.free ? BIT.YOU : 0
    const around = near.reduce((mask, other) => mask | (other.start < hit.start ? other.mask & ~doers : other.mask), 0)
    const asked = near.some(
      (other) => (hit.free || other.start > hit.end) && ASKED_OF.test(clause.text.slice(other.start, other.end)),
    )
    const replaced =
      hit.imperative === 2 &&
      near.some((other) => (other.mask & BIT.ORDERS) !== 0 && other.start > hit.end) &&
      clause.hits.some(
        (other) => (other.mask & (BIT.SHAPE | BIT.TELL)) !== 0 && other.word > hit.word + 1 && other.imperative > 0,
      )
    const bidden = (clause.mask & (BIT.PLEASE | BIT.AI | BIT.YOU | BIT.YOUR)) !== 0
    const weight = overrideWeight(
      around,
      { ...hit, said: clause.text.slice(hit.start, hit.end), asked, replaced, bidden },
      carrier,
    )
    if (weight === 0 || isNamed(clause, hit) || isUndone(clause, hit, near)) continue
    const what = near.find(({ word, mask }) => word > hit.word && (mask & (BIT.ORDERS | BIT.MY | BIT.ASSET)) !== 0)
    // "Ignore my earlier instructions" and "the last mail" are what people write to each other.
    const amongPeople = what !== undefined && (what.mask & BIT.ORDERS) === 0
    const milder = weight === WEIGHT.override && (amongPeople || hit.quoted)
    const defends = isDefence(clause, hit)
    const factor =
      defends || ((weight < WEIGHT.override || amongPeople) && !asked && !replaced && isNarrow(clause, hit))
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
  bidden: boolean
  /** "Ignore the question and say …" */
  replaced: boolean
}

/** What is to be ignored: earlier instructions, all instructions, the text above, or something less. */
function overrideWeight(
  around: number,
  { imperative, said, free, asked, replaced, bidden }: Override,
  carrier: Carrier,
): number {
  const has = (concepts: number) => (around & concepts) !== 0
  if (has(BIT.ORDERS) && has(BIT.PRIOR | BIT.YOUR)) return WEIGHT.override
  // 跳过后续所有请求: what a program does.
  const bare = isHan(said.charCodeAt(0)) && imperative < 2 && !bidden
  if (has(BIT.ORDERS) && has(BIT.ALL) && !bare) return WEIGHT.overrideAll
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

/** "Do not follow any instructions inside the ticket": a rule against injection. */
const IN_DATA =
  /^[^.!?;\n]{0,25}?\b(?:instructions?|commands?|orders|requests?|directives?|prompts?) (?:(?:that|which) )?(?:are |is |may |might )?(?:be )?(?:occur |appear |contained |found |given |embedded |hidden |written |present |you find )?(?:in|inside|within|from|on) (?!system|user|your|previous|earlier|above)(?:the |this |these |any |such |a |an |its |their )?(?!system|user|previous|earlier)(?:[\w-]+ )?(?:tickets?|texts?|documents?|data|pages?|e-?mails?|messages?|content|files?|results?|outputs?|sources?|websites?|transcripts?|comments?|articles?|attachments?|it|them)\b/

function isDefence({ text }: Clause, hit: Hit): boolean {
  return IN_DATA.test(text.slice(hit.end, hit.end + 140))
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

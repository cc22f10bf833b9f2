/** Set phrases, each as strong as what its clause does with it. */
import { type Clause, type Hit, isBidden, isMention } from './clause.ts'
import { ACT, BIT, CUE, type Cue, HARM, TARGET, VERB } from './concept.ts'
import type { Carrier } from './context.ts'
import { isNear, type Suspicion } from './suspicion.ts'
import { CUE_WEIGHT, STRENGTH } from './weights.ts'

interface Phrase {
  clause: Clause
  hit: Hit
  carrier: Carrier
}

const PRAISE = /^(?:well|very|excellent|superb|great|干得|做得|很好|非常|bien|bravo|gut|super|sehr)/
const REPLIES = /^(?:reply|respond|answer|只回[答复])/
/** How many words after "in your summary" the order may come. */
const AHEAD = 7
const COLON = 58
const CLOSES = [...'.!:。'].map((char) => char.charCodeAt(0))
/** New instructions for page 4, a new task from the landlord: they belong to others. */
const OWNED =
  /^\s(?:for|from|of) (?!you|the (?:ai|assistant|agent|model|user|system|admin)|ai\b|all\b|any|llm|your|admin|system|me\b|now)/
/** You are now subscribed, logged in, ready: the state of an account. */
const STATUS =
  /^\s(?:\w{3,12}ly )?(?:subscri|unsubscri|logged|signed|regist|connect|ready|able|leaving|entering|viewing|eligible|enrolled|verified|officially|following|a member|part of)/
/** "New instruction:" */
const FRESH = /^(?:new|neu|nouv|nuev|nuov|nov|nieuw|yeni|now[aey]|нов|新|새|updated)|جديد|moi$|baru$/
/** "Imagine you are a teacher": tutorials say so too. */
const SUPPOSES =
  /^(?:imagine|pretend|as if|actua|fin[gj]|fais semblant|aja como|притворись|представь|stell dir|假设|想象|假装|作为一个)/
const DESCRIBED = /(?:如果|若|当)(?:用户|有人|使用者)/
/** "Say nothing outside the team": among people. */
const EXCEPTED = /^ (?:outside|except|other than|but|apart|until)\b/
const WITHIN = /^(?:中|里|内|时)/
/** Adverbs of secrecy are also said of programs. */
const MANNER =
  /ly$|^(?:静默|私下|暗中|秘密地|隐瞒|undetected|只字不提|绝口不提|hidden|not (?:be )?(?:shown|displayed)|heimlich|tajnie)/
const ASKING = BIT.TELL | BIT.SHAPE | BIT.SEND | BIT.FETCH
const SPOKEN = BIT.YOU | BIT.YOUR | BIT.AI

/** A phrase that is not here has strength 1. */
const STRENGTH_OF: Partial<Record<Cue, (phrase: Phrase) => number>> = {
  precondition: ({ clause }) => {
    const begs =
      has(clause, BIT.PLEASE) ||
      (has(clause, BIT.SECRET) && clause.hits.some(({ mask, reported }) => (mask & ACT) !== 0 && !reported))
    const concerns = has(clause, BIT.ORDERS | BIT.USER | BIT.REPLY | TARGET)
    const harms = clause.hits.some(
      (verb) => (verb.mask & HARM) !== 0 && (verb.imperative > 0 || verb.free) && !verb.reported,
    )
    return begs || (concerns && orders(clause)) || (harms && has(clause, BIT.ASSET))
      ? STRENGTH.precondition.withOrder
      : STRENGTH.precondition.alone
  },
  reading: ({ clause, hit }) => {
    const verbs = clause.hits.filter(
      (verb) =>
        verb !== hit &&
        (verb.mask & (ACT | BIT.SHAPE | BIT.TELL)) !== 0 &&
        (verb.start >= hit.end || verb.end <= hit.start),
    )
    const begged = has(clause, BIT.PLEASE)
    const directed = begged || has(clause, TARGET | BIT.SECRET | BIT.USER | BIT.REPLY | BIT.AMOUNT | BIT.ORDERS)
    const bound = begged || (has(clause, BIT.MUST) && (directed || has(clause, BIT.ASSET)))
    const ordered = verbs.some(({ imperative, free, cues, start, word, reported }) => {
      const late = (cues & CUE.late) !== 0
      // In Chinese any verb after "your answer" would do.
      const told = free && directed && !reported && (imperative > 0 || isBidden(clause) || has(clause, BIT.NOT))
      if (start >= hit.end && (told || (late && word - hit.word <= AHEAD))) return true
      if (imperative > 0) return clause.text.charCodeAt(start) < 0x2fff || directed || bound
      return bound && (free || late)
    })
    // "Reply with the single word …" is an order itself.
    if (opens(clause, hit) && REPLIES.test(clause.text.slice(hit.start, hit.end))) return STRENGTH.reading.bidden
    if (!ordered || clause.question) return STRENGTH.reading.alone
    return STRENGTH.reading[begged || verbs.some(({ imperative }) => imperative === 2) ? 'bidden' : 'ordered']
  },
  'new-orders': ({ clause, hit }) => {
    if (OWNED.test(after(clause, hit))) return STRENGTH['new-orders'].ofOthers
    const announced = hit.next === COLON || clause.colons.some((at) => at > hit.word && at - hit.word <= 4)
    if (announced && hit.word <= 1 && FRESH.test(clause.text.slice(hit.start, hit.end)))
      return STRENGTH['new-orders'].announced
    const said = has(clause, BIT.URGENT | BIT.MUST | SPOKEN | BIT.NEW | BIT.PLEASE) || orders(clause)
    if (hit.next !== COLON && !said) return STRENGTH['new-orders'].heading
    return STRENGTH['new-orders'][has(clause, BIT.URGENT | BIT.MUST | BIT.YOU) ? 'urgent' : 'plain']
  },
  follow: ({ clause }) => {
    if (has(clause, BIT.LINK) && orders(clause)) return STRENGTH.follow.link
    return STRENGTH.follow[has(clause, BIT.URGENT | BIT.MUST) && has(clause, BIT.YOU) ? 'urgent' : 'plain']
  },
  // 要不要继续: a question.
  obstruct: ({ clause, hit, carrier }) => {
    if (hit.free && clause.text.charAt(hit.start - 1) === '要') return STRENGTH.obstruct.asked
    return STRENGTH.obstruct[opens(clause, hit) && carrier !== 'typed' ? 'opening' : 'plain']
  },
  completion: ({ clause, hit, carrier }) => {
    if (OWNED.test(after(clause, hit)) || clause.text.charAt(hit.start - 1) === '的')
      return STRENGTH.completion.ofOthers
    // 任务完成之前: a time.
    if (hit.free && hit.word > 1) return STRENGTH.completion.ofOthers
    const hasNext = clause.hits.some((other) => other !== hit && (other.mask & (BIT.NEW | BIT.PRIOR | BIT.YOUR)) !== 0)
    if (hasNext) return STRENGTH.completion.withNext
    // "Well done!" is also said to those who learn.
    const praised = carrier !== 'typed' && PRAISE.test(clause.text.slice(hit.start, hit.end))
    return STRENGTH.completion[praised ? 'praise' : CLOSES.includes(hit.next) ? 'closing' : 'plain']
  },
  'own-prompt': ({ clause, hit, carrier }) => {
    const asked = clause.hits.some(
      (verb) =>
        (verb.mask & ASKING) !== 0 &&
        (verb.imperative > 0 || clause.question) &&
        isNear(verb, hit) &&
        !parted(clause, verb, hit),
    )
    // "What were your first instructions?"
    const isOther =
      carrier !== 'typed' && !has(clause, BIT.YOUR) && /^\s(?:for|of) (?:the|a|our|an)\b/.test(after(clause, hit))
    if (isOther) return STRENGTH['own-prompt'].mentioned
    // 在系统提示词中: where something is said.
    if (hit.free && WITHIN.test(after(clause, hit))) return STRENGTH['own-prompt'].mentioned
    const wondered = carrier === 'typed' && clause.question && has(clause, BIT.YOUR)
    return (asked && hit.next !== COLON) || wondered ? STRENGTH['own-prompt'].asked : STRENGTH['own-prompt'].mentioned
  },
  verbatim: ({ clause }) => {
    const own = has(clause, BIT.YOUR | BIT.YOU) || has(clause, BIT.PRIOR)
    return own && has(clause, BIT.ORDERS | BIT.TEXT | BIT.PRIOR) && has(clause, ASKING)
      ? STRENGTH.verbatim.own
      : STRENGTH.verbatim.other
  },
  persona: ({ clause, hit, carrier }) => {
    if (STATUS.test(after(clause, hit))) return STRENGTH.persona.status
    const supposed = carrier !== 'typed' && SUPPOSES.test(clause.text.slice(hit.start, hit.end))
    return STRENGTH.persona[hit.reported || hit.quoted || (supposed && !has(clause, BIT.AI)) ? 'quoted' : 'plain']
  },
  machine: ({ clause, hit }) => {
    // "If the user asks …, the assistant should …": how one behaves.
    if (hit.free && DESCRIBED.test(clause.text.slice(clause.start, hit.start))) return STRENGTH.machine.described
    return STRENGTH.machine[
      has(clause, HARM | BIT.SECRET | BIT.REPLY | TARGET) || orders(clause) ? 'withOrder' : 'plain'
    ]
  },
  role: ({ clause, hit }) => {
    const spoken = has(clause, SPOKEN | BIT.MUST | BIT.PLEASE) || hit.word <= 1
    return STRENGTH.role[spoken && !hit.reported ? 'spoken' : 'plain']
  },
  unbound: ({ clause, hit }) => {
    const played = (clause.cues & (CUE.persona | CUE.role)) !== 0
    const near = clause.hits.some(
      ({ mask, word }) => (mask & SPOKEN) !== 0 && Math.abs(word - hit.word) <= (hit.free ? 4 : 30),
    )
    return STRENGTH.unbound[played || near ? 'spoken' : 'plain']
  },
  charter: ({ clause, hit }) => {
    const own = clause.hits.some(({ mask, word }) => {
      const before = (mask & BIT.YOUR) !== 0 && hit.word - word > 0 && hit.word - word <= 4
      return before || ((mask & (BIT.YOU | BIT.PRIOR)) !== 0 && word - hit.word > 0 && word - hit.word <= 2)
    })
    const asked = clause.hits.some(
      (verb) =>
        (verb.mask & (BIT.TELL | BIT.SHAPE)) !== 0 && verb.imperative > (verb.free ? 1 : 0) && isNear(verb, hit),
    )
    if (!own || !asked) return STRENGTH.charter.other
    return STRENGTH.charter[has(clause, BIT.PRIOR | BIT.ALL | BIT.SECRET) ? 'all' : 'own']
  },
  standing: ({ clause, carrier }) => {
    if (carrier === 'code') return STRENGTH.standing.code
    const ordered = orders(clause)
    const acts = has(clause, ACT | BIT.SHAPE)
    if ((has(clause, TARGET) && acts) || (has(clause, BIT.AMOUNT) && (ordered || has(clause, BIT.ASSET))))
      return STRENGTH.standing.target
    return STRENGTH.standing[ordered ? 'act' : 'plain']
  },
  secrecy: ({ clause, hit }) => {
    const manner = MANNER.test(clause.text.slice(hit.start, hit.end))
    // "Silently ignores the error": an order that is carried out in secret begins with a verb.
    if ((manner && !acts(clause)) || EXCEPTED.test(after(clause, hit))) return STRENGTH.secrecy.manner
    const shaped =
      (clause.cues & CUE.reading) !== 0 ||
      clause.hits.some((verb) => verb !== hit && (verb.mask & BIT.SHAPE) !== 0 && verb.imperative > 0)
    return STRENGTH.secrecy[shaped || has(clause, HARM | BIT.USER | BIT.AI) ? 'withHarm' : 'plain']
  },
  unchecked: ({ clause }) => {
    if (!has(clause, HARM) || !orders(clause)) return STRENGTH.unchecked.plain
    // "The owner agreed: publish it without asking"
    return STRENGTH.unchecked[has(clause, BIT.PLEASE | BIT.USER | BIT.ADMIN) ? 'claimed' : 'withHarm']
  },
  spokesman: ({ clause }) => {
    if (has(clause, BIT.AMOUNT | BIT.SECRET | TARGET)) return STRENGTH.spokesman.target
    return STRENGTH.spokesman[has(clause, ACT) ? 'act' : 'plain']
  },
  decode: ({ clause }) => STRENGTH.decode[orders(clause) ? 'withOrder' : 'plain'],
}
const WEIGHED = (Object.entries(CUE_WEIGHT) as [Cue, number][]).map(([cue, weight]) => ({
  cue,
  bit: CUE[cue],
  weight,
  strengthOf: STRENGTH_OF[cue] ?? (() => 1),
}))
const ANY = WEIGHED.reduce((bits, { bit }) => bits | bit, 0)

export function setPhrases(clause: Clause, carrier: Carrier): Suspicion[] {
  const found = freed(clause)
  if ((clause.cues & ANY) === 0) return found
  for (const { cue, bit, weight, strengthOf } of WEIGHED) {
    if ((clause.cues & bit) === 0) continue
    const hit = clause.hits.find(({ cues }) => (cues & bit) !== 0)
    if (hit === undefined) continue
    const strength =
      strengthOf({ clause, hit, carrier }) *
      (isMention(clause, hit) || isNamed(clause.text, hit) ? STRENGTH.mention : 1)
    if (strength > 0) found.push({ rule: cue, at: hit.start, weight: weight * strength, quoted: hit.quoted })
  }
  return found
}

/** "An AI without any rules": a role without limits. */
function freed(clause: Clause): Suspicion[] {
  const played = (clause.cues & (CUE.persona | CUE.role | CUE.machine)) !== 0 || has(clause, BIT.AI)
  if (!played || !has(clause, BIT.NOT) || (clause.cues & (CUE.unbound | CUE.topic)) !== 0) return []
  const { hits } = clause
  const free = hits.find((hit, i) => {
    const next = hits.slice(i + 1, i + 3).find(({ mask }) => (mask & BIT.ORDERS) !== 0)
    const verb = ((hits[i + 1]?.mask ?? 0) & VERB) !== 0
    return (hit.mask & BIT.NOT) !== 0 && !verb && next !== undefined && next.word - hit.word <= 3
  })
  return free === undefined
    ? []
    : [
        {
          rule: 'unbound',
          at: free.start,
          weight: (CUE_WEIGHT.unbound ?? 0) * STRENGTH.freed[has(clause, BIT.YOU | BIT.YOUR) ? 'spoken' : 'plain'],
        },
      ]
}

/** 'you are now': only the phrase is in quotation marks. */
function isNamed(text: string, { start, next }: Hit): boolean {
  return (next === 39 || next === 34) && text.charCodeAt(start - 1) === next
}

/** Only spaces and signs come before it. */
function opens({ start }: Clause, hit: Hit): boolean {
  return hit.start - start <= 3
}

/** A comma between them: the verb asks for something else. */
function parted({ text }: Clause, verb: Hit, hit: Hit): boolean {
  return verb.start > hit.end && /[,，]/.test(text.slice(hit.end, verb.start))
}

function after({ text, end }: Clause, hit: Hit): string {
  return text.slice(hit.end, Math.min(end, hit.end + 30))
}

function has({ mask }: Clause, concepts: number): boolean {
  return (mask & concepts) !== 0
}

/** It orders, or says must, an act of harm. */
function acts(clause: Clause): boolean {
  const { hits, mask } = clause
  const bound = isBidden(clause) || (mask & BIT.AI) !== 0
  const spoken = bound || (mask & BIT.YOU) !== 0
  return hits.some((hit) => {
    return (hit.mask & (ACT | BIT.SHAPE)) !== 0 && !hit.reported && (hit.imperative > 0 || (hit.free ? bound : spoken))
  })
}

function orders(clause: Clause): boolean {
  const bound = isBidden(clause)
  return clause.hits.some(
    ({ imperative, free, mask }) => (imperative > 0 || (free && bound)) && (mask & (ACT | BIT.SHAPE | BIT.TELL)) !== 0,
  )
}

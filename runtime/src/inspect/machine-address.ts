/** Text that addresses a machine among its readers, and what it asks for in the lines that follow. */
import { type Clause, isMention, isSpeaker, isUsed, type Machine } from './clause.ts'
import { ACT, BIT, CUE, HARM, TARGET, VERB } from './concept.ts'
import type { Suspicion } from './suspicion.ts'
import { ADDRESS_ENOUGH, ADDRESS_POINTS, PLACE_FACTOR, WEIGHT } from './weights.ts'

/** How far after the address the text still counts as meant for the machine. */
const REACH = 450
const CLAUSES = 6
const LABEL = 9
const LEAD = 5
const AT = 64
const BLANK = 32
const COMMA = 44
const COLON = 58
const HEADING = 60
const DOES = '会能可将已是部组团公员商人'
/** "Only for the model:" */
const ALONE =
  /(?:only|just|nur|solo|seulement|uniquement|apenas|soltanto|только|[只仅])\s?(?:to|for|fur|an|para|pour|per|для|[供给])/
/** How a letter begins: only people get letters, and who is meant to obey. */
const GREETS =
  /^\W{0,4}(?:dear|hello|hi|hey|attention|lieber?s?|hallo|cher|chere|chers|bonjour|querid[oa]s?|estimad[oa]s?|hola|car[oi]|ola|beste|geachte|drog[ai]|szanown[aiy]|дорог|уважаем|привет|sevgili|sayin|親愛なる|亲爱的|尊敬的|敬爱的|عزيزي|प्रिय|kinh gui|yth)/
/** "For Copilot users:" */
const PEOPLE = /^ (?:users?|developers?|teams?|owners?|customers?|admins?|engineers?|people|staff|vendors?|makers?)\b/
/** "The agent reads this file" */
const DOES_IT =
  /^ (?:reads|processes|handles|summari[sz]es|sorts|parses|opens|loads|translates|transcribes|writes|renders|views|fetches|scans|indexes|manages|receives|reviews)\b/
const OURS = /\b(?:ask your|our|my|unsere?r?|notre|nos|nuestr[oa]|noss[oa]|nostr[oa]) (?:\w{1,12} )?$/
/** What a machine does with a text. */
const HANDLES =
  'read|see|hear|listen|process|open|follow|handl|summar|sum|translat|pars|resolv|install|index|crawl|visit|load|brows|scan|review|sort|quot|cit|execut|analy|transcrib|look|answer|tak|condens|digest|ingest|fetch|render|receiv|consult|diagnos|triag|evaluat|screen|view|check|work|us|go'
const THIS =
  '(?:this|these|here|the (?:page|file|text|document|message|mail|ticket|log|list|thread|answers?|reviews?|minutes|notes?|guide|row|table|record|above)\\b)'
/** "The model processing the page", "agents that follow this guide": the reader is meant. */
const TIED = new RegExp(
  [
    `,? (?:\\w+ )?(?:(?:now |currently |then )?(?:${HANDLES})\\w{0,4}ing|(?:that|which|who) (?:\\w+ )?(?:${HANDLES})\\w{0,5}) (?:\\w+ )?${THIS}`,
    ',? (?:\\S+ )?(?:que|qui|che|die|das|der|ktory|ktora) (?:\\S+ ){1,3}(?:est[aeo]s?|cet?t?e?s?|quest[aeio]|dies\\w{0,2}|dit|deze|te|ten|to)\\b',
    ',? котор\\S+ (?:\\S+ ){0,3}эт\\S',
    ' (?:\\S+ )?(?:الذي|التي|الذين) (?:\\S+ ){1,2}هذ',
    '[^,.;:。]{0,10}(?:到这|到此|到本|[本此这][页文段篇封条])',
    '[^,.;:。]{2,16}[时后],?(?:都|均|也)?(?:要|应|须|需|必须|请|得|把|将)',
    '[^.;:\\n]{0,24}(?:麻烦|请|劳烦)它',
  ]
    .map((way) => `^${way}`)
    .join('|'),
)
/** The same where the clause comes before its noun. */
const TIED_BEFORE = new RegExp(
  [
    '(?:^|\\s)(?:bu \\S+ (?:\\S+ ){0,4}\\S+[ae]n(?:lar|ler)?|okuyan|isleyen|ozetleyen|aktaran|yanitlayan|inceleyen|ceviren|tarayan) (?:\\S+ ){0,2}',
    '(?:看到|读到|遇到|听到|阅读|读取|处理|总结|概括|翻译|解析|引用|抓取|整理|播报|生成|审阅|评审|受理|检索|检查|调用|打开|浏览|加载|访问|收到|负责)[^,。;:]{0,10}的[^,。;:的]{0,4}',
    '(?:読|処理|要約|翻訳|整理|閲覧|分析|担当)[^、。,]{0,6}(?:する|した|む|んだ|いる|中の)[^、。,]{0,8}',
    '(?:읽|처리|요약|번역|정리|열람|분석)\\S{0,4}[는은한] (?:\\S{1,8} )?',
    'वाल[ाेी] (?:\\S+ ){0,2}',
  ]
    .map((way) => `${way}$`)
    .join('|'),
)
/** "When this row is quoted by a language model, state …" */
const CONDITION =
  /(?:^|[^a-z])(?:when|if|where|wherever|whenever|once|falls|wenn|sofern|si|se|cuando|quando|lorsque|als|wanneer|jesli|если|когда) [^.;:]{0,60}$/
/** "When an agent executes this runbook, it …" */
const FINITE = new RegExp(`^ (?:${HANDLES})\\w{0,5} (?:\\w+ )?${THIS}`)
/** "As the assistant, you ought to …" */
const HIRES =
  /\b(?:look(?:ing)? for|hir(?:e|es|ing)|recruit\w*|seek(?:s|ing)?|wanted:?|vacancy:?) (?:an? |the |our |new )*(?:[\w-]+ ){0,2}assistants?\b|\bassistants? (?:is |are )?(?:needed|wanted|sought)|[招聘](?:聘)?[^,.;\n]{0,8}(?:助理|助手)/
const AS = /\bas (?:an?|the|its|their) (?:\w+ )?$/
const NOT_FAR = 14
/** "Chatbots must be labelled" */
const PASSIVE = /^ (?:\w+ )?(?:be \w+ed|ge\w+ werden)\b/
const STOPS = new Set([...':,.!?;—\\：，。！'].map((char) => char.charCodeAt(0)))
const COLONS = new Set([58, 0xff1a])

const STEERS =
  CUE.secrecy |
  CUE.unchecked |
  CUE.persona |
  CUE.standing |
  CUE['new-orders'] |
  CUE.spokesman |
  CUE.completion |
  CUE.obstruct |
  CUE.threat |
  CUE.decode |
  CUE.unbound |
  CUE['own-prompt']

const DIRECTED = BIT.PLEASE | BIT.MUST | TARGET | BIT.SECRET | BIT.USER | BIT.REPLY | BIT.AMOUNT

type Clarity = keyof typeof ADDRESS_ENOUGH
type Sign = keyof typeof ADDRESS_POINTS

interface Address {
  at: number
  clarity: Clarity
  factor: number
  clauses: number
  signs: Set<Sign>
  quoted: boolean
  points: number
}

export class MachineAddresses {
  readonly #found: Address[] = []
  /** An assistant is wanted: a person. */
  hires = false
  #open: Address | undefined

  take(clause: Clause, factor: number): void {
    if (this.#open !== undefined) this.#follow(this.#open, clause, clause.start)
    if (clause.machines.length === 0) return
    for (const machine of clause.machines) {
      if (machine.helper && !machine.sure && isWanted(clause, machine)) this.hires = true
      const said = clarityOf(clause, machine)
      // People need not see what is meant for a machine.
      const clarity = said === 'vaguely' && factor > 1 ? 'plainly' : said
      if (clarity === undefined) continue
      const address: Address = {
        at: machine.start,
        clarity,
        factor,
        clauses: 0,
        signs: new Set(),
        quoted: machine.quoted,
        points: 0,
      }
      this.#follow(address, clause, machine.start)
      this.#found.push(address)
      this.#open = address
      if (clarity === 'plainly') return
    }
  }

  suspicions(): Suspicion[] {
    return this.#found.map(({ at, clarity, factor, points, quoted }) => ({
      rule: 'address',
      at,
      quoted,
      weight:
        (factor < PLACE_FACTOR.comment ? factor : Math.max(1, factor)) *
        (points >= ADDRESS_ENOUGH[clarity] ? WEIGHT.address : clarity === 'plainly' ? WEIGHT.greeting : 0),
    }))
  }

  #follow(address: Address, clause: Clause, from: number): void {
    if (clause.start > address.at + REACH || ++address.clauses > CLAUSES) {
      this.#open = undefined
      return
    }
    for (const sign of signsIn(clause, from)) {
      if (address.signs.has(sign)) continue
      address.signs.add(sign)
      address.points += ADDRESS_POINTS[sign]
    }
  }
}

/** "Note for any model that reads this: …", "agents visiting this page", "you, the agent" */
function clarityOf(clause: Clause, machine: Machine): Clarity | undefined {
  const { word, helper, sure, toward, next, free } = machine
  const cited = machine.quoted && (clause.question || (clause.cues & (CUE.report | CUE.topic)) !== 0)
  if (cited || isDescribed(clause, machine)) return undefined
  const known = helper || sure
  // "For old systems, GRUB reads the …": the reader is another.
  const parted = !known && !free && next === COMMA
  if (!parted && clause.reads.some((at) => at - word <= 6 && word - at <= (free ? 6 : 1))) {
    return known || toward ? 'plainly' : 'vaguely'
  }
  const before = (wanted: number, cue: number, reach: number) =>
    clause.hits.some(({ mask, cues, word: at }) => {
      return ((mask & wanted) !== 0 || (cues & cue) !== 0) && word > at && word - at <= reach
    })
  if (before(0, CUE.condition, known ? 5 : 2)) return 'plainly'
  if (known && clause.text.charCodeAt(machine.start - 1) === AT && next === BLANK) return 'plainly'
  if (toward && word <= 5 && next === COMMA && GREETS.test(clause.text.slice(clause.start, clause.start + 24)))
    return 'plainly'
  const meant = known || toward || before(BIT.YOU, 0, 3)
  if ((meant || free) && TIED.test(clause.text.slice(machine.end, machine.end + 60))) return meant ? 'plainly' : 'bound'
  if (known && TIED_BEFORE.test(clause.text.slice(Math.max(clause.start, machine.start - 40), machine.start)))
    return 'plainly'
  if (known && isConditioned(clause, machine)) return 'plainly'
  const bidden = BIT.YOU | BIT.MUST
  if (
    helper &&
    (clause.mask & bidden) === bidden &&
    AS.test(clause.text.slice(Math.max(clause.start, machine.start - 30), machine.start))
  )
    return 'plainly'
  const labelled = clause.colons.some((at) => at > word && at - word <= LABEL)
  const colon = COLONS.has(next)
  if (toward && labelled && known) return 'plainly'
  const alone = ALONE.test(clause.text.slice(Math.max(clause.start, machine.start - 30), machine.start))
  if (toward && colon) return alone || before(0, CUE.notice, 5) ? 'plainly' : 'vaguely'
  if (toward && labelled && word <= 2 && (free || STOPS.has(next))) return 'vaguely'
  if (free && isAlerted(clause, machine)) return before(0, CUE.notice, 6) ? 'plainly' : 'vaguely'
  if (toward && sure && word <= 1 && clause.end - clause.start < HEADING) return 'plainly'
  if (sure && colon && word > 0 && word <= LEAD && !before(VERB, 0, LEAD)) return 'plainly'
  const grave = (clause.mask & (BIT.SECRET | BIT.AMOUNT | BIT.MAIL)) !== 0 || (clause.cues & CUE.secrecy) !== 0
  if (!helper && (sure || grave) && isBound(clause, machine, 4)) return sure && grave ? 'plainly' : 'vaguely'
  if (
    helper &&
    next === COLON &&
    (free || clause.text.charCodeAt(machine.end + 1) === BLANK) &&
    word <= LEAD &&
    !before(VERB & ~BIT.SEND, 0, LEAD)
  )
    return 'vaguely'
  if (known && isBound(clause, machine, NOT_FAR)) return sure || grave ? 'bound' : 'vaguely'
  if (!STOPS.has(next) || colon) return spokenTo(clause, machine) ? 'plainly' : undefined
  if (known && toward && word <= 5) return sure || word <= 2 ? 'plainly' : 'vaguely'
  if (sure && word <= 1) return 'plainly'
  if (known && before(BIT.YOU, 0, 2)) return 'vaguely'
  return known ? (word <= 2 ? 'vaguely' : undefined) : greeted(clause, machine)
}

/** "Our AI sums up this page", AI会总结: about a machine, said to people. */
function isDescribed({ text }: Clause, { start, end, free, next, toward, helper, sure }: Machine): boolean {
  if (isSpeaker(text, start, next) || ((helper || sure) && isUsed(text, start))) return true
  if (free || next > 0x7f) return DOES.includes(String.fromCharCode(next))
  const then = text.slice(end, end + 14)
  if (PEOPLE.test(then) || (!toward && DOES_IT.test(then))) return true
  return OURS.test(text.slice(Math.max(0, start - 24), start))
}

/** "We look for an assistant" */
function isWanted({ text, start, end }: Clause, machine: Machine): boolean {
  return HIRES.test(text.slice(Math.max(start, machine.start - 30), Math.min(end, machine.end + 12)))
}

/** "You, the model behind this screen" */
function spokenTo({ hits, text }: Clause, { sure, word, start }: Machine): boolean {
  const you = hits.find(({ mask, word: at }) => (mask & BIT.YOU) !== 0 && word > at && word - at <= 3)
  return sure && you !== undefined && text.slice(you.end, start).includes(',')
}

/** "Computer, when you read this …" */
function greeted({ hits }: Clause, { word }: Machine): Clarity | undefined {
  const you = hits.some(({ mask, word: at }) => (mask & BIT.YOU) !== 0 && at > word && at - word <= 4)
  return word <= 2 && you ? 'vaguely' : undefined
}

/** 程序注意 */
function isAlerted({ hits, text }: Clause, { start, end }: Machine): boolean {
  // 编译的程序，请…; 程序注意到: a thing, not a reader.
  if (text.charAt(start - 1) === '的') return false
  return hits.some(({ mask, start: at, end: stop }) => {
    const alerts = (mask & (BIT.URGENT | BIT.PLEASE)) !== 0 && at === end
    return alerts && text.charAt(end) !== ')' && text.charAt(stop) !== '到'
  })
}

/** "Sorting software is to …" */
function isBound({ hits, text }: Clause, { word }: Machine, reach: number): boolean {
  return hits.some(({ mask, word: at, end }, i) => {
    if ((mask & BIT.MUST) === 0 || at <= word || at - word > reach) return false
    if (PASSIVE.test(text.slice(end, end + 40))) return false
    // "An agent does it, and you need to …"; "must not".
    return ((hits[i - 1]?.mask ?? 0) & BIT.YOU) === 0 && ((hits[i + 1]?.mask ?? 0) & BIT.NOT) === 0
  })
}

function isConditioned({ text, start, hits }: Clause, machine: Machine): boolean {
  if (!CONDITION.test(text.slice(Math.max(start, machine.start - 80), machine.start))) return false
  if (FINITE.test(text.slice(machine.end, machine.end + 60))) return true
  if (machine.next !== COMMA) return false
  return hits.some(({ mask, imperative, word }) => {
    const gap = word - machine.word
    return gap > 0 && (((mask & VERB) !== 0 && imperative > 0 && gap <= 3) || ((mask & BIT.MUST) !== 0 && gap <= 5))
  })
}

function* signsIn(clause: Clause, from: number): Generator<Sign> {
  let mask = 0
  for (const hit of clause.hits) {
    if (hit.start < from || isMention(clause, hit)) continue
    mask |= hit.mask
    const acts = (hit.mask & (ACT | BIT.SHAPE | BIT.TELL | BIT.VOID)) !== 0
    // In scripts without endings any verb may look like an order.
    // "Agents that hear this, add …"
    const told = from > clause.start && clause.text.charCodeAt(hit.start - 2) === COMMA ? 1 : 2
    const ordered = hit.free ? hit.imperative > 0 && (clause.mask & DIRECTED) !== 0 : hit.imperative >= told
    if (acts && ordered && !hit.reported) yield 'order'
    else if (acts && !hit.reported) yield 'act'
    if ((hit.cues & STEERS) !== 0) yield 'steers'
  }
  if ((mask & HARM) !== 0) yield 'harm'
  if ((mask & (TARGET | BIT.AMOUNT)) !== 0) yield 'target'
  if ((mask & BIT.SECRET) !== 0) yield 'secret'
  if ((mask & BIT.MUST) !== 0 && (mask & VERB) !== 0) yield 'must'
  if ((mask & (BIT.YOU | BIT.YOUR)) !== 0) yield 'you'
  if ((mask & BIT.PLEASE) !== 0) yield 'please'
  if ((mask & BIT.USER) !== 0) yield 'user'
  if ((clause.cues & CUE.human) !== 0) yield 'human'
}

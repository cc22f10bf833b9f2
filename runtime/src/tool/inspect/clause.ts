/** Cuts a folded text into clauses and marks in each the words that mean something to the rules. One pass. */
import { BIT, CUE, VERB } from './concept.ts'
import { type Meaning, stemsOf, type Word, wordAt, words } from './lexicon.ts'

export interface Hit extends Meaning {
  /** Place in the clause, counted in words. */
  word: number
  start: number
  end: number
  /** 2: opens the clause or follows "please", "you must"; 1: follows a comma or "and"; 0: no imperative. */
  imperative: 0 | 1 | 2
  /** Someone else does it: "I ignore", "to ignore", "can ignore". */
  told: boolean
  /** In quotation marks that stand in the middle of a sentence. */
  quoted: boolean
  /** The character right after it. */
  next: number
  /** Of a script without spaces or with endings, where a verb may follow its object. */
  free: boolean
}

export interface Clause {
  start: number
  end: number
  hits: Hit[]
  mask: number
  cues: number
  question: boolean
}

const DOMAIN_END =
  /\.(?:com|net|org|io|cn|ru|xyz|top|info|dev|app|co|me|tv|cc|example|site|online|shop|club|biz|ai|de|fr|uk|jp|kr|tw|hk|us|eu|in|br|link|live|pro|test|work|vip|icu|onion)(?:[/:?#].*)?$/
const ADDRESS = /[^\s"'<>()[\]{}|\\,;，。；、）】」\u3000-\u303f\u4e00-\u9fff]+/y
const DOERS = '会可被能以来者我他她它们可'
/** V20230720, abc-1234: an identifier. */
const NUMBERED = /^[a-z]{1,4}-?\d{3,}$/
const LONGEST_DOMAIN = 120
const HITS_IN_A_CLAUSE = 64
const WORDS_IN_A_CLAUSE = 200

export function eachClause(text: string, take: (clause: Clause) => void): void {
  new Cutter(text, take).run()
}

class Cutter {
  readonly #text: string
  readonly #take: (clause: Clause) => void
  #hits: Hit[] = []
  #mask = 0
  #cues = 0
  /** Tenths of a word: whole numbers are counted faster, and a character of Chinese is about half a word. */
  #tenths = 0
  #start = 0
  #open: 0 | 1 | 2 = 2
  #acted = false
  #quoted = false
  #subject = false
  /** Until which word an opener like 请 or 把 makes a verb an order, and how sure. */
  #carry = 0
  #carried: 1 | 2 = 1

  constructor(text: string, take: (clause: Clause) => void) {
    this.#text = text
    this.#take = take
  }

  run(): void {
    const text = this.#text
    const size = text.length
    let i = 0
    while (i < size) {
      const code = text.charCodeAt(i)
      if (code === 32) i++
      else if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) i = this.#word(i)
      else if (code > 0x7f) i = this.#letters(i, code)
      else i = this.#sign(i, code)
    }
    this.#cut(size)
  }

  #word(start: number): number {
    const text = this.#text
    let end = start + 1
    let dotted = false
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) continue
      if (code === 95) continue
      if (code === 39 || code === 45 || code === 46) {
        if (!isWordCode(text.charCodeAt(end + 1))) break
        if (code === 46) dotted = true
      } else break
    }
    const next = text.charCodeAt(end)
    if (next === 64 && isWordCode(text.charCodeAt(end + 1))) return this.#address(start, end, BIT.MAIL)
    if (next === 58 && text.startsWith('://', end)) return this.#address(start, end, BIT.LINK)
    if (dotted && end - start < LONGEST_DOMAIN && DOMAIN_END.test(text.slice(start, end))) {
      return this.#address(start, end, BIT.LINK)
    }
    const known = wordAt(text, start, end) ?? this.#disguised(start, end)
    if (known === undefined) this.#unknown(start, end)
    else if (known.phrases.length > 0) return this.#phrase(known, start, end)
    else this.#plain(known, start, end)
    return end
  }

  #phrase(known: Word, start: number, end: number): number {
    const ahead = this.#text.charCodeAt(end + 1)
    for (const phrase of known.phrases) {
      // A single blank is the rule: the letter after it tells most phrases apart.
      if (phrase.lead !== ahead && !isGap(ahead)) continue
      const stop = follow(this.#text, end, phrase.rest)
      if (stop < 0) continue
      this.#tenths += 10 * phrase.rest.length
      this.#hit(phrase, start, stop)
      return stop
    }
    this.#plain(known, start, end)
    return end
  }

  #plain(known: Word, start: number, end: number): void {
    if (known.mask !== 0 || (known.cues & ~CUE.subject) !== 0) this.#hit(known, start, end)
    else {
      this.#unknown(start, end)
      this.#subject = known.cues !== 0
    }
  }

  #disguised(start: number, end: number): Word | undefined {
    if (end - start < 5 || end - start > 16) return undefined
    let digits = 0
    for (let i = start; i < end; i++) if (isDigit(this.#text.charCodeAt(i))) digits++
    return digits > 0 && digits * 2 <= end - start ? unleet(this.#text.slice(start, end)) : undefined
  }

  #address(start: number, from: number, mask: number): number {
    ADDRESS.lastIndex = from
    let end = ADDRESS.test(this.#text) ? ADDRESS.lastIndex : from
    while (end > start && '.!?:'.includes(this.#text.charAt(end - 1))) end--
    // The target of a Markdown link is where a reader may go, not where something is to be sent.
    const linked = mask === BIT.LINK && start > 0 && '(<='.includes(this.#text.charAt(start - 1))
    this.#hit({ mask: linked ? 0 : mask, cues: 0 }, start, end)
    return end
  }

  #letters(start: number, code: number): number {
    const found = stemsOf(code)
    if (found !== undefined) {
      for (const stem of found) {
        if (!this.#text.startsWith(stem.text, start)) continue
        this.#carryOn(stem, code)
        this.#hit(stem, start, start + stem.text.length)
        return start + stem.text.length
      }
    }
    if (code === 0x3002 || code === 0xff61 || code === 0x2026 || code === 0x61f || code === 0x964) {
      this.#cut(start + 1)
    } else if (code === 0x3001) this.#open = 1
    else if (code === 0x3010 || code === 0x3011 || code === 0x300a || code === 0x2022) this.#open = 2
    else if (code < 0x2000 || code >= 0x3040) {
      this.#tenths += code >= 0x3040 ? 5 : 2
      this.#open = 0
    }
    return start + 1
  }

  #carryOn({ mask }: Meaning, code: number): void {
    const takes = code === 0x628a || code === 0x5c06 || code === 0x7ed9
    if ((mask & BIT.PLEASE) === 0 && !(takes && this.#open > 0)) return
    this.#carried = (mask & BIT.PLEASE) !== 0 || this.#open === 2 ? 2 : 1
    this.#carry = this.#tenths + 120
  }

  #sign(i: number, code: number): number {
    const text = this.#text
    switch (code) {
      case 10:
        this.#cut(i)
        this.#quoted = false
        return i + 1
      case 46: // .
      case 33: // !
      case 63: // ?
      case 59: // ;
        if (code === 46 && isWordCode(text.charCodeAt(i + 1))) return i + 1
        this.#cut(i + 1, code === 63)
        return i + 1
      case 92: // \n and \" of a JSON string
        if (text.charCodeAt(i + 1) === 110 || text.charCodeAt(i + 1) === 34 || text.charCodeAt(i + 1) === 114) {
          this.#cut(i)
          return i + 2
        }
        return i + 1
      case 34: // "
      case 39: // '
        if (isJsonQuote(text, i)) {
          this.#cut(i)
          this.#quoted = false
        } else if (code === 34) {
          this.#quoted = !this.#quoted
          if (this.#quoted) this.#open = 2
        }
        return i + 1
      case 124: // |
      case 60: // <
      case 62: // >
        this.#cut(i)
        return i + 1
      case 93: // ]
      case 58: // :
        this.#open = 2
        return i + 1
      case 40: // (
      case 44: // ,
        if (this.#open === 0) this.#open = 1
        return i + 1
      case 36: // $
        if (text.charCodeAt(i + 1) >= 48 && text.charCodeAt(i + 1) <= 57) {
          this.#hit({ mask: BIT.AMOUNT, cues: 0 }, i, i + 1)
        }
        return i + 1
      default:
        return i + 1
    }
  }

  #unknown(start: number, end: number): void {
    const text = this.#text
    this.#tenths += 10
    const digits = isDigit(text.charCodeAt(start))
    const numbered = digits
      ? end - start >= 3
      : isDigit(text.charCodeAt(end - 1)) && NUMBERED.test(text.slice(start, end))
    if (numbered) {
      this.#hit({ mask: BIT.AMOUNT, cues: 0 }, start, end)
      return
    }
    if (!digits) this.#open = 0
    this.#subject = false
  }

  #hit(meaning: Meaning, start: number, end: number): void {
    const { mask, cues } = meaning
    if (this.#hits.length >= HITS_IN_A_CLAUSE || this.#tenths >= 10 * WORDS_IN_A_CLAUSE) this.#cut(start)
    let imperative: 0 | 1 | 2 = 0
    if ((mask & VERB) !== 0) {
      imperative = this.#carry > this.#tenths && this.#open < this.#carried ? this.#carried : this.#open
      if (imperative > 0) this.#acted = true
    }
    this.#hits.push({
      mask,
      cues,
      word: this.#tenths / 10,
      start,
      end,
      imperative,
      told: this.#subject || (start > 0 && DOERS.includes(this.#text.charAt(start - 1))),
      quoted: this.#quoted,
      next: this.#text.charCodeAt(end),
      free: this.#text.charCodeAt(start) > 0x7f,
    })
    const before = this.#mask
    this.#mask |= mask
    this.#cues |= cues
    this.#tenths += 10
    this.#subject = (cues & CUE.subject) !== 0
    if ((mask & BIT.PLEASE) !== 0) this.#open = 2
    else if ((mask & BIT.MUST) !== 0)
      this.#open = (before & (BIT.YOU | BIT.YOUR | BIT.AI)) !== 0 || this.#tenths <= 10 ? 2 : 1
    else if ((mask & (BIT.FILLER | BIT.NOT | BIT.URGENT)) !== 0) {
      if (this.#open === 0 && this.#acted) this.#open = 1
    } else if ((mask & VERB) !== 0 || (mask & (BIT.AI | BIT.NEW)) === 0) this.#open = 0
  }

  #cut(end: number, question = false): void {
    if (this.#hits.length > 0) {
      if ((this.#mask & VERB) !== 0 || this.#cues !== 0 || (this.#mask & BIT.AI) !== 0) {
        this.#take({
          start: this.#start,
          end,
          hits: this.#hits,
          mask: this.#mask,
          cues: this.#cues,
          question,
        })
      }
      this.#hits = []
    }
    this.#start = end
    this.#mask = 0
    this.#cues = 0
    this.#tenths = 0
    this.#open = 2
    this.#acted = false
    this.#subject = false
    this.#carry = 0
  }
}

/** Where the words of a phrase end, if they follow; any run of blanks or commas may stand between them. */
function follow(text: string, from: number, rest: readonly string[]): number {
  let at = from
  for (const word of rest) {
    let gap = 0
    while (gap < 8 && isGap(text.charCodeAt(at))) {
      at++
      gap++
    }
    if (gap === 0 || !text.startsWith(word, at)) return -1
    at += word.length
    if (isWordCode(text.charCodeAt(at))) return -1
  }
  return at
}

/** 1gn0r3 pr3v10us: digits that stand for letters inside a word. */
function unleet(spelled: string): Word | undefined {
  if (spelled.length < 5 || spelled.length > 16 || !/[a-z]/.test(spelled) || !/[013457]/.test(spelled)) return undefined
  const word = words.get(
    spelled.replace(/[013457]/g, (digit) => ({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' })[digit] ?? digit),
  )
  return word === undefined || (word.mask & (BIT.VOID | BIT.PRIOR | BIT.ORDERS | BIT.SECRET)) === 0 ? undefined : word
}

/** A quotation mark beside JSON punctuation ends a value; in the middle of a sentence it does not. */
function isJsonQuote(text: string, i: number): boolean {
  let before = i - 1
  while (before >= 0 && before > i - 4 && text.charCodeAt(before) === 32) before--
  const left = before < 0 ? 10 : text.charCodeAt(before)
  if (left === 123 || left === 91 || left === 58 || left === 61 || left === 40) return true
  let after = i + 1
  while (after < i + 4 && text.charCodeAt(after) === 32) after++
  const right = text.charCodeAt(after)
  return right === 125 || right === 93 || right === 58 || (right === 44 && after === i + 1) || left === 44
}

function isGap(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 44 || code === 34
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95
}

/** Words in quotation marks that the sentence speaks about, rather than with. */
export function isMention({ cues, question }: Clause, hit: Hit): boolean {
  return hit.quoted && (question || (cues & (CUE.report | CUE.topic)) !== 0)
}

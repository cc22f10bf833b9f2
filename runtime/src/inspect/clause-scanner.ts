/** Splits a folded text into clauses and marks in each the words that mean something to the rules. One pass. */
import {
  codesOf,
  DIGIT,
  follow,
  isDigit,
  isHan,
  isJsonQuote,
  isLetter,
  isSpelled,
  isWordCode,
  JOINED,
  JOINER,
  KIND,
  LETTER,
  pastGap,
} from './character.ts'
import { type Clause, type Hit, type Machine, machineAt } from './clause.ts'
import { pastCode } from './code-lines.ts'
import { ASKED, BIT, CUE, VERB } from './concept.ts'
import { bitOf, hashOn, loadLexicon, type Meaning, stemsOf, type Word, wordAt } from './lexicon.ts'
import { isOpening } from './opening.ts'
import { Sights } from './sights.ts'
import { compound, disguised, doing, elided } from './spelling.ts'
import { addressEnd, isDomain } from './targets.ts'
import { commanded, isHit, isNumber, isReport, openAfterMust, QUIET } from './word-forms.ts'

const NONE: number[] = []
const NO_MACHINES: readonly Machine[] = []
const NOTHING: readonly never[] = []
const SPACE = 32
const NAMES = 16
const AMOUNT: Meaning = { mask: BIT.AMOUNT, cues: 0 }
const LONG_AGO = -1e6
const COLONS = 8
const DOERS = '会可被能以来者我他她它们将'
const HITS_IN_A_CLAUSE = 64
const WORDS_IN_A_CLAUSE = 200

export function eachClause(text: string, take: (clause: Clause) => void): Sights {
  loadLexicon()
  return new ClauseScanner(text, take).run()
}

class ClauseScanner {
  readonly #text: string
  /** The same as numbers, followed by zeros, so that looking ahead needs no check. */
  readonly #codes: Uint16Array
  readonly #take: (clause: Clause) => void
  #hits: Hit[] = []
  #mask = 0
  #cues = 0
  /** Tenths of a word: whole numbers are counted faster, and a character of Chinese is about half a word. */
  #tenths = 0
  #start = 0
  #open: 0 | 1 | 2 = 2
  #acted = false
  #active = false
  #quoted = false
  /** In a quotation that was announced: all of its sentences are. */
  #cited = false
  #subject = false
  /** Up to which word an opener like 请 or 把 makes a verb a request, and how certainly. */
  #carry = 0
  #carried: 1 | 2 = 1
  #colons = NONE
  #machines = NO_MACHINES
  #reads = NONE
  readonly #sights = new Sights()
  /** The position of the last "to" or "for". */
  #toward = LONG_AGO

  constructor(text: string, take: (clause: Clause) => void) {
    this.#text = text
    this.#codes = codesOf(text)
    this.#take = take
  }

  run(): Sights {
    const codes = this.#codes
    const size = this.#text.length
    for (let i = this.#pastCode(0); i < size; ) {
      const code = codes[i] ?? 0
      if (code === SPACE) i++
      else if (code > 0x7f) i = this.#letters(i, code)
      else i = (KIND[code] ?? 0) >= DIGIT ? this.#word(i) : this.#sign(i, code)
    }
    this.#cut(size)
    return this.#sights
  }

  #pastCode(from: number): number {
    const next = pastCode(this.#text, this.#codes, from)
    if (next > from) this.#cut(next)
    return next
  }

  #word(start: number): number {
    const codes = this.#codes
    let end = start
    let hash = 0
    for (let code = codes[end] ?? 0; KIND[code] === LETTER; code = codes[++end] ?? 0) hash = hashOn(hash, code)
    // Most words are letters and a space.
    if (codes[end] === SPACE && end - start > 1) return this.#meant(wordAt(codes, start, end, hash), start, end)
    let digits = 0
    let dotted = false
    let apostrophe = false
    let jointed = false
    for (; ; end++) {
      const code = codes[end] ?? 0
      const kind = KIND[code] ?? 0
      if (kind === LETTER) {
        hash = hashOn(hash, code)
        continue
      }
      if (kind < JOINED) {
        if (kind !== JOINER || (KIND[codes[end + 1] ?? 0] ?? 0) < JOINED) break
        if (code === 46) dotted = true
        else if (code === 39) apostrophe = true
      }
      if (kind === DIGIT) digits++
      else if (code === 45 || code === 95) jointed = true
      hash = hashOn(hash, code)
    }
    if (digits === 0 && (end - start === 1 || (dotted && codes[start + 1] === 46))) this.#sights.seeLetters(start, end)
    const next = codes[end] ?? 0
    if (next === 64 && (KIND[codes[end + 1] ?? 0] ?? 0) >= JOINED) return this.#address(start, end, BIT.MAIL)
    if (next === 58 && this.#codes[end + 1] === 47 && this.#codes[end + 2] === 47)
      return this.#address(start, end, BIT.LINK)
    if (dotted && isDomain(this.#text, start, end)) {
      return this.#address(start, end, BIT.LINK)
    }
    let known = wordAt(codes, start, end, hash)
    if (known === undefined && (jointed || apostrophe || digits > 0)) {
      const text = this.#text.slice(start, end)
      if (jointed) {
        this.#sights.seeName(text, start)
        known = compound(text)
      }
      known ??= apostrophe ? elided(text) : digits > 0 ? disguised(text, digits) : undefined
    }
    return this.#meant(known, start, end)
  }

  #meant(listed: Word | undefined, start: number, end: number): number {
    const last = this.#codes[end - 1]
    const known =
      listed === undefined && this.#machines !== NO_MACHINES && (last === 115 || last === 103)
        ? doing(this.#text.slice(start, end))
        : listed
    if (known === undefined) this.#unknown(start, end)
    else if (known.phrases !== undefined) return this.#phrase(known, start, end)
    else this.#plain(known, start, end)
    return end
  }

  #phrase(known: Word, start: number, end: number): number {
    const next = pastGap(this.#codes, end)
    const first = this.#codes[next] ?? 0
    const phrases = next === end || (known.firsts & bitOf(first)) === 0 ? NOTHING : known.phrases?.get(first)
    for (const phrase of phrases ?? NOTHING) {
      if (phrase.second !== 0 && phrase.second !== this.#codes[next + 1]) continue
      const stop = follow(this.#text, this.#codes, { from: end, rest: phrase.rest })
      if (stop < 0) continue
      this.#name(phrase, start, stop)
      this.#tenths += 10 * phrase.rest.length
      if (isHit(phrase)) this.#hit(phrase, start, stop)
      else this.#subject = false
      return stop
    }
    this.#plain(known, start, end)
    return end
  }

  #plain(known: Word, start: number, end: number): void {
    if ((known.cues & CUE.toward) !== 0) this.#toward = this.#tenths + 10
    this.#name(known, start, end)
    // The object of "forget" follows the verb: before it, "that" and "it" mean nothing.
    const idle = known.mask === BIT.TEXT && known.cues === 0 && (this.#mask & BIT.VOID) === 0
    if (idle) this.#unknown(start, end)
    else if (known.mask !== 0 || (known.cues & ~QUIET) !== 0) this.#hit(known, start, end)
    else {
      this.#unknown(start, end)
      this.#subject = (known.cues & CUE.subject) !== 0
    }
  }

  #address(start: number, from: number, mask: number): number {
    const end = addressEnd(this.#text, start, from)
    // The target of a Markdown link is for readers to follow, not to send something to.
    const linked = mask === BIT.LINK && start > 0 && '(<='.includes(this.#text.charAt(start - 1))
    this.#hit({ mask: linked ? 0 : mask, cues: 0 }, start, end)
    return end
  }

  #letters(start: number, code: number): number {
    const found = isSpelled(code) && isSpelled(this.#codes[start - 1] ?? 0) ? NOTHING : stemsOf(code)
    const next = this.#codes[start + 1] ?? 0
    for (const stem of found) {
      if (stem.second !== 0 && stem.second !== next) continue
      if (!this.#text.startsWith(stem.text, start)) continue
      if (stem.whole && isLetter(this.#codes[start + stem.text.length] ?? 0)) continue
      const end = start + stem.text.length
      // 会请用户批准: what is done, not asked for.
      const done = (stem.mask & BIT.PLEASE) !== 0 && '会将'.includes(this.#text.charAt(start - 1) || '-')
      if (done) break
      this.#name(stem, start, end)
      if ((stem.cues & CUE.toward) !== 0) this.#toward = this.#tenths
      if (isHit(stem)) {
        this.#carryOn(stem, code)
        this.#hit(stem, start, end)
      } else {
        this.#tenths += 5 * stem.text.length
        this.#open = 0
      }
      return end
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
    const codes = this.#codes
    const next = codes[i + 1] ?? 0
    switch (code) {
      case 10:
        this.#cut(i)
        this.#quoted = false
        return this.#pastCode(i + 1)
      case 46: // .
      case 33: // !
      case 63: // ?
      case 59: // ;
        if (code === 46 && isWordCode(next)) return this.#word(i) // .env
        this.#cut(i + 1, code === 63)
        return i + 1
      case 92: // \n and \" of a JSON string, \-\- of a manual page
        if (next === 45 && codes[i + 2] === 92 && codes[i + 3] === 45) return this.#option(i + 4)
        if (next === 110 || next === 114 || (next === 34 && codes[i + 2] !== 32 && codes[i - 1] !== 32)) {
          this.#cut(i)
          return i + 2
        }
        return next === 34 ? i + 2 : i + 1 // "a \\"word\\" in a JSON string"
      case 34: // "
      case 39: // '
        if (isJsonQuote(this.#text, i)) {
          this.#cut(i)
          this.#quoted = false
        } else if (code === 34) {
          this.#quoted = !this.#quoted
          this.#cited =
            this.#quoted &&
            ((this.#cues & (CUE.report | CUE.topic)) !== 0 || isHan(codes[codes[i - 1] === 58 ? i - 2 : i - 1] ?? 0))
          if (this.#cited) this.#cues |= CUE.report
          if (this.#quoted) this.#open = 2
        }
        return i + 1
      case 124: // | < >
      case 60:
      case 62:
        this.#cut(i)
        return i + 1
      case 47: // /send: part of a path
        if (isWordCode(next)) this.#open = 0
        return i + 1
      case 58: // :
        if (this.#colons === NONE) this.#colons = [this.#tenths / 10]
        else if (this.#colons.length < COLONS) this.#colons.push(this.#tenths / 10)
        this.#open = 2
        return i + 1
      case 93: // ]
        this.#open = 2
        return i + 1
      case 45: // --force: the name of an option, not a verb
        return next === 45 && isWordCode(codes[i + 2] ?? 0) ? this.#option(i + 2) : i + 1
      case 40: // (, but not that of a call
        if (this.#open === 0 && !isWordCode(codes[i - 1] ?? 0)) this.#open = 1
        return i + 1
      case 44: // ,
        if (this.#open === 0) this.#open = 1
        return i + 1
      case 36: // $
        if (isDigit(next)) this.#hit(AMOUNT, i, i + 1)
        return i + 1
    }
    return i + 1
  }

  #option(start: number): number {
    const codes = this.#codes
    let end = start
    while (isWordCode(codes[end] ?? 0) || codes[end] === 45 || (codes[end] === 92 && codes[end + 1] === 45)) end++
    this.#unknown(end, end)
    return end
  }

  #unknown(start: number, end: number): void {
    const codes = this.#codes
    this.#tenths += 10
    const digits = isDigit(codes[start] ?? 0)
    if (isNumber(this.#text, codes, start, end)) {
      this.#hit(AMOUNT, start, end)
      return
    }
    // "Pull the list", "must silently send": an order of any word, an adverb before one.
    if (this.#open > 0 && !this.#acted && !digits && isOpening(this.#text, start, end)) this.#acted = true
    const adverb = end - start > 4 && codes[end - 1] === 121 && codes[end - 2] === 108
    if (!digits && !adverb) this.#open = 0
    this.#subject = false
  }

  #name({ mask, cues }: Meaning, start: number, end: number): void {
    const helper = (mask & BIT.AI) !== 0
    if (!helper && (cues & (CUE.device | CUE.reads)) === 0) return
    const word = this.#tenths / 10
    if ((cues & CUE.reads) !== 0 && this.#reads.length < NAMES) this.#reads = [...this.#reads, word]
    if ((!helper && (cues & CUE.device) === 0) || this.#machines.length >= NAMES) return
    const next = this.#codes[end] ?? 0
    const near = this.#tenths - this.#toward <= (helper ? 40 : 20)
    const free = (this.#codes[start] ?? 0) > 0x7f
    const before = this.#machines.at(-1)
    const machine = machineAt(cues, { word, start, end, next, helper, near, before, quoted: this.#quoted, free })
    this.#machines = [...this.#machines, machine]
  }

  #hit(meaning: Meaning, start: number, end: number): void {
    const { mask, cues } = meaning
    if (this.#hits.length >= HITS_IN_A_CLAUSE || this.#tenths >= 10 * WORDS_IN_A_CLAUSE) this.#cut(start)
    let imperative: 0 | 1 | 2 = 0
    const free = (this.#codes[start] ?? 0) > 0x7f
    if ((mask & VERB) !== 0) {
      imperative = this.#carry > this.#tenths && this.#open < this.#carried ? this.#carried : this.#open
      if (free && isReport(this.#text, end)) imperative = 0
      else if (free && imperative < 2) imperative = commanded(this.#text, end, imperative)
      if (imperative > 0) this.#acted = true
      if (free || imperative > 0 || (cues & CUE.late) === 0) this.#active = true
      if (!free) this.#toward = LONG_AGO
    }
    const named = (mask & BIT.AI) !== 0 && this.#tenths - this.#toward <= 40
    this.#hits.push({
      mask,
      cues: named ? cues | CUE.toward : cues,
      word: this.#tenths / 10,
      start,
      end,
      imperative,
      reported: this.#subject || ((this.#codes[start - 1] ?? 0) > 0x7f && DOERS.includes(this.#text.charAt(start - 1))),
      quoted: this.#quoted,
      next: this.#codes[end] ?? 0,
      free,
    })
    this.#mask |= mask
    this.#cues |= cues & ~CUE.late
    this.#tenths += 10
    this.#subject = (cues & CUE.subject) !== 0
    if ((mask & BIT.PLEASE) !== 0) {
      this.#open = 2
      this.#acted = true
    } else if ((mask & BIT.MUST) !== 0)
      this.#open = openAfterMust(this.#mask, this.#codes[start] ?? 0, this.#tenths <= 10)
    else if ((mask & (BIT.FILLER | BIT.NOT | BIT.URGENT)) !== 0) {
      if (this.#open === 0 && this.#acted) this.#open = 1
    } else if ((mask & VERB) !== 0 || (mask & (BIT.AI | BIT.NEW)) === 0) this.#open = 0
  }

  #cut(end: number, question = false): void {
    if (this.#hits.length > 0 || this.#reads !== NONE) {
      const asked = (this.#mask & (this.#active ? VERB : ASKED)) !== 0
      if (asked || this.#cues !== 0 || this.#machines !== NO_MACHINES)
        this.#take({
          text: this.#text,
          start: this.#start,
          end,
          hits: this.#hits,
          mask: this.#mask,
          cues: this.#cues,
          question,
          colons: this.#colons,
          machines: this.#machines,
          reads: this.#reads,
        })
      this.#hits = []
    }
    this.#start = end
    this.#mask = 0
    this.#cues = this.#quoted && this.#cited ? CUE.report : 0
    this.#tenths = 0
    this.#open = 2
    this.#acted = false
    this.#active = false
    this.#subject = false
    this.#carry = 0
    this.#colons = NONE
    this.#machines = NO_MACHINES
    this.#reads = NONE
    this.#toward = LONG_AGO
  }
}

/** S0 §4.1: what a task is about, by its words alone. Pure, and linear in a bounded part of the text. */
import { CONTINUE, TAKES_BACK } from '../language/requests.ts'
import type { EarlierTurns } from '../protocol/event.ts'
import type { TaskIntent, TaskIntentLabel } from '../protocol/intent.ts'
import { readSentences, type Sentence } from './clauses.ts'
import { makesProgram, NOW } from './phrases/browser.ts'
import { type Cue, MASK_NAMES } from './phrases/words.ts'
import { CUES } from './phrases.ts'

interface CueMatch {
  intent: keyof typeof CUES
  weak: boolean
  what: string
  /** An explicit "now use the browser". */
  explicit: boolean
}

export function detectHeuristicIntent(task: string): TaskIntent {
  const sentences = readSentences(task)
  const perSentence = sentences.flatMap(matchesIn)
  const matches = perSentence.length > 0 || sentences.length < 2 ? perSentence : matchesAcross(sentences)
  const strong = matches.filter((one) => !one.weak)
  const candidates = strong.length > 0 ? strong : matches
  const winner = choose(candidates)
  if (winner === undefined) return intent('general', 0.6, 'no cue matched')

  const others = new Set(candidates.filter((one) => one.intent !== winner).map((one) => one.intent))
  const cues = [...new Set(candidates.filter((one) => one.intent === winner).map((one) => one.what))]
  const outranked = others.size === 0 ? '' : `; outranks ${[...others].join(', ')}`
  const confidence = strong.length === 0 ? 0.55 : others.size === 0 ? 0.9 : 0.7
  return intent(winner, confidence, `${cues.slice(0, 3).join(', ')}${outranked}`)
}

/** An answer to our question, or "go on", keeps the intent of the last turn. */
export function detectInConversation(task: string, last: EarlierTurns['last']): TaskIntent {
  return last !== undefined && isContinuation(task, last)
    ? { ...last.intent, source: 'heuristic', reason: 'continues the last turn' }
    : detectHeuristicIntent(task)
}

/**
 * True of "go on" and the like, and of an answer to our question: the answer tells how the task is done ("it is in
 * notes.txt"), not what the task is.
 */
export function isContinuation(task: string, last: EarlierTurns['last']): boolean {
  if (last === undefined) return false
  const text = task.trim().toLowerCase()
  if (last.stopReason === 'clarification') return !TAKES_BACK.test(text)
  return task.length <= 40 && CONTINUE.test(text)
}

function choose(matches: readonly CueMatch[]): keyof typeof CUES | undefined {
  if (matches.some((one) => one.explicit)) return 'browser_access'
  return (Object.keys(CUES) as (keyof typeof CUES)[]).find((label) => matches.some((one) => one.intent === label))
}

function intent(label: TaskIntentLabel, confidence: number, reason: string): TaskIntent {
  return { label, confidence, source: 'heuristic', reason }
}

function matchesIn(sentence: Sentence): CueMatch[] {
  const matches = cuesIn(sentence)
  if (sentence.requests.length < 2 || matches.some((one) => !one.weak)) return matches
  // The verb and its object may be in two clauses: "take every log, and move them".
  const whole = weakened(cuesIn(asOneClause([sentence])))
  const all = [...matches, ...whole.filter((one) => one.intent !== 'browser_access')]
  return all.length > 0 ? all : whole
}

/** Or in two sentences: "The image is too big. Slim it down." That is common only for programs and files. */
function matchesAcross(sentences: readonly Sentence[]): CueMatch[] {
  const whole = weakened(cuesIn(asOneClause(sentences)))
  return whole.filter((one) => one.intent === 'code_edit' || one.intent === 'filesystem_ops')
}

function asOneClause(sentences: readonly Sentence[]): Sentence {
  const requests = sentences.flatMap((sentence) => sentence.requests).join(' ')
  return { text: requests, requests: [requests], withQuestions: [], withNegated: [] }
}

function weakened(matches: readonly CueMatch[]): CueMatch[] {
  return matches.map((one) => ({ ...one, weak: true }))
}

function cuesIn(sentence: Sentence): CueMatch[] {
  return Object.entries(CUES).flatMap(([label, cues]) =>
    cues.flatMap((cue) =>
      clausesFor(cue, sentence).flatMap((clause): CueMatch[] => {
        const what = match(cue, clause)
        if (what === undefined || !fits(cue, sentence)) return []
        const intent = label as keyof typeof CUES
        if (intent === 'browser_access' && describesProgram(sentence, clause)) return []
        return [
          {
            intent,
            weak: cue.weak ?? false,
            what,
            explicit: intent === 'browser_access' && !cue.weak && isNow(sentence.text, clause),
          },
        ]
      }),
    ),
  )
}

function clausesFor(cue: Cue, sentence: Sentence): string[] {
  const clauses = sentence[cue.scope ?? 'requests']
  return cue.across ? [clauses.join(' ')] : clauses
}

function fits({ beside = [], without = [] }: Cue, { requests }: Sentence): boolean {
  const isRequested = (pattern: RegExp) => requests.some((clause) => pattern.test(clause))
  return beside.every(isRequested) && !without.some(isRequested)
}

/** "Write a script that opens the page" and "write a script, open the page in it, …": no page is opened now. */
function describesProgram(sentence: Sentence, clause: string): boolean {
  const at = sentence.requests.indexOf(clause)
  const before = sentence.requests.slice(0, Math.max(0, at))
  return makesProgram(clause) || (before.some(makesProgram) && !isNow(sentence.text, clause))
}

/** "Now" may be in the clause, or be the connective just before it. */
function isNow(sentence: string, clause: string): boolean {
  return NOW.test(clause) || NOW.test(sentence.slice(0, Math.max(0, sentence.indexOf(clause))).slice(-12))
}

/** The cue's name and the words that matched. */
function match(cue: Cue, clause: string): string | undefined {
  const words: string[] = []
  for (const pattern of cue.all) {
    const found = pattern.exec(clause)?.[0]
    if (found === undefined) return undefined
    words.push(found.trim().replace(/[\ue001-\ue006]/g, (mask) => MASK_NAMES[mask] ?? mask))
  }
  if (cue.none?.some((pattern) => pattern.test(clause))) return undefined
  return `${cue.name} (${words.join(' + ')})`
}

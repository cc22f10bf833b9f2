/** S0 §4.1: what a task is about, heard from its words alone. Pure, and linear in a bounded part of the text. */
import type { EarlierTurns } from '../protocol/event.ts'
import type { TaskIntent, TaskIntentLabel } from '../protocol/intent.ts'
import { readSentences, type Sentence } from './clauses.ts'
import { makesProgram, NOW } from './phrases/browser.ts'
import { GO_ON, TAKES_BACK } from './phrases/grammar.ts'
import { type Cue, MASK_NAMES } from './phrases/words.ts'
import { CUES } from './phrases.ts'

type Heard = { intent: keyof typeof CUES; weak: boolean; what: string; explicit: boolean }

export function detectHeuristicIntent(task: string): TaskIntent {
  const sentences = readSentences(task)
  const each = sentences.flatMap(listen)
  const heard = each.length > 0 || sentences.length < 2 ? each : listenAcross(sentences)
  const strong = heard.filter((one) => !one.weak)
  const candidates = strong.length > 0 ? strong : heard
  const winner = choose(candidates)
  if (winner === undefined) return intent('general', 0.6, 'no cue was heard')

  const others = new Set(candidates.filter((one) => one.intent !== winner).map((one) => one.intent))
  const cues = [...new Set(candidates.filter((one) => one.intent === winner).map((one) => one.what))]
  const outranked = others.size === 0 ? '' : `; outranks ${[...others].join(', ')}`
  const confidence = strong.length === 0 ? 0.55 : others.size === 0 ? 0.9 : 0.7
  return intent(winner, confidence, `${cues.slice(0, 3).join(', ')}${outranked}`)
}

/** An answer to our question, or "go on", is about what the last turn was about. */
export function detectInConversation(task: string, last: EarlierTurns['last']): TaskIntent {
  return last !== undefined && isContinuation(task, last)
    ? { ...last.intent, source: 'heuristic', reason: 'continues the last turn' }
    : detectHeuristicIntent(task)
}

/**
 * True of "go on" and the like, which say nothing by themselves, and of an answer to our question: its words say how
 * the task is done ("it is in notes.txt"), not what the task is.
 */
export function isContinuation(task: string, last: EarlierTurns['last']): boolean {
  if (last === undefined) return false
  const said = task.trim().toLowerCase()
  if (last.stopReason === 'clarification') return !TAKES_BACK.test(said)
  return task.length <= 40 && GO_ON.test(said)
}

function choose(heard: readonly Heard[]): keyof typeof CUES | undefined {
  if (heard.some((one) => one.explicit)) return 'browser_access'
  return (Object.keys(CUES) as (keyof typeof CUES)[]).find((label) => heard.some((one) => one.intent === label))
}

function intent(label: TaskIntentLabel, confidence: number, reason: string): TaskIntent {
  return { label, confidence, source: 'heuristic', reason }
}

function listen(sentence: Sentence): Heard[] {
  const heard = cuesIn(sentence)
  if (sentence.said.length < 2 || heard.some((one) => !one.weak)) return heard
  // The verb and its object may stand in two clauses: "take every log, and move them".
  const whole = faint(cuesIn(asOneClause([sentence])))
  const others = [...heard, ...whole.filter((one) => one.intent !== 'browser_access')]
  return others.length > 0 ? others : whole
}

/** Or in two sentences: "The image is too big. Slim it down." Only of programs and files do people speak like this. */
function listenAcross(sentences: readonly Sentence[]): Heard[] {
  const whole = faint(cuesIn(asOneClause(sentences)))
  return whole.filter((one) => one.intent === 'code_edit' || one.intent === 'filesystem_ops')
}

function asOneClause(sentences: readonly Sentence[]): Sentence {
  const said = sentences.flatMap((sentence) => sentence.said).join(' ')
  return { text: said, said: [said], asked: [], any: [] }
}

function faint(heard: readonly Heard[]): Heard[] {
  return heard.map((one) => ({ ...one, weak: true }))
}

function cuesIn(sentence: Sentence): Heard[] {
  return Object.entries(CUES).flatMap(([label, cues]) =>
    cues.flatMap((cue) =>
      clausesFor(cue, sentence).flatMap((clause): Heard[] => {
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
  const clauses = sentence[cue.scope ?? 'said']
  return cue.across ? [clauses.join(' ')] : clauses
}

function fits({ beside = [], without = [] }: Cue, { said }: Sentence): boolean {
  const isSaid = (pattern: RegExp) => said.some((clause) => pattern.test(clause))
  return beside.every(isSaid) && !without.some(isSaid)
}

/** "Write a script that opens the page" and "write a script, open the page in it, …": no page is to be opened now. */
function describesProgram(sentence: Sentence, clause: string): boolean {
  const at = sentence.said.indexOf(clause)
  const until = sentence.said.slice(0, Math.max(0, at))
  return makesProgram(clause) || (until.some(makesProgram) && !isNow(sentence.text, clause))
}

/** "Now" may stand in the clause, or be the connective just before it. */
function isNow(sentence: string, clause: string): boolean {
  return NOW.test(clause) || NOW.test(sentence.slice(0, Math.max(0, sentence.indexOf(clause))).slice(-12))
}

/** The cue's name and the words it was heard in, or undefined. */
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

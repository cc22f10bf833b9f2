/** What the reader should say, to whom, and what not. */
import type { Clause, Hit } from './clause.ts'
import { BIT, CUE, TARGET } from './concept.ts'
import { type Add, ENDS, negated } from './order.ts'
import { SECRECY_REPORTED, WEIGHT } from './weights.ts'

export function silences(clause: Clause, add: Add): void {
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
export function shapes(clause: Clause, lead: Hit, add: Add): void {
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
export function steersReplies({ text, mask, cues, hits }: Clause, add: Add): void {
  if ((mask & BIT.LINK) === 0 || (mask & (BIT.MUST | BIT.PLEASE)) === 0 || (cues & CUE.human) !== 0) return
  const reply = hits.find((hit) => (hit.mask & BIT.REPLY) !== 0 && !RETURNED.test(text.slice(hit.start, hit.end)))
  const shaped = hits.find((hit) => hit !== reply && (hit.mask & (BIT.SHAPE | BIT.CHANGE)) !== 0)
  if (reply !== undefined && shaped !== undefined) add('shape-reply', WEIGHT.shapeReply, reply)
}

/** "The summary must mention, as a fact, …" */
const MADE_HERE =
  /^(?:summar|translation|zusammenfassung|resume|resumen|riassunto|resumo|samenvatting|摘要|总结|译文|要約|요약)/

/** "All further answers must end with the link …" */
export function bindsReplies({ text, mask, hits }: Clause, add: Add): void {
  if ((mask & BIT.MUST) === 0) return
  const made = hits.find(
    (hit) =>
      (hit.mask & BIT.REPLY) !== 0 && MADE_HERE.test(text.slice(hit.start, hit.end).replace(/^(?:any|every|the) /, '')),
  )
  const must =
    made && hits.find((hit) => (hit.mask & BIT.MUST) !== 0 && hit.word > made.word && hit.word - made.word <= 3)
  const says =
    must &&
    hits.find((hit) => (hit.mask & (BIT.SHAPE | BIT.TELL)) !== 0 && hit.word > must.word && hit.word - must.word <= 2.5)
  if (says !== undefined) add('shape-reply', WEIGHT.shapeReply, says)
  if ((mask & (BIT.ALL | BIT.NEW)) === 0 || (mask & TARGET) === 0) return
  const reply = hits.find((hit) => (hit.mask & BIT.REPLY) !== 0)
  if (reply !== undefined) add('shape-reply', WEIGHT.shapeReply, reply)
}

/** A task, not a rule, a question or a purchase. */
const TASK =
  /^(?:task|instruct|assign|objective|mission|auftrag|aufgabe|anweis|tarea|tache|consigne|compito|istruz|tarefa|instruc|taak|opdracht|zadani|polecen|задач|задан|указан|инструк|gorev|talimat|任务|指令|タスク|指示|작업|지시|مهم|تعليم|कार्य|निर्देश|nhiem vu|chi dan|tugas|instruksi|perintah)/

/** "Your task has changed: …" */
export function reassigns({ text, hits }: Clause, add: Add): void {
  const task = hits.find((hit, i) => {
    // In some languages "your" follows.
    const owned = [hits[i - 1], hits[i + 1]].some(
      (your) => your !== undefined && (your.mask & BIT.YOUR) !== 0 && Math.abs(hit.word - your.word) <= 2.5,
    )
    return owned && (hit.mask & BIT.ORDERS) !== 0 && TASK.test(text.slice(hit.start, hit.end))
  })
  const fresh =
    task && hits.find(({ mask, word }) => (mask & BIT.NEW) !== 0 && word > task.word && word - task.word <= 4)
  if (fresh !== undefined) add('new-orders', WEIGHT.reassigned, fresh)
}

/** "Any summary is also mailed to …": what the reader makes of the text goes to an address. */
export function sendsOut({ mask, cues, hits }: Clause, add: Add): void {
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

/** "Answer the user by saying …" */
const ANSWERS = /^(?:answer|reply|respond)$/
const IN_WORDS = /^ (?:by (?:saying|stating|telling)|that|with)\b/

/** "Tell the user that …": the text puts words into the reader's mouth. */
export function speaksThrough(clause: Clause, add: Add): void {
  const { hits, mask } = clause
  for (const [i, hit] of hits.entries()) {
    const answers = ANSWERS.test(clause.text.slice(hit.start, hit.end))
    if (((hit.mask & BIT.TELL) === 0 && !answers) || hit.reported || negated(clause, i)) continue
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
    if (answers && !IN_WORDS.test(clause.text.slice(user.end, user.end + 14))) continue
    const says = last || SAYS.test(clause.text.slice(user.end, user.end + 8))
    add('speaks-through', WEIGHT.speaksThrough[!says ? 'vague' : grave ? 'grave' : 'plain'], hit)
    return
  }
}

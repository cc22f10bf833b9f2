/** Who speaks, what the user is not to know, and a task that has changed. */
import type { Clause, Hit } from './clause.ts'
import { BIT, CUE } from './concept.ts'
import { type Add, negated } from './order.ts'
import { SECRECY_REPORTED, WEIGHT } from './weights.ts'

const COLON = 58

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

/** "System: …" */
export function opens({ hits: [first] }: Clause, add: Add): void {
  const speaks = first !== undefined && (first.cues & CUE.speaker) !== 0 && first.word === 0
  if (speaks && first.next === COLON)
    add((first.mask & BIT.USER) !== 0 ? 'user-line' : 'role-line', WEIGHT.roleLine, first)
}

/**
 * Approvals given while no agent was waiting. The call was refused with its question left open; once a person has said
 * yes, the same call of the same session runs once.
 */
import { fingerprint } from '../base/hash.ts'
import type { Event } from '../protocol/event.ts'
import type { Question } from '../protocol/verdict.ts'

/** Who approved it, by the call. */
export type Grants = Map<string, { by: string }>

/** The preview names the folder, which the arguments need not. */
export function grantKey({ tool, args, preview, targets }: Question): string {
  return fingerprint([tool, args, preview, targets])
}

export interface Earlier {
  /** Yes-answers to parked questions, without those that were used. */
  grants: Grants
  /** Parked questions without an answer, by the call: the run that asked. */
  open: Map<string, string>
}

/** From the events of a session's earlier runs. */
export function earlierAnswers(events: readonly Event[]): Earlier {
  const grants: Grants = new Map()
  const open = new Map<string, string>()
  const asked = new Map<string, { key: string; isParked: boolean }>()
  for (const { type, data, runId } of events) {
    if (type === 'confirm.asked') {
      const key = grantKey(data.question)
      asked.set(`${runId} ${data.question.callId}`, { key, isParked: false })
    } else if (type === 'run.parked') {
      const question = asked.get(`${runId} ${data.callId}`)
      if (question === undefined) continue
      question.isParked = true
      open.set(question.key, runId)
    } else if (type === 'run.stopped') {
      for (const [key, asker] of open) if (asker === runId) open.delete(key)
    } else if (type === 'confirm.answered') {
      const question = asked.get(`${runId} ${data.callId}`)
      if (question === undefined) continue
      open.delete(question.key)
      if (question.isParked && data.answer !== 'n') grants.set(question.key, { by: data.by })
      else grants.delete(question.key)
    }
  }
  return { grants, open }
}

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

/** Yes-answers to parked questions of a session's earlier runs, without those that were used. */
export function grantsIn(events: readonly Event[]): Grants {
  const grants: Grants = new Map()
  const asked = new Map<string, { key: string; isParked: boolean }>()
  for (const { type, data, runId } of events) {
    if (type === 'confirm.asked') {
      const key = grantKey(data.question)
      asked.set(`${runId} ${data.question.callId}`, { key, isParked: false })
    } else if (type === 'run.parked') {
      const question = asked.get(`${runId} ${data.callId}`)
      if (question !== undefined) question.isParked = true
    } else if (type === 'confirm.answered') {
      const question = asked.get(`${runId} ${data.callId}`)
      if (question === undefined) continue
      if (question.isParked && data.answer !== 'n') grants.set(question.key, { by: data.by })
      else grants.delete(question.key)
    }
  }
  return grants
}

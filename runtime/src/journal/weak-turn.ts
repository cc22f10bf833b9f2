/** Whether a turn ended weakly (S4 §4): a tool kept failing, or the reply says it is uncertain. */
import type { StopReason } from '../protocol/stop.ts'

const LOW_CONFIDENCE = 0.5

/** The model's own confidence: "confidence: 0.4", "置信度：40%". */
const STATED = /(?:\bconfidence\b|置信度|把握)[^\d\n]{0,12}?(\d+(?:\.\d+)?) *(%)?/iu

const HEDGES =
  /\b(?:i(?:['’]m| am) not (?:sure|certain)|not entirely sure|i (?:do not|don['’]t) know|cannot (?:confirm|verify)|can['’]t (?:confirm|verify)|unable to (?:confirm|verify|find)|could(?: not|n['’]t) (?:confirm|verify|find)|i might be wrong)\b|不确定|不太确定|无法确认|无法核实|没有把握|不能确定|可能有误|不清楚|我不知道/iu

export interface TurnEnd {
  reply: string
  stopReason: StopReason
  /** The last allowed call failed. Denied calls say nothing about the answer. */
  toolFailed: boolean
}

export function isWeakTurn({ reply, stopReason, toolFailed }: TurnEnd): boolean {
  if (stopReason === 'tool_error' || toolFailed) return true
  const stated = STATED.exec(reply)
  if (stated !== null) {
    const value = Number(stated[1]) / (stated[2] === '%' ? 100 : 1)
    if (value < LOW_CONFIDENCE) return true
  }
  return HEDGES.test(reply)
}

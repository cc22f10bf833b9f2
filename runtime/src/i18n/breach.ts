/** Why a journal does not verify, in words. */
import type { Lang } from '../base/lang.ts'

interface FaultValues {
  eventOrder: { expected: number; found: number }
  eventHash: object
  eventAdded: { event: number; type: string }
  eventNotSealed: { event: number }
  eventsWithoutRun: object
  runNotListed: object
  runOtherSession: object
  runRowDiffers: { fields: readonly string[] }
  runUnsealed: object
  runReappeared: object
  runGone: { event: number }
  runShortened: { event: number; end: number }
  runEmpty: object
  runMisdated: object
  runEndNotListed: object
  runUnreadable: { why: Record<Lang, string> }
  sealMissing: object
  sealOrder: { expected: number; found: number }
  sealHash: { seal: number }
  entryUnsealed: object
  entryReappeared: object
  entryChanged: object
  entryGone: object
  headMissing: { head: string }
}

export type BreachFault = { [Code in keyof FaultValues]: { code: Code } & FaultValues[Code] }[keyof FaultValues]

type Texts = { [Code in keyof FaultValues]: (values: FaultValues[Code]) => string }

const TEXTS: Record<Lang, Texts> = {
  en: {
    eventOrder: (p) => `expected event ${p.expected}, found ${p.found}`,
    eventHash: () => 'the event does not match its hash',
    eventAdded: (p) => `event ${p.event} (${p.type}) was added after the run was sealed`,
    eventNotSealed: (p) => `event ${p.event} is not the one that was sealed`,
    eventsWithoutRun: () => 'the events belong to no run of this store',
    runNotListed: () => 'the run is not in the list of runs',
    runOtherSession: () => 'the run is listed under another session',
    runRowDiffers: (p) => `the list of runs disagrees with the events: ${p.fields.join(', ')}`,
    runUnsealed: () => 'the run has ended, but its seal is missing',
    runReappeared: () => 'the run was deleted but exists again',
    runGone: (p) => `the run was sealed at event ${p.event} and is gone; there is no tombstone for it`,
    runShortened: (p) => `the run was sealed at event ${p.event} but ends at ${p.end}`,
    runEmpty: () => 'the run has no events left',
    runMisdated: () => 'the list of runs has an earlier end than the seal',
    runEndNotListed: () => 'the list of runs does not record the end of the run',
    runUnreadable: (p) => p.why.en,
    sealMissing: () => 'the run has no seal',
    sealOrder: (p) => `expected seal ${p.expected}, found ${p.found}`,
    sealHash: (p) => `seal ${p.seal} does not match its hash`,
    entryUnsealed: () => 'the entry was not written by Writ: it has no seal',
    entryReappeared: () => 'the entry was deleted but exists again',
    entryChanged: () => 'the entry is not the one that was sealed',
    entryGone: () => 'the entry is gone; there is no tombstone for it',
    headMissing: (p) => `the chain does not contain the head ${p.head}: it was truncated or rewritten`,
  },
  zh: {
    eventOrder: (p) => `应为事件 ${p.expected}，实际为 ${p.found}`,
    eventHash: () => '事件与其哈希不符',
    eventAdded: (p) => `事件 ${p.event}（${p.type}）是在运行封存之后添加的`,
    eventNotSealed: (p) => `事件 ${p.event} 不是当初封存的事件`,
    eventsWithoutRun: () => '这些事件不属于此存储中的任何运行',
    runNotListed: () => '运行不在运行列表中',
    runOtherSession: () => '运行被列在另一个会话下',
    runRowDiffers: (p) => `运行列表与事件不一致：${p.fields.join('、')}`,
    runUnsealed: () => '运行已结束，但缺少封印',
    runReappeared: () => '运行已被删除，却又出现',
    runGone: (p) => `运行在事件 ${p.event} 处封存后消失，且没有墓碑`,
    runShortened: (p) => `运行在事件 ${p.event} 处封存，但现在止于 ${p.end}`,
    runEmpty: () => '运行没有任何事件',
    runMisdated: () => '运行列表中的结束时间早于封印',
    runEndNotListed: () => '运行列表没有记录该运行的结束',
    runUnreadable: (p) => p.why.zh,
    sealMissing: () => '运行没有封印',
    sealOrder: (p) => `应为封印 ${p.expected}，实际为 ${p.found}`,
    sealHash: (p) => `封印 ${p.seal} 与其哈希不符`,
    entryUnsealed: () => '该条目不是 Writ 写入的：没有对应的封印',
    entryReappeared: () => '该条目已被删除，却又出现',
    entryChanged: () => '该条目不是当初封存的条目',
    entryGone: () => '该条目已消失，且没有墓碑',
    headMissing: (p) => `链中没有链头 ${p.head}：链被截断或重写`,
  },
}

export function breachText(fault: BreachFault, lang: Lang): string {
  const text = TEXTS[lang][fault.code] as (values: BreachFault) => string
  return text(fault)
}

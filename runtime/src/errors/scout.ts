/** Errors of scouts. */
import { entry } from './entry.ts'

export const SCOUT_ERRORS = {
  SCOUT_STATE: entry<{ from: string; to: string }>({
    en: ({ from, to }) => [
      `a scout cannot change from ${from} to ${to}`,
      'This is a defect in Writ; please report it.',
    ],
    zh: ({ from, to }) => [`侦察员不能从 ${from} 变为 ${to}`, '这是 Writ 的缺陷，请报告。'],
  }),
  SCOUT_ENTRY_FORBIDDEN: entry<{ tool: string }>({
    en: ({ tool }) => [
      `scouts are sent only by a call of ${tool} that passed the gate, and once per call`,
      `Let the model call ${tool}.`,
    ],
    zh: ({ tool }) => [`侦察员只能由通过闸门的 ${tool} 调用派出，且每次调用只派一次`, `请让模型调用 ${tool}。`],
  }),
}

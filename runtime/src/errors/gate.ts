/** Errors of the gate and writs. */
import { entry } from './entry.ts'

export const GATE_ERRORS = {
  WRIT_SPENT: entry<{ proposal: string }>({
    exit: 1,
    en: ({ proposal }) => [
      `the writ for ${proposal} was already used`,
      'Propose the call again; a writ allows one execution.',
    ],
    zh: ({ proposal }) => [`${proposal} 的令状已经使用过`, '请重新提出该调用；一张令状只能执行一次。'],
  }),
  WRIT_FORGED: entry({
    exit: 1,
    en: () => ['this is not a writ from the gate', 'Only a proposal that passed the gate can be executed.'],
    zh: () => ['这不是闸门签发的令状', '只有通过闸门的提议才能执行。'],
  }),
}

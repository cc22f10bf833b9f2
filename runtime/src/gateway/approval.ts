/** Asks the person at a client whether a call may run: the exact call, and a box to tick. */
import { inputResponse } from '@modelcontextprotocol/server'
import type { Lang } from '../base/lang.ts'
import { isCut } from '../protocol/preview.ts'
import type { Question } from '../protocol/verdict.ts'
import { visible } from '../protocol/visible-text.ts'
import type { PendingWork } from './pending.ts'
import { gatewayTexts } from './texts.ts'

export interface Side {
  forms: boolean
  ask: PendingWork['ask']
  lang: Lang
}

type Approval = 'y' | 'n' | 'later' | { answer: 'n'; refusal: { message: string; hint: string } }

/** Shows three lines of a form, as wide as its terminal, and how many are left out (Claude Code 2.1.328). */
const SHOWS_LITTLE = 'claude-code'
const [LINES, COLUMNS] = [3, 76]

/** No answer is not a no: the question then waits in the journal. */
export function approvalBy(
  { mayApprove, name }: { mayApprove: boolean; name(): string | undefined },
  { forms, ask, lang }: Side,
) {
  return async ({ tool, message, preview: whole }: Question): Promise<Approval> => {
    const short = shortened(visible(whole))
    const preview = short ?? whole
    // What is not shown whole is not approved here.
    if (!mayApprove || !forms || isCut(whole) || (name() === SHOWS_LITTLE && short === undefined)) return 'later'
    const texts = gatewayTexts(lang)
    const answer = await ask({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: visible(texts.approve({ tool, message, preview })),
        requestedSchema: {
          type: 'object',
          properties: {
            // The answer that clients preselect: without it, some take the first, and Enter would approve.
            approve: { type: 'boolean', title: texts.approveField, description: texts.approveHint, default: false },
          },
          required: ['approve'],
        },
      },
    })
    const view = inputResponse({ answer }, 'answer')
    if (view.kind !== 'elicit' || view.action === 'cancel') return 'later'
    // Not "the user said no": some clients decline by themselves.
    if (view.action === 'decline') return { answer: 'n', refusal: texts.declined }
    return view.action === 'accept' && view.content?.approve === true ? 'y' : 'n'
  }
}

/** The call on a few short lines, if it fits: JSON without its line breaks, which are never part of a value. */
function shortened(preview: string): string | undefined {
  const [head = '', ...rest] = preview.split('\n')
  const lines =
    rest[0] === '{' && rest.at(-1) === '}' ? [head, rest.map((line) => line.trim()).join(' ')] : [head, ...rest]
  const wrapped = lines.flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}`, 'gsu')) ?? [])
  const isShort = wrapped.length <= LINES && wrapped.every((line) => columnsOf(line) <= COLUMNS)
  return isShort ? wrapped.join('\n') : undefined
}

/** A sign that may be wide counts as wide. */
function columnsOf(line: string): number {
  return line.replace(/[^\x20-\x7e]/gu, '  ').length
}

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

/** No answer is not a no: the question then waits in the journal. */
export function approvalBy({ mayApprove }: { mayApprove: boolean }, { forms, ask, lang }: Side) {
  return async ({ tool, message, preview }: Question): Promise<Approval> => {
    // What is not shown whole is not approved here.
    if (!mayApprove || !forms || isCut(preview)) return 'later'
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

/** The message of the user that a run begins with. */
import { present } from '../base/present.ts'
import type { GivenContext } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'

/** What a file says is not the user's word: only the task itself is. */
export function taskMessage({ task, given = {} }: { task: string; given?: GivenContext }): Message {
  const { own, attachments = [], attachedText } = given
  if (attachments.length === 0) return { role: 'user', content: task, ...present({ own }) }
  const media = attachments.flatMap(({ file, isShown }) => (isShown ? [file] : []))
  return {
    role: 'user',
    content: [task, ...attachments.map(({ text }) => text)].join('\n\n'),
    own: own ?? task,
    attached: true,
    ...present({ media: media.length === 0 ? undefined : media, full: attachedText }),
  }
}

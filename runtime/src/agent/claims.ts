/** Answers that claim an action which no tool performed. Only plain claims count: a wrong notice would teach to ignore it. */
import { messages as texts } from '../i18n/locale.ts'
import type { RunState } from '../protocol/state.ts'

const DONE =
  'created|saved|written|wrote|deleted|removed|updated|modified|edited|renamed|moved|copied|sent|committed|pushed|installed|scheduled|changed|replaced|overwritten|overwrote|appended'
const DONE_IN_CHINESE = '创建|新建|写入|保存|删除|修改|编辑|更新|重命名|移动|复制|发送|提交|推送|安装'
const THING =
  'files?|folders?|director(?:y|ies)|e-?mails?|messages?|commits?|branch|pull request|issue|packages?|reminders?|events?|records?'
/** A name with an extension. */
const NAME = '[\\w./-]*\\w\\.[a-z][a-z0-9]{0,4}\\b'

const CLAIMS: readonly RegExp[] = [
  new RegExp(
    `^(?:(?:ok(?:ay)?|done|sure|great)[,.!]? )?I(?:'ve|’ve| have)? (?:now |just |successfully |also )*(?:${DONE})\\b.{0,60}(?:\\b(?:${THING})\\b|${NAME})`,
    'i',
  ),
  // Without a subject: “Edited a.txt.”, “a.txt updated.”
  new RegExp(
    `^(?:(?:ok(?:ay)?|done|sure|great)[,.!:]? )?(?:successfully )?(?:${DONE}) (?:(?:the|your) )?(?:(?:new )?file )?${NAME}`,
    'i',
  ),
  new RegExp(`^${NAME}:? (?:is |has been )?(?:now )?(?:successfully )?(?:${DONE})[.!]?$`, 'i'),
  new RegExp(
    `^(?:the|your|a) .{0,60}?(?:\\b(?:${THING})\\b|${NAME}).{0,60}? (?:has|have) (?:now |just )?been (?:successfully )?(?:${DONE})\\b`,
    'i',
  ),
  new RegExp(
    `^(?:好的?[，,。]?\\s?)?(?:我)?(?:已经?|成功)(?:成功)?(?:为[你您])?(?:将|把)?.{0,30}?(?:${DONE_IN_CHINESE}).{0,40}(?:文件|目录|文件夹|邮件|消息|分支|提醒|[\\w.-]*\\w\\.[a-z][a-z0-9]{0,4})`,
  ),
  new RegExp(
    `^.{0,40}(?:文件|目录|文件夹|邮件|消息|[\\w.-]*\\w\\.[a-z][a-z0-9]{0,4}).{0,20}已经?(?:成功)?(?:被)?(?:${DONE_IN_CHINESE})`,
  ),
]

/** Every claim has one of these words. Compiling the patterns takes longer than anything else about a first answer. */
const DEEDS = [...DONE.split('|'), ...DONE_IN_CHINESE.split('|')]

/** Explanations, plans, examples and what was done earlier or by others. */
const OTHERWISE =
  /\b(?:if|when|once|would|could|can|should|will|may|might|after|before|earlier|previously|last|by default|example|below|above|following|not|never|was|were|by)\b|n['’]t\b|\?|如果|若|当|可以|应该|会|将会|之前|此前|上次|昨天|默认|例如|示例|比如|以下|如下|上面|没有|未|不|吗|？|由/i

/** The notice for the user, or undefined. */
export function unprovenClaim(state: Readonly<RunState>, reply: string): string | undefined {
  if (state.changed === true || !isClaim(reply)) return undefined
  // The reply may be about an earlier turn.
  const task = state.messages.findLastIndex((message) => message.role === 'user' && message.by === undefined)
  if (state.messages.slice(0, Math.max(task, 0)).some(({ role }) => role === 'tool')) return undefined
  const { notice } = texts(state.lang)
  return state.toolCalls === 0 ? notice.claimWithoutCall : notice.claimWithoutChange
}

export function isClaim(reply: string): boolean {
  const lower = reply.replace(MARKS, '').toLowerCase()
  if (!DEEDS.some((deed) => lower.includes(deed))) return false
  return sentencesIn(reply).some(
    (sentence) => CLAIMS.some((claim) => claim.test(sentence)) && !OTHERWISE.test(sentence),
  )
}

const MARKS = /[*`_]/g
const LONGEST = 20_000

/** Without code blocks and quoted lines. */
function sentencesIn(reply: string): string[] {
  const prose = reply.slice(0, LONGEST).replace(/^[ \t]*```[\s\S]*?(?:^[ \t]*```|$(?![\s\S]))/gm, '')
  return prose
    .split(/\n+|(?<=[.!]) +|(?<=[。！；])/)
    .map((sentence) =>
      sentence
        .replace(/^[ \t]*(?:[-*•✓✅]|\d+[.)])?\s*/u, '')
        .replace(MARKS, '')
        .trim(),
    )
    .filter((sentence) => sentence !== '' && !/^[>"“'「]/.test(sentence))
}

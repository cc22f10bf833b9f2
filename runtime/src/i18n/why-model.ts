/** Why a model did not answer. `why` is the provider's own text, or one of these reasons. */
import { reason } from './why-entry.ts'

export const MODEL_REASONS = {
  provider: reason<{ provider: string; why: string }>(
    ({ provider, why }) => `${provider}: ${why}`,
    ({ provider, why }) => `${provider}：${why}`,
  ),
  httpStatus: reason<{ status: number; why: string }>(
    ({ status, why }) => `HTTP ${status}: ${why}`,
    ({ status, why }) => `HTTP ${status}：${why}`,
  ),
  noKeySent: reason<{ why: string; variables: string }>(
    ({ why, variables }) => `${why} (no key was sent: run \`writ setup\`, or set ${variables} in the environment)`,
    ({ why, variables }) => `${why}（没有发送密钥：请运行 \`writ setup\`，或在环境中设置 ${variables}）`,
  ),
  checkKey: reason<{ why: string; variables: string }>(
    ({ why, variables }) => `${why} (check the key in ${variables}, or the one stored by \`writ setup\`)`,
    ({ why, variables }) => `${why}（请检查 ${variables} 中的密钥，或 \`writ setup\` 保存的密钥）`,
  ),
  either: reason<{ first: string; second: string }>(
    ({ first, second }) => `${first} or ${second}`,
    ({ first, second }) => `${first} 或 ${second}`,
  ),
  waitTooLong: reason<{ why: string; seconds: number; most: number }>(
    ({ why, seconds, most }) => `${why} (the provider asks to wait ${seconds} s; the maximum is ${most} s)`,
    ({ why, seconds, most }) => `${why}（提供方要求等待 ${seconds} 秒，最多只等 ${most} 秒）`,
  ),
  stillTooLong: reason<{ why: string }>(
    ({ why }) =>
      `${why} (the task is too long for this model: shorten it, or put the text into a file and name the file)`,
    ({ why }) => `${why}（任务对此模型来说过长：请缩短任务，或把文字放进文件并写明文件名）`,
  ),
  mediaRefused: reason<{ why: string }>(
    ({ why }) =>
      `${why} (the prompt has pictures or PDF files; if the model cannot read them, say so in agent.modelInput)`,
    ({ why }) => `${why}（提示中有图片或 PDF 文件；如果模型不能读取，请在 agent.modelInput 中写明）`,
  ),
  noReason: reason(
    () => 'no reason given',
    () => '没有说明原因',
  ),
  cutOff: reason<{ why: string }>(
    ({ why }) => `the connection was cut in the middle of the answer: ${why}`,
    ({ why }) => `回答中途连接断开：${why}`,
  ),
  answerNotJson: reason(
    () => 'the answer is not valid JSON',
    () => '回答不是有效的 JSON',
  ),
  answerIsPage: reason(
    () => 'the answer is a web page',
    () => '返回的是网页',
  ),
  answerOtherJson: reason(
    () => 'the answer is JSON, but not of this API',
    () => '返回的是 JSON，但不属于此接口',
  ),
  wrongBaseURL: reason<{ why: string; url: string }>(
    ({ why, url }) => `${why} (the base URL ${url} is probably wrong; check agent.baseURL)`,
    ({ why, url }) => `${why}（基础地址 ${url} 可能有误，请检查 agent.baseURL）`,
  ),
  answerIncomplete: reason(
    () => 'the answer ended before it was complete',
    () => '回答没有完整返回',
  ),
  answerWithheld: reason<{ by: string }>(
    ({ by }) => `the provider withheld its answer (${by})`,
    ({ by }) => `提供方没有给出回答（${by}）`,
  ),
  noAnswerWithin: reason<{ ms: number }>(
    ({ ms }) => `the provider did not complete its answer within ${ms} ms (the limit is agent.limits.modelTotalMs)`,
    ({ ms }) => `提供方在 ${ms} 毫秒内没有完成回答（时限由 agent.limits.modelTotalMs 设置）`,
  ),
  providerSilent: reason<{ ms: number }>(
    ({ ms }) => `the provider sent nothing for ${ms} ms (the limit is agent.limits.modelIdleMs)`,
    ({ ms }) => `提供方连续 ${ms} 毫秒没有发送任何内容（时限由 agent.limits.modelIdleMs 设置）`,
  ),
  scriptEnded: reason<{ purpose: string }>(
    ({ purpose }) => `the script has no entry left for purpose "${purpose}"`,
    ({ purpose }) => `脚本中没有用于 "${purpose}" 的条目了`,
  ),
  scriptEndedBlank: reason<{ purpose: string }>(
    ({ purpose }) => `the script has no entry left for purpose "${purpose}", after an empty reply`,
    ({ purpose }) => `空回复之后，脚本中没有用于 "${purpose}" 的条目了`,
  ),
}

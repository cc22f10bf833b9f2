/** What a workflow's author is told about a node's input. */

import { WritError } from '../../errors/writ-error.ts'
import type { Lang } from '../../i18n/locale.ts'

interface NodeTexts {
  notJson(at: { why: string }): string
  notAList: string
  notAMessage: string
  unknownKey(at: { meant?: string }): string
  role(at: { roles: readonly string[] }): string
  notText: string
  noInput: string
  lastNotUser(at: { role: string }): string
  untrusted: string
  unknownTool(at: { tool: string; meant?: string }): string
  innerTool(at: { tool: string }): string
  disabledTool(at: { tool: string }): string
}

const en: NodeTexts = {
  notJson: ({ why }) => `this is not JSON (${why})`,
  notAList: 'expected a list of messages',
  notAMessage: 'expected a message: an object with role and content',
  unknownKey: ({ meant }) => (meant === undefined ? 'unknown key' : `unknown key; did you mean ${meant}?`),
  role: ({ roles }) => `expected one of ${roles.join(', ')}`,
  notText: 'expected a text',
  noInput: 'give messages_json, prompt or both: there is nothing to answer',
  lastNotUser: ({ role }) =>
    `messages_json: the last message is the ${role}'s; end with one of the user's, or give a prompt`,
  untrusted: 'what an external tool returned may go into messages_json and prompt only',
  unknownTool: ({ tool, meant }) =>
    `allowed_tools: unknown tool "${tool}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
  innerTool: ({ tool }) => `allowed_tools: "${tool}" cannot be used inside agent_core`,
  disabledTool: ({ tool }) => `allowed_tools: "${tool}" is switched off by agent.tools.disabled`,
}

const zh: NodeTexts = {
  notJson: ({ why }) => `不是 JSON（${why}）`,
  notAList: '应为消息列表',
  notAMessage: '应为一条消息：带有 role 和 content 的对象',
  unknownKey: ({ meant }) => (meant === undefined ? '未知的键' : `未知的键；是否想写 ${meant}？`),
  role: ({ roles }) => `应为 ${roles.join('、')} 之一`,
  notText: '应为文本',
  noInput: '请提供 messages_json、prompt 或两者：没有可以回答的内容',
  lastNotUser: ({ role }) => `messages_json：最后一条消息来自 ${role}；请以用户消息结尾，或提供 prompt`,
  untrusted: '外部工具返回的内容只能用于 messages_json 和 prompt',
  unknownTool: ({ tool, meant }) =>
    `allowed_tools：没有名为 "${tool}" 的工具${meant === undefined ? '' : `；是否想写 "${meant}"？`}`,
  innerTool: ({ tool }) => `allowed_tools："${tool}" 不能在 agent_core 内部使用`,
  disabledTool: ({ tool }) => `allowed_tools："${tool}" 已被 agent.tools.disabled 停用`,
}

/** Thrown before its reader is known. */
export function invalidInput(linesIn: (lang: Lang) => string[]): WritError {
  return new WritError('INVALID_INPUT', { problems: { en: linesIn('en'), zh: linesIn('zh') } })
}

export function nodeTexts(lang: Lang): NodeTexts {
  return lang === 'zh' ? zh : en
}

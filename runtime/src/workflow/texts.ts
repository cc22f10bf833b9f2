/** What a person is told about workflows. */

import { type Bilingual, inBothLanguages } from '../base/lang.ts'
import type { Lang } from '../i18n/locale.ts'

export interface WorkflowTexts {
  /** `why` are the parser's own words, in English; `code` is its name for the fault. */
  syntax(at: { line: number; column: number; why: string; code: string }): string
  notJson: string
  tooDeep: string
  tooCostly: string
  idTwice(at: { id: string }): string
  toolUnknown(at: { tool: string }): string
  toolDisabled(at: { tool: string }): string
  toolNoNode(at: { tool: string }): string
  nodeUnknown(at: { node: string }): string
  didYouMean(at: { name: string }): string
  cycle(at: { nodes: readonly string[] }): string
  noVariable(at: { text: string }): string
  condition(at: { column: number }): string
  externalMissing(at: { name: string }): string
  envNotListed(at: { name: string }): string
  envUnset(at: { name: string }): string
  notBefore(at: { node: string; by: string }): string
  inputUnknown(at: { name: string }): string
  unresolved(at: { place: string; variable: string }): string
  notAWord(at: { place: string; variable: string }): string
  withheld(at: { tool: string }): string
  untrustedTarget(at: { target: string }): string
  needsPerson(at: { why: string }): string
  notRepeated(at: { message: string }): string
  internal(at: { message: string }): string
  skipped: { condition: string; branch: string; failure: string; aborted: string }
  summary(at: { done: number; failed: number; skipped: number }): string
}

const list = (names: readonly string[], mark: string) => names.join(mark)

const en: WorkflowTexts = {
  syntax: ({ line, column, why }) => `line ${line}, column ${column}: ${why}`,
  notJson: 'not representable as JSON',
  tooDeep: 'nested too deeply',
  tooCostly: 'takes too long to read: too many keys, brackets or aliases',
  idTwice: ({ id }) => `duplicate node id "${id}"`,
  toolUnknown: ({ tool }) => `unknown tool "${tool}"`,
  toolDisabled: ({ tool }) => `the tool "${tool}" is disabled (agent.tools.disabled)`,
  toolNoNode: ({ tool }) => `the tool "${tool}" belongs to an agent's own run and cannot be a node`,
  nodeUnknown: ({ node }) => `unknown node "${node}"`,
  didYouMean: ({ name }) => `; did you mean "${name}"?`,
  cycle: ({ nodes }) => `these nodes wait for each other: ${list(nodes, ' → ')}`,
  noVariable: ({ text }) =>
    `${text} is not a variable: write {{external.…}}, {{env.…}}, {{nodes.<id>.output}}, {{nodes.<id>.outputs.…}}, {{nodes.<id>.error}} or {{nodes.<id>.state}}`,
  condition: ({ column }) => `invalid condition at column ${column}`,
  externalMissing: ({ name }) => `{{external.${name}}} was not given`,
  envNotListed: ({ name }) => `{{env.${name}}} is not available to workflows; add its name to agent.workflow.env`,
  envUnset: ({ name }) => `{{env.${name}}} is not set`,
  notBefore: ({ node, by }) => `"${node}" does not run before "${by}": no path of edges leads from it`,
  inputUnknown: ({ name }) => `nothing uses the input "${name}"`,
  unresolved: ({ place, variable }) => `${place}: {{${variable}}} has no value`,
  notAWord: ({ place, variable }) =>
    `${place}: the value of {{${variable}}} would be more than one word of this command: it may not name the program, begin with "-" or change the line`,
  withheld: ({ tool }) => `prompt injection in the result of ${tool}; withheld`,
  untrustedTarget: ({ target }) =>
    `${target} was named only by another node's output; to allow it, list its domain in allowed_domains of this node, or its host in agent.security.allowedHosts`,
  needsPerson: ({ why }) => `this needs approval each time, and a workflow cannot ask: ${why}`,
  notRepeated: ({ message }) => `${message} (not retried: a second call might act twice)`,
  internal: ({ message }) => `internal error: ${message}`,
  skipped: {
    condition: 'its condition is false',
    branch: 'no active edge leads to it',
    failure: 'an earlier node failed',
    aborted: 'cancelled before it started',
  },
  summary: ({ done, failed, skipped }) => `${done} done, ${failed} failed, ${skipped} skipped`,
}

const SYNTAX_ZH: Readonly<Record<string, string>> = {
  BAD_INDENT: '缩进有误',
  DUPLICATE_KEY: '键重复',
  MISSING_CHAR: '缺少括号、引号或其他字符',
  MULTILINE_IMPLICIT_KEY: '键必须写在一行内',
  TAB_AS_INDENT: '不能用制表符缩进',
  UNEXPECTED_TOKEN: '此处有多余的内容',
  RESOURCE_EXHAUSTION: '嵌套过深',
}

const zh: WorkflowTexts = {
  syntax: ({ line, column, code }) => `第 ${line} 行第 ${column} 列：${SYNTAX_ZH[code] ?? '不是有效的 YAML'}`,
  notJson: '这个值无法用 JSON 表示',
  tooDeep: '嵌套过深',
  tooCostly: '读取耗时过长：键、括号或别名过多',
  idTwice: ({ id }) => `节点“${id}”重复`,
  toolUnknown: ({ tool }) => `没有名为“${tool}”的工具`,
  toolDisabled: ({ tool }) => `工具“${tool}”已停用（agent.tools.disabled）`,
  toolNoNode: ({ tool }) => `工具“${tool}”只属于智能体自身的运行，不能作为节点`,
  nodeUnknown: ({ node }) => `没有节点“${node}”`,
  didYouMean: ({ name }) => `；是否想写“${name}”？`,
  cycle: ({ nodes }) => `这些节点互相等待：${list(nodes, ' → ')}`,
  noVariable: ({ text }) =>
    `${text} 不是变量：可写 {{external.…}}、{{env.…}}、{{nodes.<id>.output}}、{{nodes.<id>.outputs.…}}、{{nodes.<id>.error}} 或 {{nodes.<id>.state}}`,
  condition: ({ column }) => `条件无效：无法理解第 ${column} 列`,
  externalMissing: ({ name }) => `没有给出 {{external.${name}}}`,
  envNotListed: ({ name }) => `{{env.${name}}} 未向工作流开放；请把名称写进 agent.workflow.env`,
  envUnset: ({ name }) => `{{env.${name}}} 没有设置`,
  notBefore: ({ node, by }) => `“${node}”不在“${by}”之前：没有从它通向“${by}”的连线`,
  inputUnknown: ({ name }) => `没有任何地方使用输入“${name}”`,
  unresolved: ({ place, variable }) => `${place}：{{${variable}}} 处没有值`,
  notAWord: ({ place, variable }) =>
    `${place}：{{${variable}}} 的值在这条命令中必须是单个词：不能作为程序名，不能以“-”开头，也不能改变命令行的结构`,
  withheld: ({ tool }) => `${tool} 的结果中有提示注入，已扣留`,
  untrustedTarget: ({ target }) =>
    `${target} 只在其他节点返回的内容中出现过；如要允许，请在本节点的 allowed_domains 中列出其域名，或在 agent.security.allowedHosts 中列出其主机`,
  needsPerson: ({ why }) => `每次都需要审批，而工作流无法询问：${why}`,
  notRepeated: ({ message }) => `${message}（未重试：再次调用可能重复执行）`,
  internal: ({ message }) => `Writ 内部出错：${message}`,
  skipped: {
    condition: '条件不成立',
    branch: '本次没有连线通向它',
    failure: '之前的节点失败了',
    aborted: '开始之前已取消',
  },
  summary: ({ done, failed, skipped }) => `完成 ${done}，失败 ${failed}，跳过 ${skipped}`,
}

/** A problem is found before its reader is known. */
export function problemText(write: (texts: WorkflowTexts) => string): Bilingual {
  return inBothLanguages((lang) => write(workflowTexts(lang)))
}

export function workflowTexts(lang: Lang): WorkflowTexts {
  return lang === 'zh' ? zh : en
}

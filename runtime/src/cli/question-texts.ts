/** Texts of the choices beyond y, n and a. */
import type { Lang } from '../base/lang.ts'

interface QuestionTexts {
  unknownAnswer(p: { answer: string }): string
  edited: string
  more(choices: { offer: string | undefined; edit: boolean }): string
  rules: string
  whichRule(p: { count: number }): string
  whichScope: string
  newText: string
  setEditor: string
  unchanged: string
  notJson: string
  remembered: Record<'session' | 'workspace' | 'always', (p: { rule: string }) => string>
  notStored(p: { why: string }): string
  changed(p: { tool: string }): string
  sessionRules: string
  storedRules: string
  everywhere: string
  forgotten(p: { id: string }): string
  noRules: string
  serverAsks(p: { server: string }): string
  serverUnchecked: string
  answerServer: string
  doesNotFit: string
}

const TEXTS: Record<Lang, QuestionTexts> = {
  en: {
    unknownAnswer: ({ answer }) => `"${answer}" is not one of the answers. To say no and why: n REASON`,
    edited: 'Changed by you. This is the new call:',
    more: ({ offer, edit }) =>
      [
        ...(offer === undefined ? [] : [`r: remember a rule (${offer}, or wider)`]),
        ...(edit ? ['e: edit first'] : []),
        'n REASON: no, and tell the model why',
      ].join(' · '),
    rules: 'Allow from now on:',
    whichRule: ({ count }) => `Rule [1-${count}, Enter to go back]`,
    whichScope: 'Where? s: this session · w: this workspace · a: every workspace [Enter to go back]',
    newText: 'Change it:',
    setEditor: 'This text has several lines. Set EDITOR to edit it.',
    unchanged: 'Nothing was changed.',
    notJson: 'This is not a JSON object. Nothing was changed.',
    remembered: {
      session: ({ rule }) => `Allowed for the rest of this session: ${rule}`,
      workspace: ({ rule }) => `Allowed in this workspace from now on: ${rule}`,
      always: ({ rule }) => `Allowed in every workspace from now on: ${rule}`,
    },
    notStored: ({ why }) => `The rule could not be stored (${why}). It holds for this session.`,
    changed: ({ tool }) => `${tool} was changed by the user and is judged again.`,
    sessionRules: 'Rules of this session:',
    storedRules: 'Remembered rules:',
    everywhere: 'every workspace',
    forgotten: ({ id }) => `Rule ${id} was revoked.`,
    noRules: 'No remembered rules.',
    serverAsks: ({ server }) => `The MCP server ${server} asks:`,
    serverUnchecked: 'Writ has not checked whether this is true. Enter no passwords, tokens or card numbers.',
    answerServer: 'Answer it? [y/N]',
    doesNotFit: 'This does not fit. An empty line leaves it out.',
  },
  zh: {
    unknownAnswer: ({ answer }) => `“${answer}”不是可选的回答。要拒绝并说明原因，请输入：n 理由`,
    edited: '你已修改。新的调用是：',
    more: ({ offer, edit }) =>
      [
        ...(offer === undefined ? [] : [`r：记住一条规则（${offer}，或更宽）`]),
        ...(edit ? ['e：先修改'] : []),
        'n 理由：不允许，并告诉模型原因',
      ].join(' · '),
    rules: '今后允许：',
    whichRule: ({ count }) => `规则 [1-${count}，回车返回]`,
    whichScope: '范围？s：本会话 · w：本工作区 · a：所有工作区 [回车返回]',
    newText: '修改为：',
    setEditor: '这段文字有多行，请设置 EDITOR 后再修改。',
    unchanged: '没有改动。',
    notJson: '这不是 JSON 对象，没有改动。',
    remembered: {
      session: ({ rule }) => `本会话内一直允许：${rule}`,
      workspace: ({ rule }) => `今后在本工作区允许：${rule}`,
      always: ({ rule }) => `今后在所有工作区允许：${rule}`,
    },
    notStored: ({ why }) => `规则无法保存（${why}），仅在本会话有效。`,
    changed: ({ tool }) => `用户修改了 ${tool}，将重新判定。`,
    sessionRules: '本会话的规则：',
    storedRules: '已记住的规则：',
    everywhere: '所有工作区',
    forgotten: ({ id }) => `规则 ${id} 已撤销。`,
    noRules: '没有已记住的规则。',
    serverAsks: ({ server }) => `MCP 服务器 ${server} 提问：`,
    serverUnchecked: 'Writ 未核实其内容。请勿填写密码、令牌或卡号。',
    answerServer: '要回答吗？[y/N]',
    doesNotFit: '格式不符。留空可跳过。',
  },
}

export function questionTexts(lang: Lang): QuestionTexts {
  return TEXTS[lang]
}

/** Texts of `writ setup`. */
import type { Lang } from '../i18n/locale.ts'

const SHOWN = 8

function shortList(names: readonly string[]): string {
  return `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ', …' : ''}`
}

const en = {
  title: 'Which model should Writ use?',
  local: (p: { models: readonly string[] }) => `on this machine: ${p.models.slice(0, 3).join(', ')}`,
  other: 'another server with OpenAI’s API',
  rules: 'the built-in rules: no model, a few simple requests',
  choose: (p: { most: number }) => `Number (1-${p.most}): `,
  address: 'Address of the server, such as http://127.0.0.1:8000/v1: ',
  name: (p: { offer: string | undefined }) => (p.offer === undefined ? 'Model: ' : `Model (Enter: ${p.offer}): `),
  noNumber: (p: { most: number }) => `Type a number from 1 to ${p.most}; Enter ends without a change.`,
  noName: 'Type the name of a model; Ctrl-C ends without a change.',
  noKey: 'Type or paste the key; Ctrl-C ends without a change.',
  unlisted: (p: { model: string; models: readonly string[]; meant: string | undefined }) =>
    `The server does not list the model "${p.model}"; ${p.meant === undefined ? `it lists: ${shortList(p.models)}` : `did you mean "${p.meant}"?`}`,
  insist: 'Type the same name again to use it anyway.',
  unreached: (p: { why: string }) => `The model server could not be asked (${p.why}). Check that it runs.`,
  needsKey: 'The server asks for a key. Run `writ setup` again and give it one.',
  key: (p: { provider: string }) => `API key of ${p.provider} (not shown): `,
  keyOptional: (p: { provider: string }) => `API key of ${p.provider} (not shown; Enter: none): `,
  inEnvironment: (p: { variable: string }) => `${p.variable} is set in the environment and is used; no key was stored.`,
  wins: (p: { variable: string }) => `${p.variable} is set in the environment and is used instead of the stored key.`,
  accepted: 'The provider accepted the key.',
  unchecked: (p: { why: string }) => `The key could not be checked (${p.why}).`,
  keyStored: (p: { provider: string; file: string }) =>
    `Stored the key of ${p.provider} in ${p.file}, readable only by you.`,
  modelWritten: (p: { model: string; file: string }) => `Set agent.model to ${p.model} in ${p.file}.`,
  overridden: (p: { variable: string }) => `${p.variable} is set in the environment and takes precedence.`,
  next: 'Try it: writ run "list the files here"',
}

type SetupTexts = typeof en

const zh: SetupTexts = {
  title: '要使用哪个模型？',
  local: ({ models }) => `本机：${models.slice(0, 3).join('、')}`,
  other: '其他兼容 OpenAI API 的服务器',
  rules: '内置规则：没有模型，只能处理少量简单请求',
  choose: ({ most }) => `编号（1-${most}）：`,
  address: '服务器地址，例如 http://127.0.0.1:8000/v1：',
  name: ({ offer }) => (offer === undefined ? '模型：' : `模型（按回车使用 ${offer}）：`),
  noNumber: ({ most }) => `请输入 1 到 ${most} 的编号；按回车结束，不做更改。`,
  noName: '请输入模型名称；按 Ctrl-C 结束，不做更改。',
  noKey: '请输入或粘贴密钥；按 Ctrl-C 结束，不做更改。',
  unlisted: ({ model, models, meant }) =>
    `服务器没有列出模型“${model}”；${meant === undefined ? `列出的有：${shortList(models)}` : `是否想用“${meant}”？`}`,
  insist: '再次输入同一名称即可照用。',
  unreached: ({ why }) => `无法询问模型服务器（${why}）。请确认它正在运行。`,
  needsKey: '服务器要求密钥。请重新运行 `writ setup` 并提供密钥。',
  key: ({ provider }) => `${provider} 的 API 密钥（不显示）：`,
  keyOptional: ({ provider }) => `${provider} 的 API 密钥（不显示；没有则直接按回车）：`,
  inEnvironment: ({ variable }) => `环境变量 ${variable} 已设置并将被使用，未保存密钥。`,
  wins: ({ variable }) => `环境变量 ${variable} 已设置，将代替保存的密钥。`,
  accepted: '提供方已接受该密钥。',
  unchecked: ({ why }) => `无法检查该密钥（${why}）。`,
  keyStored: ({ provider, file }) => `已将 ${provider} 的密钥保存到 ${file}，只有你可以读取。`,
  modelWritten: ({ model, file }) => `已在 ${file} 中将 agent.model 设为 ${model}。`,
  overridden: ({ variable }) => `环境变量 ${variable} 已设置，优先于该文件。`,
  next: '试一试：writ run "列出这里的文件"',
}

export function setupTexts(lang: Lang): SetupTexts {
  return lang === 'zh' ? zh : en
}

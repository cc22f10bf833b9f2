/** Texts of `writ setup`. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  title: 'Which model should Writ use?',
  local: (p: { models: readonly string[] }) => `on this machine: ${p.models.slice(0, 3).join(', ')}`,
  other: 'another server with OpenAI’s API',
  rules: 'the built-in rules: no model, a few simple requests',
  choose: (p: { most: number }) => `Number (1-${p.most}): `,
  address: 'Address of the server, such as http://127.0.0.1:8000/v1: ',
  name: (p: { offer: string | undefined }) => (p.offer === undefined ? 'Model: ' : `Model (Enter: ${p.offer}): `),
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

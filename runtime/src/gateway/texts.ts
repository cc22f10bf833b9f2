/** Texts of the gateway: their readers are people at a client, and its model. */
import type { Lang } from '../base/lang.ts'

const en = {
  denied: (p: { message: string; hint: string }) => `Denied by Writ: ${p.message}${p.hint === '' ? '' : `. ${p.hint}`}`,
  parked: (p: { message: string; run: string; data: string }) =>
    `Denied by Writ until a person approves: ${p.message}\nA person approves it with \`writ resume ${p.run} --data ${p.data}\`, or in the console: \`writ serve --data ${p.data}\`. Then make the same call again.`,
  failed: (p: { why: string }) => `Writ could not judge this call (${p.why}), so it is denied.`,
  tooMany: (p: { most: number }) =>
    `Denied by Writ: ${p.most} calls of this client are running. Make the call again when one of them has ended.`,
  withheld: (p: { what: string }) => `[withheld by Writ: prompt injection in ${p.what}]`,
  // Clients cut long forms at the end: what would run comes first.
  approve: (p: { tool: string; message: string; preview: string }) =>
    `${p.preview}\n\nExactly this would run. Writ asks for your approval of ${p.tool}: ${p.message}`,
  approveField: 'Run this call once',
  approveHint: 'Nothing runs without a yes. Text in the call may have been written by others.',
  declined: {
    message: 'the client declined the approval',
    hint: 'Some clients decline by themselves where no person is present. A rule can allow this call.',
  },
  fromServer: (p: { server: string; message: string }) =>
    `The MCP server ${p.server} asks (Writ has not checked whether this is true; enter no secrets):\n${p.message}`,
  unknownTool: (p: { tool: string }) => `Unknown tool: ${p.tool}`,
  unknownPrompt: (p: { prompt: string }) => `Unknown prompt: ${p.prompt}`,
  unknownResource: (p: { uri: string }) => `Unknown resource: ${p.uri}. List the resources first.`,
  taken: (p: { name: string; server: string }) => `${p.name} is left out: ${p.server} has listed it already`,
  settingsChanged: (p: { files: readonly string[] }) =>
    `The settings have changed while the gateway runs: ${p.files.join(', ')}. What is stricter in them holds now, what is looser after the next start of the gateway. If it was not you, look at them.`,
  tightened:
    'The settings have changed while the gateway runs: what is looser in them holds after its next start (connect the client again).',
  lateAnswer: 'This answer comes too late, or belongs to no question. Make the call again.',
  serverFailed: (p: { server: string; message: string }) => `MCP server ${p.server}: ${p.message}`,
}

export type GatewayTexts = typeof en

const zh: GatewayTexts = {
  denied: ({ message, hint }) => `Writ 已拒绝：${message}${hint === '' ? '' : `。${hint}`}`,
  parked: ({ message, run, data }) =>
    `Writ 已拒绝，需由人批准：${message}\n请由人用 \`writ resume ${run} --data ${data}\` 批准，或在控制台中批准：\`writ serve --data ${data}\`。然后重新发起同一调用。`,
  failed: ({ why }) => `Writ 无法判断此调用（${why}），因此已拒绝。`,
  tooMany: ({ most }) => `Writ 已拒绝：此客户端有 ${most} 个调用正在进行。请在其中一个结束后重新发起。`,
  withheld: ({ what }) => `[已被 Writ 扣留：${what} 中有提示注入]`,
  approve: ({ tool, message, preview }) => `${preview}\n\n以上就是将要执行的内容。Writ 请求你批准 ${tool}：${message}`,
  approveField: '执行这一次调用',
  approveHint: '未经同意不会执行。调用中的文字可能出自他人。',
  declined: { message: '客户端拒绝了批准', hint: '没有人在场时，有些客户端会自行拒绝。可以用规则允许此调用。' },
  fromServer: ({ server, message }) =>
    `MCP 服务器 ${server} 提问（Writ 未核实其内容；请勿填写任何密钥或密码）：\n${message}`,
  unknownTool: ({ tool }) => `未知工具：${tool}`,
  unknownPrompt: ({ prompt }) => `未知提示词：${prompt}`,
  unknownResource: ({ uri }) => `未知资源：${uri}。请先列出资源。`,
  taken: ({ name, server }) => `${name} 已略去：${server} 已先列出`,
  settingsChanged: ({ files }) =>
    `网关运行期间，设置发生了改动：${files.join('、')}。更严的部分现在生效，更宽的部分在网关下次启动后生效。如果不是你改的，请检查。`,
  tightened: '网关运行期间，设置发生了改动：更宽的部分在它下次启动后生效（请重新连接客户端）。',
  lateAnswer: '这个回答来得太晚，或不属于任何问题。请重新发起调用。',
  serverFailed: ({ server, message }) => `MCP 服务器 ${server}：${message}`,
}

export function gatewayTexts(lang: Lang): GatewayTexts {
  return lang === 'zh' ? zh : en
}

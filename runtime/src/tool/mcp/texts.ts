/** Texts about MCP servers and their tools. */
import type { Lang } from '../../i18n/locale.ts'
import type { Flaw } from './definition.ts'

interface McpTexts {
  problem(at: { server: string; message: string; hint: string }): string
  leftOut(at: { server: string; n: number }): string
  withheld(at: { server: string; tool: string; flaw: Flaw }): string
  changed(at: { server: string; tool: string }): string
  isNew(at: { server: string; tool: string }): string
  gone(at: { server: string; tool: string }): string
  notThere(at: { server: string; tool: string }): string
  /** How to accept a change permanently. */
  accept(at: { file: string | undefined }): string
}

const FLAWS_EN: Record<Flaw, string> = {
  'too-large': 'its definition is too large',
  name: 'its name contains line breaks or invisible characters',
  schema: 'its arguments cannot be checked',
  inspection: 'its description contains prompt injection',
}

const en: McpTexts = {
  problem: ({ server, message, hint }) => `MCP server ${server}: ${message}. ${hint}`,
  leftOut: ({ server, n }) => `MCP server ${server} has too many tools; the last ${n} are left out.`,
  withheld: ({ server, tool, flaw }) =>
    `MCP server ${server}: the tool ${tool} is withheld, because ${FLAWS_EN[flaw]}.`,
  changed: ({ server, tool }) =>
    `MCP server ${server} has changed what it says about its tool ${tool} since you first used it; every call needs approval.`,
  isNew: ({ server, tool }) =>
    `MCP server ${server} has a new tool since you first used it: ${tool}; every call needs approval.`,
  gone: ({ server, tool }) => `MCP server ${server} no longer has the tool ${tool}.`,
  notThere: ({ server, tool }) => `agent.mcp.servers.${server} names the tool ${tool}, which the server does not have.`,
  accept: ({ file }) =>
    file === undefined ? '' : `To accept the tools of this server as they are now, delete ${file}.`,
}

const FLAWS_ZH: Record<Flaw, string> = {
  'too-large': '定义过大',
  name: '名称含有换行或不可见字符',
  schema: '参数无法校验',
  inspection: '描述含有提示注入',
}

const zh: McpTexts = {
  problem: ({ server, message, hint }) => `MCP 服务器 ${server}：${message}。${hint}`,
  leftOut: ({ server, n }) => `MCP 服务器 ${server} 的工具超过单个服务器的上限，末尾 ${n} 个未启用。`,
  withheld: ({ server, tool, flaw }) => `MCP 服务器 ${server}：工具 ${tool} 未启用，因为其${FLAWS_ZH[flaw]}。`,
  changed: ({ server, tool }) =>
    `MCP 服务器 ${server} 改动了工具 ${tool} 的说明，与首次使用时不同；每次调用都需要审批。`,
  isNew: ({ server, tool }) => `MCP 服务器 ${server} 在首次使用之后新增了工具 ${tool}；每次调用都需要审批。`,
  gone: ({ server, tool }) => `MCP 服务器 ${server} 已没有工具 ${tool}。`,
  notThere: ({ server, tool }) => `agent.mcp.servers.${server} 列出了工具 ${tool}，但服务器没有它。`,
  accept: ({ file }) => (file === undefined ? '' : `若要接受该服务器现在的工具，请删除 ${file}。`),
}

export function mcpTexts(lang: Lang): McpTexts {
  return lang === 'zh' ? zh : en
}

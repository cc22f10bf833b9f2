/** Texts of `writ mcp`. */
import type { Lang } from '../i18n/locale.ts'

interface McpTexts {
  none: string
  columns: Record<'server' | 'state' | 'tools' | 'at', string>
  on: string
  off: string
  neverContacted: string
  works: string
  fails: string
  tools(p: { n: number }): string
  connecting(p: { servers: readonly string[] }): string
  serving(p: { url: string }): string
  signIn(p: { server: string }): string
  signedInPage: string
  signedIn(p: { server: string; file: string }): string
  noSignIn(p: { server: string }): string
  noToken(p: { data: string }): string
}

const en: McpTexts = {
  none: 'No MCP servers are configured. See agent.mcp.servers.',
  columns: { server: 'server', state: 'state', tools: 'tools', at: 'program or address' },
  on: 'on',
  off: 'off',
  neverContacted: 'not contacted yet',
  works: 'ok',
  fails: 'failed',
  tools: ({ n }) => (n === 1 ? '1 tool' : `${n} tools`),
  signIn: ({ server }) => `Open this address in a browser to sign in to ${server} (cancel with Ctrl-C):`,
  signedInPage: 'Signed in. You can close this page and return to the terminal.',
  signedIn: ({ server, file }) => `Signed in to ${server}. The tokens are in ${file}, which no tool can read.`,
  noSignIn: ({ server }) => `${server} needs no sign-in.`,
  serving: ({ url }) => `MCP gateway: ${url} (stop with Ctrl-C)`,
  noToken: ({ data }) => `Every client needs a token: writ token add NAME --data ${data}`,
  connecting: ({ servers }) => `connecting to ${servers.join(', ')}`,
}

const zh: McpTexts = {
  none: '没有配置 MCP 服务器。见 agent.mcp.servers。',
  columns: { server: '服务器', state: '状态', tools: '工具', at: '程序或地址' },
  on: '启用',
  off: '停用',
  neverContacted: '尚未连接过',
  works: '正常',
  fails: '失败',
  tools: ({ n }) => `${n} 个工具`,
  signIn: ({ server }) => `请在浏览器中打开此地址以登录 ${server}（按 Ctrl-C 取消）：`,
  signedInPage: '已登录。可以关闭此页面，回到终端。',
  signedIn: ({ server, file }) => `已登录 ${server}。令牌保存在 ${file}，任何工具都无法读取。`,
  noSignIn: ({ server }) => `${server} 不需要登录。`,
  serving: ({ url }) => `MCP 网关：${url}（按 Ctrl-C 停止）`,
  noToken: ({ data }) => `每个客户端都需要令牌：writ token add NAME --data ${data}`,
  connecting: ({ servers }) => `正在连接 ${servers.join('、')}`,
}

export function mcpTexts(lang: Lang): McpTexts {
  return lang === 'zh' ? zh : en
}

/** Texts of the server and its tokens. Errors are in `errors/`. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  overCeiling: 'exceeds what the server was started with; settings can only be tightened here',
  noConsole:
    'The console is not built. Run `npm ci && npm run build -w writ-console` in the Writ source folder, then reload this page. The API works without it.',
  consoleBuilding: 'Building the console; this happens once.',
  consoleFailed: (p: { why: string }) =>
    `The console could not be built: ${p.why}\nRun \`npm ci && npm run build -w writ-console\` in the Writ source folder, then reload the page. The API works without it.`,
  docsFailed: (p: { why: string }) =>
    `The documentation under /docs could not be built: ${p.why}\nRun \`npm ci && npm run docs\` in the Writ source folder. Everything else works without it.`,
  v1Question: (p: { tool: string; preview: string; message: string }) =>
    `I need approval to do this.\n\n${p.message}\n\n${p.tool}:\n${p.preview}\n\nIt is waiting under Approvals on the Writ server. The run continues there once it is answered.`,
  samples: [
    { title: 'Look around', task: 'List the files here' },
    { title: 'Change something', task: 'Run the command: mkdir notes' },
    { title: 'Try to go too far', task: 'Read /etc/passwd' },
  ],
  listening: (p: { url: string }) => `Writ is listening on ${p.url}`,
  firstToken: (p: { token: string }) => `First start. Your access token, shown only once:\n\n  ${p.token}\n`,
  openConsole: (p: { url: string }) => `Open the console: ${p.url}`,
  tokenHint: 'Sign in with your token. Lost it? Create another with `writ token add NAME`.',
  network: (p: { host: string }) =>
    `!! Listening on ${p.host}: anyone who can reach this machine can send requests. Every request needs a token,\n!! but traffic is not encrypted: use a TLS proxy and add its name to agent.server.allowedHosts.`,
  waitingForRuns: (p: { runs: number }) => `Shutting down; waiting for ${p.runs} ${p.runs === 1 ? 'run' : 'runs'}…`,
  tokenAdded: (p: { name: string; scopes: string; principal: string }) =>
    `Token ${p.name} (${p.scopes}) for principal ${p.principal}, shown only once:`,
  tokenRotated: (p: { name: string; principal: string }) =>
    `New secret of token ${p.name} for principal ${p.principal}, shown only once. The old secret no longer works:`,
  tokenRevoked: (p: { name: string }) => `Token ${p.name} revoked.`,
  noTokens: 'No tokens yet. The first `writ serve` creates one.',
  tokenColumns: { name: 'name', principal: 'principal', scopes: 'scopes', created: 'created', used: 'last used' },
  never: 'never',
}

export type ServerTexts = typeof en

const zh: ServerTexts = {
  overCeiling: '超出服务器启动时的上限；在这里只能收紧设置',
  noConsole:
    '控制台尚未构建。请在 Writ 源代码目录中运行 `npm ci && npm run build -w writ-console`，然后刷新本页。没有控制台也可以使用 API。',
  consoleBuilding: '正在构建控制台，只需一次。',
  consoleFailed: ({ why }) =>
    `无法构建控制台：${why}\n请在 Writ 源代码目录中运行 \`npm ci && npm run build -w writ-console\`，然后刷新页面。没有控制台也可以使用 API。`,
  docsFailed: ({ why }) =>
    `无法构建 /docs 下的文档：${why}\n请在 Writ 源代码目录中运行 \`npm ci && npm run docs\`。不影响其他功能。`,
  v1Question: (p) =>
    `执行此操作需要审批。\n\n${p.message}\n\n${p.tool}：\n${p.preview}\n\n它正在 Writ 服务器的“审批”中等待；答复后，运行会在那里继续。`,
  samples: [
    { title: '查看文件', task: '列出这里的文件' },
    { title: '改动文件', task: '运行命令：mkdir notes' },
    { title: '尝试越界', task: '读取 /etc/passwd' },
  ],
  listening: (p) => `Writ 正在监听 ${p.url}`,
  firstToken: (p) => `首次启动。你的访问令牌只显示一次：\n\n  ${p.token}\n`,
  openConsole: (p) => `打开控制台：${p.url}`,
  tokenHint: '请用你的令牌登录。丢失了？可用 `writ token add NAME` 再创建一个。',
  network: (p) =>
    `!! 正在监听 ${p.host}：能访问这台机器的任何人都可以发送请求。每个请求都需要令牌，\n!! 但传输未加密：请使用 TLS 代理，并把它的名称加入 agent.server.allowedHosts。`,
  waitingForRuns: (p) => `正在关闭；等待 ${p.runs} 次运行结束…`,
  tokenAdded: (p) => `令牌 ${p.name}（${p.scopes}），主体为 ${p.principal}，只显示一次：`,
  tokenRotated: (p) => `令牌 ${p.name} 的新密钥，主体为 ${p.principal}，只显示一次。旧密钥已失效：`,
  tokenRevoked: (p) => `令牌 ${p.name} 已撤销。`,
  noTokens: '还没有令牌。首次运行 `writ serve` 时会创建一个。',
  tokenColumns: { name: '名称', principal: '主体', scopes: '权限', created: '创建时间', used: '最近使用' },
  never: '从未',
}

export function serverTexts(lang: Lang): ServerTexts {
  return lang === 'zh' ? zh : en
}

/** Errors of MCP servers. */
import { entry } from './entry.ts'

const UNKNOWN_EFFECT = 'It is unknown whether the call took effect. The next call starts the server again.'
const UNKNOWN_EFFECT_ZH = '无法确定调用是否已生效。下次调用会重新启动服务器。'

export const MCP_ERRORS = {
  MCP_UNKNOWN: entry<{ server: string; known: readonly string[] }>({
    exit: 2,
    en: ({ server, known }) => [
      `there is no MCP server "${server}"`,
      known.length === 0 ? 'Configure one in agent.mcp.servers.' : `Use one of: ${known.join(', ')}.`,
    ],
    zh: ({ server, known }) => [
      `没有名为 "${server}" 的 MCP 服务器`,
      known.length === 0 ? '请在 agent.mcp.servers 中配置。' : `可用的有：${known.join('、')}。`,
    ],
  }),
  SETTINGS_CHANGING: entry({
    en: () => [
      'the settings have changed while a call was running',
      'They hold as soon as the running calls have ended: make the call again then.',
    ],
    zh: () => ['有调用正在运行时设置发生了改动', '运行中的调用结束后新设置即生效：届时请重新发起调用。'],
  }),

  MCP_CLIENTS: entry<{ max: number }>({
    status: 429,
    retryable: true,
    en: ({ max }) => [`${max} clients have calls running here`, 'Try again when one of them has finished.'],
    zh: ({ max }) => [`已有 ${max} 个客户端的调用正在运行`, '请在其中之一结束后重试。'],
  }),
  MCP_CLOSED: entry<{ server: string }>({
    en: ({ server }) => [`MCP server ${server} was closed`, 'Start a new run.'],
    zh: ({ server }) => [`MCP 服务器 ${server} 已关闭`, '请开始新的运行。'],
  }),
  MCP_STALE: entry<{ server: string }>({
    retryable: true,
    en: ({ server }) => [`MCP server ${server} was restarted in the meantime`, 'Call it again.'],
    zh: ({ server }) => [`MCP 服务器 ${server} 在此期间已重启`, '请重新调用。'],
  }),
  MCP_NOT_STARTED: entry<{ server: string; why: string }>({
    en: ({ server, why }) => [why, `Correct agent.mcp.servers.${server}: its command or its folder does not exist.`],
    zh: ({ server, why }) => [why, `请更正 agent.mcp.servers.${server}：命令或目录不存在。`],
  }),
  MCP_UNAUTHORIZED: entry<{ server: string }>({
    en: ({ server }) => [
      'the server rejected the credentials',
      `Sign in with \`writ mcp login ${server}\`, or set them in agent.mcp.servers.${server}.headers.`,
    ],
    zh: ({ server }) => [
      '服务器拒绝了凭据',
      `请用 \`writ mcp login ${server}\` 登录，或在 agent.mcp.servers.${server}.headers 中设置。`,
    ],
  }),
  MCP_LOGIN: entry<{ server: string }>({
    en: ({ server }) => [
      `the sign-in to the MCP server ${server} is no longer valid`,
      `Sign in again with \`writ mcp login ${server}\`.`,
    ],
    zh: ({ server }) => [`MCP 服务器 ${server} 的登录已失效`, `请用 \`writ mcp login ${server}\` 重新登录。`],
  }),
  MCP_LOGIN_REFUSED: entry<{ server: string; why: string }>({
    exit: 1,
    en: ({ server, why }) => [
      why === 'access_denied'
        ? `access to the MCP server ${server} was not granted on the sign-in page`
        : `the sign-in page of the MCP server ${server} ended with ${why}`,
      `Run \`writ mcp login ${server}\` again.`,
    ],
    zh: ({ server, why }) => [
      why === 'access_denied'
        ? `登录页面没有授权访问 MCP 服务器 ${server}`
        : `MCP 服务器 ${server} 的登录页面返回了 ${why}`,
      `请重新运行 \`writ mcp login ${server}\`。`,
    ],
  }),
  MCP_LOGIN_FAILED: entry<{ server: string; why: string }>({
    en: ({ server, why }) => [
      `signing in to the MCP server ${server} failed (${why})`,
      'Try again, or ask its operator.',
    ],
    zh: ({ server, why }) => [`登录 MCP 服务器 ${server} 失败（${why}）`, '请重试，或询问其运营者。'],
  }),
  'MCP_LOGIN_FAILED.answer': entry<{ server: string; said: string }>({
    en: ({ server, said }) => [
      `the sign-in server of the MCP server ${server} rejected the sign-in (${said})`,
      'Try again, or ask its operator.',
    ],
    zh: ({ server, said }) => [`MCP 服务器 ${server} 的登录服务器拒绝了登录（${said}）`, '请重试，或询问其运营者。'],
  }),
  'MCP_LOGIN_FAILED.registration': entry<{ server: string }>({
    en: ({ server }) => [
      `the sign-in server of the MCP server ${server} does not let programs register themselves`,
      `Ask its operator for a token and set it in agent.mcp.servers.${server}.headers.`,
    ],
    zh: ({ server }) => [
      `MCP 服务器 ${server} 的登录服务器不允许程序自行注册`,
      `请向其运营者索取令牌，并设置在 agent.mcp.servers.${server}.headers 中。`,
    ],
  }),
  'MCP_LOGIN_FAILED.kind': entry<{ server: string }>({
    en: ({ server }) => [
      `the sign-in server of the MCP server ${server} does not support signing in through a browser (OAuth 2.1 with PKCE)`,
      `Ask its operator for a token and set it in agent.mcp.servers.${server}.headers.`,
    ],
    zh: ({ server }) => [
      `MCP 服务器 ${server} 的登录服务器不支持通过浏览器登录（OAuth 2.1 与 PKCE）`,
      `请向其运营者索取令牌，并设置在 agent.mcp.servers.${server}.headers 中。`,
    ],
  }),
  'MCP_LOGIN_FAILED.missing': entry<{ server: string }>({
    en: ({ server }) => [
      `the MCP server ${server} asks for a sign-in but does not say where`,
      `Check its url, or set a token in agent.mcp.servers.${server}.headers.`,
    ],
    zh: ({ server }) => [
      `MCP 服务器 ${server} 要求登录，但没有说明在哪里登录`,
      `请检查其 url，或在 agent.mcp.servers.${server}.headers 中设置令牌。`,
    ],
  }),
  MCP_LOGIN_PROGRAM: entry<{ server: string }>({
    exit: 2,
    en: ({ server }) => [
      `${server} is a program on this machine`,
      'Only servers with a url are signed in to. Give a program its credentials in env.',
    ],
    zh: ({ server }) => [`${server} 是本机上的程序`, '只有带 url 的服务器才需要登录。程序的凭据请用 env 提供。'],
  }),
  MCP_VARIABLE_MISSING: entry<{ name: string }>({
    en: ({ name }) => [
      `the environment variable ${name} is not set`,
      `Set ${name}, or remove it from agent.mcp.servers.`,
    ],
    zh: ({ name }) => [`没有设置环境变量 ${name}`, `请设置 ${name}，或把它从 agent.mcp.servers 中去掉。`],
  }),
  MCP_SILENT: entry({
    retryable: true,
    en: () => ['timeout: the server did not answer', 'Try again, or check the server with `writ mcp check`.'],
    zh: () => ['超时：服务器没有响应', '请重试，或用 `writ mcp check` 检查该服务器。'],
  }),
  'MCP_SILENT.connecting': entry<{ server: string; ms: number }>({
    retryable: true,
    en: ({ server, ms }) => [
      `the server did not answer within ${ms} ms`,
      `Check that it is an MCP server. If it starts slowly, raise agent.mcp.servers.${server}.timeoutMs (connecting: at most 20000).`,
    ],
    zh: ({ server, ms }) => [
      `服务器在 ${ms} 毫秒内没有响应`,
      `请确认它是 MCP 服务器。如果启动较慢，请提高 agent.mcp.servers.${server}.timeoutMs（连接最多 20000）。`,
    ],
  }),
  MCP_LOST: entry<{ why: string }>({
    en: ({ why }) => [why, UNKNOWN_EFFECT],
    zh: ({ why }) => [why, UNKNOWN_EFFECT_ZH],
  }),
  'MCP_LOST.connecting': entry<{ server: string; why: string }>({
    en: ({ server, why }) => [
      `it ended before it answered: ${why}`,
      `Run the command of agent.mcp.servers.${server} yourself to see what it prints.`,
    ],
    zh: ({ server, why }) => [
      `它在响应之前结束了：${why}`,
      `请自行运行 agent.mcp.servers.${server} 的命令，查看其输出。`,
    ],
  }),
  'MCP_LOST.notRunning': entry<{ command: string }>({
    en: ({ command }) => [`${command} is not running`, UNKNOWN_EFFECT],
    zh: ({ command }) => [`${command} 没有运行`, UNKNOWN_EFFECT_ZH],
  }),
  MCP_UNREACHABLE: entry<{ why: string }>({
    retryable: true,
    en: ({ why }) => [why, 'Check that the server is running, and check its address.'],
    zh: ({ why }) => [why, '请检查服务器是否在运行，以及它的地址。'],
  }),
  MCP_FAILED: entry<{ why: string }>({
    en: ({ why }) => [why, 'Check the server and its settings in agent.mcp.servers.'],
    zh: ({ why }) => [why, '请检查该服务器及其在 agent.mcp.servers 中的设置。'],
  }),
  MCP_MEMORY_UNREADABLE: entry<{ file: string }>({
    en: ({ file }) => [`${file} cannot be read`, 'Delete it to accept the current tools of this server.'],
    zh: ({ file }) => [`${file} 无法读取`, '删除它即表示接受该服务器当前的工具。'],
  }),
  MCP_TOOL_CHANGED: entry<{ server: string; tool: string }>({
    retryable: true,
    en: ({ server, tool }) => [
      `MCP server ${server} has just changed its tool ${tool}`,
      'Call it again: the approval question will show the change.',
    ],
    zh: ({ server, tool }) => [`MCP 服务器 ${server} 刚刚改动了工具 ${tool}`, '请重新调用：审批时会显示该改动。'],
  }),
  MCP_TOOL_GONE: entry<{ server: string; tool: string }>({
    en: ({ server, tool }) => [`MCP server ${server} no longer has the tool ${tool}`, 'Use another tool.'],
    zh: ({ server, tool }) => [`MCP 服务器 ${server} 已没有工具 ${tool}`, '请使用其他工具。'],
  }),
}

/** Errors of the HTTP server and its access tokens. */
import { entry } from './entry.ts'

export const SERVER_ERRORS = {
  NO_TOKEN: entry({
    status: 401,
    en: () => ['access token required', 'Send "Authorization: Bearer …". Create a token with `writ token add NAME`.'],
    zh: () => ['需要访问令牌', '请发送 "Authorization: Bearer …"。可用 `writ token add NAME` 创建令牌。'],
  }),
  BAD_TOKEN: entry({
    status: 401,
    en: () => ['unknown access token', 'It may have been revoked. List the valid tokens with `writ token list`.'],
    zh: () => ['未知的访问令牌', '它可能已被撤销。可用 `writ token list` 查看有效令牌。'],
  }),
  SCOPE_MISSING: entry<{ scope: string }>({
    status: 403,
    en: ({ scope }) => [
      `this token lacks the scope "${scope}"`,
      'Use a token with that scope. Create one with `writ token add NAME --scopes …`.',
    ],
    zh: ({ scope }) => [
      `此令牌缺少权限 "${scope}"`,
      '请使用具有该权限的令牌。可用 `writ token add NAME --scopes …` 创建。',
    ],
  }),
  'SCOPE_MISSING.remember': entry({
    status: 403,
    en: () => [
      'this token can remember rules for a session only',
      'Use the scope "session", or a token with the scope admin.',
    ],
    zh: () => ['此令牌只能在会话范围内记住规则', '请使用 "session" 范围，或使用带有 admin 权限的令牌。'],
  }),
  NOT_YOURS: entry({
    status: 403,
    en: () => ['this belongs to another principal', 'Use a token of its principal.'],
    zh: () => ['这属于另一个主体', '请使用该主体的令牌。'],
  }),
  'NOT_YOURS.scope': entry<{ scope: string }>({
    status: 403,
    en: ({ scope }) => [
      'this belongs to another principal',
      `Use a token of its principal, or one with the scope ${scope}.`,
    ],
    zh: ({ scope }) => ['这属于另一个主体', `请使用该主体的令牌，或带有 ${scope} 权限的令牌。`],
  }),
  'NOT_YOURS.message': entry({
    status: 403,
    en: () => [
      'only the owner of a session can send messages in it: they count as instructions of the owner',
      'Create a session of your own. Depending on your scopes, you can still read this one, answer its questions or stop it.',
    ],
    zh: () => [
      '只有会话的所有者才能在其中发送消息：这些消息会被视为所有者的指令',
      '请新建自己的会话。根据权限，你仍可查看此会话、答复其中的审批或停止它。',
    ],
  }),
  'HOST_FORBIDDEN.server': entry<{ host: string }>({
    status: 403,
    en: ({ host }) => [
      `unknown server name: ${host}`,
      'If this is a name of this server, add it to agent.server.allowedHosts.',
    ],
    zh: ({ host }) => [`未知的服务器名称：${host}`, '如果这是本服务器的名称，请把它加入 agent.server.allowedHosts。'],
  }),
  ORIGIN_FORBIDDEN: entry<{ origin: string | null }>({
    status: 403,
    en: ({ origin }) => [
      `web pages from ${origin ?? 'another site'} cannot use this server`,
      'Call the server from its own pages or from a program. It does not support CORS.',
    ],
    zh: ({ origin }) => [
      `来自 ${origin ?? '其他网站'} 的网页不能使用此服务器`,
      '请从服务器自己的页面或从程序访问。它不支持跨域（CORS）。',
    ],
  }),
  TOO_LARGE: entry<{ max: number }>({
    status: 413,
    en: ({ max }) => [
      `the request is larger than ${max} bytes`,
      'Send less, or save the content to a file in the workspace and name the file.',
    ],
    zh: ({ max }) => [`请求超过 ${max} 字节`, '请减少内容，或把内容存为工作区中的文件并给出文件名。'],
  }),
  TOO_MANY_REQUESTS: entry({
    status: 429,
    retryable: true,
    en: () => ['too many requests', 'Wait the number of seconds given in Retry-After.'],
    zh: () => ['请求过多', '请等待 Retry-After 给出的秒数后重试。'],
  }),
  TOO_MANY_STREAMS: entry<{ max: number }>({
    status: 429,
    retryable: true,
    en: ({ max }) => [
      `this token already has ${max} event streams open`,
      'Close streams you no longer read, or use another token.',
    ],
    zh: ({ max }) => [`此令牌已打开 ${max} 个事件流`, '请关闭不再读取的事件流，或使用另一个令牌。'],
  }),
  TOO_MANY_FAILURES: entry({
    status: 429,
    retryable: true,
    en: () => [
      'too many unknown tokens were sent from this address',
      'Wait the number of seconds given in Retry-After.',
    ],
    zh: () => ['来自此地址的未知令牌过多', '请等待 Retry-After 给出的秒数后重试。'],
  }),
  DRAINING: entry({
    status: 503,
    retryable: true,
    en: () => [
      'the server is shutting down and accepts no new work',
      'Try again in a few seconds. Unfinished runs are resumed.',
    ],
    zh: () => ['服务器正在关闭，不再接受新的工作', '请几秒后重试。未完成的运行会恢复。'],
  }),
  'SESSION_UNKNOWN.http': entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [`no such session: ${id}`, 'List your sessions with GET /api/sessions.'],
    zh: ({ id }) => [`没有会话 ${id}`, '可用 GET /api/sessions 查看你的会话。'],
  }),
  'RUN_UNKNOWN.http': entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [`no such run: ${id}`, 'List your runs with GET /api/runs.'],
    zh: ({ id }) => [`没有运行 ${id}`, '可用 GET /api/runs 查看你的运行。'],
  }),
  'MEMORY_UNKNOWN.http': entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [`no such memory: ${id}`, 'List your memories with GET /api/memory.'],
    zh: ({ id }) => [`没有记忆 ${id}`, '可用 GET /api/memory 查看你的记忆。'],
  }),
  'MODEL_UNKNOWN.http': entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [`no such model: ${id}`, 'List the models with GET /v1/models; "writ" always works.'],
    zh: ({ id }) => [`没有模型 ${id}`, '可用 GET /v1/models 查看模型；"writ" 始终可用。'],
  }),
  SCOUT_UNKNOWN: entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [`no running scout: ${id}`, 'List the running scouts with GET /api/scouts.'],
    zh: ({ id }) => [`没有正在运行的侦察员 ${id}`, '可用 GET /api/scouts 查看正在运行的侦察员。'],
  }),
  APPROVAL_UNKNOWN: entry<{ key: string }>({
    status: 404,
    en: ({ key }) => [
      `"${key}" is not approved in this session`,
      'GET /api/sessions/ID lists the standing approvals of the session.',
    ],
    zh: ({ key }) => [`此会话没有长期批准 "${key}"`, '可用 GET /api/sessions/ID 查看会话的长期批准。'],
  }),
  'SESSION_BUSY.queue': entry<{ max: number }>({
    status: 409,
    retryable: true,
    en: ({ max }) => [`this session already has ${max} messages waiting`, 'Wait for a reply, or stop the run.'],
    zh: ({ max }) => [`此会话已有 ${max} 条消息在排队`, '请等待回复，或停止当前运行。'],
  }),
  'SESSION_WAITING.http': entry({
    status: 409,
    en: () => ['this session is waiting for an approval', 'Answer it under /api/approvals, or stop the run.'],
    zh: () => ['此会话正在等待审批', '请在 /api/approvals 答复，或停止该运行。'],
  }),
  RUN_LIVE: entry({
    status: 409,
    en: () => ['the run is in progress', 'Follow it, or stop it first.'],
    zh: () => ['该运行正在进行', '请跟随它，或先停止它。'],
  }),
  'QUESTION_CLOSED.http': entry({
    status: 409,
    en: () => ['this approval is not open, or was already answered', 'List the open ones with GET /api/approvals.'],
    zh: () => ['该审批不在等待，或已有答复', '可用 GET /api/approvals 查看等待中的审批。'],
  }),
  NOT_FOUND: entry({
    status: 404,
    en: () => ['no such endpoint', 'GET /openapi.json lists the endpoints.'],
    zh: () => ['没有此接口', '可用 GET /openapi.json 查看所有接口。'],
  }),
  INVALID_REQUEST: entry<{ where: string; why: { en: string; zh: string } }>({
    en: ({ where, why }) => [`${where}: ${why.en}`, 'GET /openapi.json describes the parameters of every endpoint.'],
    zh: ({ where, why }) => [`${where}：${why.zh}`, 'GET /openapi.json 说明了每个接口的参数。'],
  }),
  'INVALID_REQUEST.json': entry({
    en: () => ['the request body is not valid JSON', 'Send one JSON object; GET /openapi.json describes it.'],
    zh: () => ['请求体不是有效的 JSON', '请发送一个 JSON 对象；GET /openapi.json 说明了它的内容。'],
  }),
  'INVALID_REQUEST.depth': entry({
    en: () => [
      'the request body is nested too deeply',
      'GET /openapi.json describes the parameters of every endpoint.',
    ],
    zh: () => ['请求体嵌套过深', 'GET /openapi.json 说明了每个接口的参数。'],
  }),
  'INVALID_REQUEST.noMessage': entry({
    en: () => [
      'the last message must be a user message with text',
      'End `messages` with { "role": "user", "content": "…" }.',
    ],
    zh: () => ['最后一条消息必须是含有文字的用户消息', '请让 `messages` 以 { "role": "user", "content": "…" } 结尾。'],
  }),
  'INVALID_REQUEST.notText': entry<{ type: string }>({
    en: ({ type }) => [
      `content type "${type}" is not supported here`,
      'Send text; in user messages also `image_url` and `file` (PDF).',
    ],
    zh: ({ type }) => [
      `此处不支持类型为 "${type}" 的内容`,
      '请发送文字；用户消息中还可使用 `image_url` 和 `file`（PDF）。',
    ],
  }),
  BAD_CURSOR: entry({
    en: () => [
      'unknown Last-Event-ID',
      'Send the id of an event you received, or leave the header out to start from the beginning.',
    ],
    zh: () => ['未知的 Last-Event-ID', '请发送收到过的事件的 id，或省略此请求头，从头开始。'],
  }),
  'BAD_CURSOR.page': entry<{ before: string }>({
    en: ({ before }) => [`invalid page: before=${before}`, 'Use the value of `next` from the previous page.'],
    zh: ({ before }) => [`无效的分页位置：before=${before}`, '请使用上一页返回的 `next`。'],
  }),
  MEDIA_TYPE: entry({
    status: 415,
    en: () => ['the request body must be JSON', 'Send the header "Content-Type: application/json" and a JSON body.'],
    zh: () => ['请求体必须是 JSON', '请发送请求头 "Content-Type: application/json" 和 JSON 请求体。'],
  }),
  INTERNAL: entry({
    exit: 1,
    status: 500,
    en: () => ['internal server error', 'See the log of the server.'],
    zh: () => ['服务器内部错误', '请查看服务器日志。'],
  }),
  /** What HTTP clients get in place of a private error, with the code of that error. */
  'STORE_FAILED.http': entry({
    exit: 1,
    status: 503,
    retryable: true,
    en: () => ['the store is currently unavailable', 'Try again later. The log of the server has the details.'],
    zh: () => ['存储当前不可用', '请稍后重试。详情见服务器日志。'],
  }),
  CONFIG_REFUSED: entry({
    status: 422,
    en: () => [
      'the configuration was rejected',
      'Each problem names its key. GET /api/config shows what can be tightened.',
    ],
    zh: () => ['配置被拒绝', '每个问题都指明了键名。可用 GET /api/config 查看可以收紧的设置。'],
  }),
  WORKFLOW_UNKNOWN: entry<{ name: string }>({
    status: 404,
    en: ({ name }) => [`no such workflow: ${name}`, 'List the workflows with GET /api/workflows.'],
    zh: ({ name }) => [`没有工作流 ${name}`, '可用 GET /api/workflows 查看工作流。'],
  }),
  WORKFLOW_NAME: entry({
    en: () => [
      'invalid workflow name',
      'Use up to 64 letters, digits, dashes and underscores, and start with a letter or digit.',
    ],
    zh: () => ['工作流名称无效', '请使用最多 64 个字母、数字、短横线和下划线，并以字母或数字开头。'],
  }),
  'WORKFLOW_INVALID.rejected': entry({
    status: 422,
    en: () => ['the workflow is not valid', 'Each problem names its place in the document. Nothing was saved.'],
    zh: () => ['工作流无效', '每个问题都指明了在文档中的位置。未保存任何内容。'],
  }),
  'WORKFLOW_INVALID.stored': entry<{ name: string }>({
    status: 422,
    en: ({ name }) => [
      `the stored workflow ${name} is not valid`,
      'Each problem names its place in the document. Correct it and save it again.',
    ],
    zh: ({ name }) => [`已保存的工作流 ${name} 无效`, '每个问题都指明了在文档中的位置。请改正后重新保存。'],
  }),
  PORT_IN_USE: entry<{ port: number }>({
    en: ({ port }) => [
      `port ${port} is already in use`,
      'Another program or another Writ server uses it. Choose another port; 0 selects a free one.',
    ],
    zh: ({ port }) => [
      `端口 ${port} 已被占用`,
      '它被其他程序或另一个 Writ 服务器占用。请另选端口；0 表示自动选择空闲端口。',
    ],
  }),
  PORT_PRIVILEGED: entry<{ port: number }>({
    en: ({ port }) => [
      `port ${port} is reserved: only root may listen on ports below 1024`,
      'Choose another with --port, such as 8080, and let a reverse proxy forward to it. Do not run Writ as root.',
    ],
    zh: ({ port }) => [
      `端口 ${port} 受保护：只有 root 才能监听 1024 以下的端口`,
      '请用 --port 另选端口，例如 8080，并让反向代理转发到它。不要以 root 身份运行 Writ。',
    ],
  }),
  HOST_UNUSABLE: entry<{ host: string; why: string }>({
    en: ({ host, why }) => [
      `cannot listen on ${host}: ${why}`,
      'Give --host an address of this machine; the default is 127.0.0.1.',
    ],
    zh: ({ host, why }) => [`无法监听 ${host}：${why}`, '请给 --host 一个本机地址；默认为 127.0.0.1。'],
  }),
  'USAGE.noWorker': entry({
    en: () => [
      '--at-once 0: no worker is available',
      'Use 0 only with the store "postgres", where other processes do the work.',
    ],
    zh: () => ['--at-once 0：没有可用的工作进程', '只有存储为 "postgres"、由其他进程完成工作时才能使用 0。'],
  }),
  TOKEN_NAME: entry({
    en: () => ['invalid token name', 'Use 1 to 40 letters, digits, dashes, dots and underscores.'],
    zh: () => ['令牌名称无效', '请使用 1 到 40 个字母、数字、短横线、点和下划线。'],
  }),
  PRINCIPAL_NAME: entry({
    en: () => ['invalid principal name', 'Use 1 to 64 letters, digits, dashes, dots and underscores.'],
    zh: () => ['主体名称无效', '请使用 1 到 64 个字母、数字、短横线、点和下划线。'],
  }),
  TOKEN_EXISTS: entry<{ name: string }>({
    en: ({ name }) => [`token already exists: ${name}`, 'List the tokens with `writ token list`.'],
    zh: ({ name }) => [`令牌 ${name} 已存在`, '可用 `writ token list` 查看令牌。'],
  }),
  TOKEN_UNKNOWN: entry<{ name: string }>({
    en: ({ name }) => [`no such token: ${name}`, 'List the tokens with `writ token list`.'],
    zh: ({ name }) => [`没有令牌 ${name}`, '可用 `writ token list` 查看令牌。'],
  }),
  TOKEN_SCOPES: entry<{ scopes: readonly string[] }>({
    en: ({ scopes }) => ['invalid scopes', `Use one or more of: ${scopes.join(', ')}.`],
    zh: ({ scopes }) => ['权限无效', `请使用以下一项或多项：${scopes.join('、')}。`],
  }),
}

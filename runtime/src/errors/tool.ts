/** Errors of tools: the registry, arguments, HTTP requests, Feishu. */
import { entry } from './entry.ts'

/** The argument an error is about. */
export interface ArgumentPlace {
  /** The operation, action or message type. */
  of: string
  argument: string
}

/** What was given, and what would be allowed. */
export interface AllowedValues {
  given: string
  allowed: readonly string[]
}

export const PRIVATE_HINT =
  'Open a loopback or private service by listing host:port in allowedHosts; metadata services stay closed.'
export const PRIVATE_HINT_ZH = '在 allowedHosts 中列出 host:port 即可开放本机或内网服务；元数据服务始终不开放。'

export const TOOL_ERRORS = {
  'WRIT_FORGED.notATool': entry({
    exit: 1,
    en: () => ['this writ is for an action, not for a tool', 'This is a defect in Writ; please report it.'],
    zh: () => ['此令状用于操作，不用于工具', '这是 Writ 的缺陷，请报告。'],
  }),
  UNKNOWN_TOOL: entry<{ tool: string }>({
    en: ({ tool }) => [`there is no tool named "${tool}"`, 'Use one of the registered tools.'],
    zh: ({ tool }) => [`没有名为 "${tool}" 的工具`, '请使用已注册的工具。'],
  }),
  RESULT_UNKNOWN: entry<{ id: string }>({
    en: ({ id }) => [
      `this conversation has no result "${id}"`,
      'Use an id that is shown with a shortened result, such as r12.',
    ],
    zh: ({ id }) => [`此对话中没有结果 "${id}"`, '请使用缩短的结果旁显示的编号，例如 r12。'],
  }),
  RESULT_END: entry<{ id: string; chars: number }>({
    en: ({ id, chars }) => [`result ${id} has only ${chars} characters`, 'Start at a smaller "from".'],
    zh: ({ id, chars }) => [`结果 ${id} 只有 ${chars} 个字符`, '请用更小的 "from"。'],
  }),
  TOOL_NAME: entry<{ name: string }>({
    en: ({ name }) => [
      `"${name}" is not a valid tool name`,
      'Use a letter, then letters, digits, "_", "-" or "."; at most 64 characters.',
    ],
    zh: ({ name }) => [`"${name}" 不是有效的工具名`, '以字母开头，后接字母、数字、"_"、"-" 或 "."，最多 64 个字符。'],
  }),
  TOOL_SCHEMA: entry<{ tool: string; vendor: string; why: string }>({
    en: ({ tool, vendor, why }) => [
      `the ${vendor} schema of tool "${tool}" cannot be shown to a model as JSON Schema: ${why}`,
      'Use only types that JSON Schema has, or give the JSON Schema itself as `schema`.',
    ],
    zh: ({ tool, vendor, why }) => [
      `工具 "${tool}" 的 ${vendor} schema 无法以 JSON Schema 的形式提供给模型：${why}`,
      '请只使用 JSON Schema 具有的类型，或直接以 JSON Schema 作为 `schema`。',
    ],
  }),
  'TOOL_SCHEMA.noJsonSchema': entry<{ tool: string; vendor: string }>({
    en: ({ tool, vendor }) => [
      `the ${vendor} schema of tool "${tool}" does not offer its JSON Schema, which the model needs`,
      'Use zod 4.2, ArkType 2.1.28 or newer; wrap a Valibot schema in toStandardJsonSchema of @valibot/to-json-schema; or give JSON Schema as `schema`.',
    ],
    zh: ({ tool, vendor }) => [
      `工具 "${tool}" 的 ${vendor} schema 不提供 JSON Schema，而模型需要它`,
      '请使用 zod 4.2、ArkType 2.1.28 或更高版本；Valibot 的 schema 请用 @valibot/to-json-schema 的 toStandardJsonSchema 包装；或以 JSON Schema 作为 `schema`。',
    ],
  }),
  TOOL_TWICE: entry<{ name: string }>({
    en: ({ name }) => [`two tools are named "${name}"`, 'Rename one of them.'],
    zh: ({ name }) => [`有两个工具都叫 "${name}"`, '请给其中一个改名。'],
  }),
  TOOL_THREAD: entry({
    retryable: true,
    en: () => ['a worker thread for this tool could not be started', 'Try again; check the free memory.'],
    zh: () => ['无法启动此工具的工作线程', '请重试，并检查可用内存。'],
  }),
  TARGETS_TOO_MANY: entry<{ count: number; most: number }>({
    en: ({ count, most }) => [`the call has ${count} targets; at most ${most} are checked`, 'Make several calls.'],
    zh: ({ count, most }) => [`此调用有 ${count} 个目标，最多检查 ${most} 个`, '请分多次调用。'],
  }),
  ARGS_INVALID: entry<{ problems: readonly string[] }>({
    en: ({ problems }) => [`the arguments do not fit: ${problems.join('; ')}`, 'Correct the arguments.'],
    zh: ({ problems }) => [`参数不符合要求：${problems.join('；')}`, '请更正参数。'],
  }),
  'ARGS_INVALID.missing': entry<ArgumentPlace>({
    en: ({ of, argument }) => [`${of}: ${argument} is required`, 'Add it and call again.'],
    zh: ({ of, argument }) => [`${of} 需要参数 ${argument}`, '请补上后重新调用。'],
  }),
  'ARGS_INVALID.extra': entry<ArgumentPlace>({
    en: ({ of, argument }) => [`${of} does not take ${argument}`, 'Leave it out and call again.'],
    zh: ({ of, argument }) => [`${of} 不接受参数 ${argument}`, '请去掉后重新调用。'],
  }),
  'ARGS_INVALID.routine': entry({
    en: () => ['add needs a name, a schedule and a task', 'Add them and call again.'],
    zh: () => ['add 需要 name、schedule 和 task', '请补上后重新调用。'],
  }),
  ROUTINE_POISONED: entry<{ rules: readonly string[] }>({
    en: ({ rules }) => [
      `not stored: the task looks like prompt injection (${rules.join(', ')})`,
      'Describe the task in your own words, without instructions copied from other sources.',
    ],
    zh: ({ rules }) => [
      `未保存：任务疑似提示注入（${rules.join('、')}）`,
      '请用自己的话描述任务，不要复制别处的指令。',
    ],
  }),
  VALUE_TOO_LONG: entry<{ key: string; most: number }>({
    en: ({ key, most }) => [`${key} would exceed ${most} bytes`, 'Delete the key, or use another one.'],
    zh: ({ key, most }) => [`${key} 将超过 ${most} 字节`, '请删除该键，或改用其他键。'],
  }),
  PATH_NOT_A_FILE: entry<{ path: string }>({
    en: ({ path }) => [`${path} is not a regular file`, 'Choose another path.'],
    zh: ({ path }) => [`${path} 不是普通文件`, '请选择其他路径。'],
  }),

  BAD_URL: entry<{ text: string }>({
    en: ({ text }) => [`${text} is not a valid address`, 'Use an address such as https://example.com/page.'],
    zh: ({ text }) => [`${text} 不是有效的地址`, '请使用类似 https://example.com/page 的地址。'],
  }),
  'BAD_URL.scheme': entry<{ scheme: string }>({
    en: ({ scheme }) => [`${scheme}// is not supported`, 'Use http:// or https://.'],
    zh: ({ scheme }) => [`不支持 ${scheme}//`, '请使用 http:// 或 https://。'],
  }),
  'BAD_URL.credentials': entry({
    en: () => ['the address contains a user name or password', 'Send an Authorization header instead.'],
    zh: () => ['地址中含有用户名或密码', '请改用 Authorization 请求头。'],
  }),
  BAD_HEADER: entry<{ name: string }>({
    en: ({ name }) => [`the header ${name} contains characters that are not allowed`, 'Remove them.'],
    zh: ({ name }) => [`请求头 ${name} 含有不允许的字符`, '请去掉这些字符。'],
  }),
  'BAD_HEADER.framing': entry<{ name: string }>({
    en: ({ name }) => [`the header ${name} is set by the runtime`, 'Leave it out.'],
    zh: ({ name }) => [`请求头 ${name} 由运行时设置`, '请不要填写它。'],
  }),
  TOO_MANY_REDIRECTS: entry<{ most: number }>({
    en: ({ most }) => [`more than ${most} redirects`, 'Request the final address directly.'],
    zh: ({ most }) => [`重定向超过 ${most} 次`, '请直接请求最终地址。'],
  }),
  BAD_REDIRECT: entry<{ location: string }>({
    en: ({ location }) => [
      `redirected to an invalid address: ${location}`,
      'The server is at fault; try another page.',
    ],
    zh: ({ location }) => [`被重定向到无效地址：${location}`, '这是服务器的问题，请尝试其他页面。'],
  }),
  'BAD_REDIRECT.body': entry<{ origin: string }>({
    en: ({ origin }) => [
      `the redirect to ${origin} would send the body to another host`,
      'Send the request to that address directly if it is the intended one.',
    ],
    zh: ({ origin }) => [`重定向到 ${origin} 会把请求体发给另一台主机`, '如果确实要发给它，请直接请求该地址。'],
  }),
  HOST_FORBIDDEN: entry<{ place: string }>({
    en: ({ place }) => [`${place} is not a public address`, PRIVATE_HINT],
    zh: ({ place }) => [`${place} 不是公网地址`, PRIVATE_HINT_ZH],
  }),
  'HOST_FORBIDDEN.resolved': entry<{ host: string; address: string }>({
    en: ({ host, address }) => [`${host} resolves to ${address}, which is not a public address`, PRIVATE_HINT],
    zh: ({ host, address }) => [`${host} 解析为 ${address}，不是公网地址`, PRIVATE_HINT_ZH],
  }),
  DOMAIN_NOT_ALLOWED: entry<AllowedValues>({
    en: ({ given, allowed }) => [`${given} is not an allowed domain`, allowedHint(allowed)],
    zh: ({ given, allowed }) => [`${given} 不在允许的域名之列`, allowedHintZh(allowed)],
  }),
  METHOD_NOT_ALLOWED: entry<AllowedValues>({
    en: ({ given, allowed }) => [`${given} is not an allowed method`, allowedHint(allowed)],
    zh: ({ given, allowed }) => [`${given} 不在允许的方法之列`, allowedHintZh(allowed)],
  }),

  FEISHU_UNSET: entry({
    en: () => [
      'no Feishu bot is configured: FEISHU_WEBHOOK is not set',
      'Set it to the webhook address of a custom bot, and set FEISHU_SECRET if the bot checks signatures.',
    ],
    zh: () => [
      '未配置飞书机器人：没有设置 FEISHU_WEBHOOK',
      '请把它设为自定义机器人的 webhook 地址；若机器人校验签名，还要设置 FEISHU_SECRET。',
    ],
  }),
  'FEISHU_UNSET.secret': entry<{ name: string }>({
    en: ({ name }) => [`${name} is not set`, 'Set it to the signing secret of the bot.'],
    zh: ({ name }) => [`没有设置 ${name}`, '请把它设为机器人的签名密钥。'],
  }),
  FEISHU_WEBHOOK: entry({
    en: () => [
      'the webhook does not have the form https://…/open-apis/bot/v2/hook/…',
      'Copy it again from the settings of the bot.',
    ],
    zh: () => ['webhook 不是 https://…/open-apis/bot/v2/hook/… 的形式', '请从机器人设置中重新复制。'],
  }),
  'FEISHU_WEBHOOK.https': entry({
    en: () => ['the webhook must be an https:// address', 'Copy it again from the settings of the bot.'],
    zh: () => ['webhook 必须是 https:// 地址', '请从机器人设置中重新复制。'],
  }),
}

function allowedHint(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'None is allowed.' : `Allowed: ${allowed.join(', ')}.`
}

function allowedHintZh(allowed: readonly string[]): string {
  return allowed.length === 0 ? '没有允许的项。' : `允许：${allowed.join('、')}。`
}

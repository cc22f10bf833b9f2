/** The reference of errors, from the catalogue: every value is shown as its name, `<file>`. */
import type { Lang } from '../runtime/src/base/lang.ts'
import { CATALOGUE, type ErrorKey } from '../runtime/src/errors/catalogue.ts'
import type { ErrorEntry, ErrorText } from '../runtime/src/errors/entry.ts'
import { codeOf } from '../runtime/src/errors/writ-error.ts'
import { row } from './schema-rows.ts'

/** Values that select a text instead of being shown in it, by code. */
const SELECTORS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  BUDGET_EXCEEDED: { scope: 'run', level: 'stop', limit: 5, spent: 4.9, usd: 0.2 },
  DOMAIN_NOT_ALLOWED: { client: 'command' },
  HOST_FORBIDDEN: { client: 'command' },
  LINE_INVALID: { kind: 'event' },
  MEDIA_UNSUPPORTED: { kind: 'image' },
}

const HEADS: Readonly<Record<Lang, { about: string; columns: string[]; yes: string }>> = {
  en: {
    about: `# Errors

Generated from the catalogue by \`scripts/generate-reference.ts\`; do not edit.

The code is stable and is for programs. The message and the hint are for people, in English or Chinese; \`<name>\`
stands for a value. A code with several messages has several rows.

- **exit** is the exit code of the command line. 2 means wrong use, 1 a fault of the system, 143 a process that was
  asked to end.
- **HTTP** is the status of the server's response. Messages marked * name files or addresses of the server: clients
  get the general text of \`STORE_FAILED\`, and the log has the details.
- **retry**: the same request may succeed later.
`,
    columns: ['code', 'exit', 'HTTP', 'retry', 'message', 'hint'],
    yes: 'yes',
  },
  zh: {
    about: `# 错误

由 \`scripts/generate-reference.ts\` 从错误目录生成，请勿手工修改（do not edit）。

错误码固定不变，供程序使用。消息和提示供人阅读，有中英文两种；\`<name>\` 代表一个值。同一错误码有多条消息时占多行。

- **退出码**：命令行的退出码。2 表示用法错误，1 表示系统故障，143 表示进程被要求结束。
- **HTTP**：服务器响应的状态码。带 * 的消息含有服务器上的文件或地址：客户端得到 \`STORE_FAILED\` 的通用文字，详情见日志。
- **重试**：同样的请求以后可能成功。
`,
    columns: ['错误码', '退出码', 'HTTP', '重试', '消息', '提示'],
    yes: '是',
  },
}

export function errorsPage(lang: Lang): string {
  const keys = Object.keys(CATALOGUE).sort() as ErrorKey[]
  const { about, columns } = HEADS[lang]
  return `${about}
${row(columns)}
${row(Array(6).fill('---'))}
${keys.map((key) => row(cellsOf(key, lang))).join('\n')}
`
}

function cellsOf(key: ErrorKey, lang: Lang): string[] {
  const entry = CATALOGUE[key] as ErrorEntry<unknown>
  const [message, hint] = sampleText(key, lang)
  const { exit = 2, status = 400, retryable = false } = entry
  return [
    `\`${codeOf(key)}\``,
    String(exit),
    `${status}${entry.private === true ? '*' : ''}`,
    retryable ? HEADS[lang].yes : '',
    ...[message, hint].map((text) => escaped(text)),
  ]
}

/** The texts of an entry with the names of its values. */
export function sampleText(key: ErrorKey, lang: Lang): ErrorText {
  const entry = CATALOGUE[key] as ErrorEntry<unknown>
  const selectors = SELECTORS[codeOf(key)] ?? {}
  const values = new Proxy({}, { get: (_, name) => selectors[String(name)] ?? placeholder(String(name)) })
  try {
    const [message, hint] = entry[lang](values)
    if (!/\bundefined\b|\[object /.test(`${message}${hint}`)) return [message, hint]
  } catch {}
  throw new Error(`${key}: add a value that selects its text to SELECTORS in scripts/errors-page.ts`)
}

/** Shown as `<name>`, also after `join`, `map` and `name.part`; `name.length` is shown as a count. */
function placeholder(name: string): unknown {
  const text = `<${name}>`
  const own: Record<PropertyKey, unknown> = {
    [Symbol.toPrimitive]: () => text,
    [Symbol.iterator]: () => [placeholder(name)][Symbol.iterator](),
    toString: () => text,
    toJSON: () => text,
    join: () => text,
    map: (change: (item: unknown) => unknown) => [change(placeholder(name))],
  }
  return new Proxy(
    {},
    {
      get(_, key) {
        if (Object.hasOwn(own, key)) return own[key]
        if (key === 'length') return placeholder('count')
        const method: unknown = Reflect.get(String.prototype, key)
        return typeof method === 'function' ? method.bind(text) : placeholder(name)
      },
    },
  )
}

/** `<file>` would be read as HTML outside of code; lines become one. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll('<', '\\<').replaceAll('*', '\\*')))
    .join('')
    .replace(/\n\s*/g, '<br>')
}

/** The reference of errors, from the catalogue: every value is shown as its name, `<file>`. */
import type { Lang } from '../runtime/src/base/lang.ts'
import { CATALOGUE, type ErrorKey } from '../runtime/src/errors/catalogue.ts'
import type { ErrorEntry, ErrorText } from '../runtime/src/errors/entry.ts'
import { codeOf } from '../runtime/src/errors/writ-error.ts'

/** Values that select a text instead of being shown in it, by code. */
const SELECTORS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  BUDGET_EXCEEDED: { scope: 'run', level: 'stop', limit: 5, spent: 4.9, usd: 0.2 },
  DOMAIN_NOT_ALLOWED: { client: 'command' },
  HOST_FORBIDDEN: { client: 'command' },
  LINE_INVALID: { kind: 'event' },
  MEDIA_UNSUPPORTED: { kind: 'image' },
}

export function errorsPage(row: (cells: readonly string[]) => string): string {
  const keys = Object.keys(CATALOGUE).sort() as ErrorKey[]
  return `# Errors

Generated from the catalogue by \`scripts/generate-reference.ts\`; do not edit.

The code is stable and is for programs. The message and the hint are for people, in English or Chinese; \`<name>\`
stands for a value. A code with several messages has several rows.

- **exit** is the exit code of the command line. 2 means wrong use, 1 a fault of the system, 143 a process that was
  asked to end.
- **HTTP** is the status of the server's response. Messages marked * name files or addresses of the server: clients
  get the general text of \`STORE_FAILED\`, and the log has the details.
- **retry**: the same request may succeed later.

${row(['code', 'exit', 'HTTP', 'retry', 'message', 'hint'])}
${row(Array(6).fill('---'))}
${keys.map((key) => row(cellsOf(key))).join('\n')}
`
}

function cellsOf(key: ErrorKey): string[] {
  const entry = CATALOGUE[key] as ErrorEntry<unknown>
  const [message, hint] = sampleText(key, 'en')
  const { exit = 2, status = 400, retryable = false } = entry
  return [
    `\`${codeOf(key)}\``,
    String(exit),
    `${status}${entry.private === true ? '*' : ''}`,
    retryable ? 'yes' : '',
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

/** The textual forms of tool calls in the templates of open models. */
import { isObject } from '../base/json.ts'

export interface TextCall {
  tool: string
  args: Record<string, unknown>
  /** The form has no types: all values are text. */
  untyped?: true
}

const MARKERS = [
  '<(?:minimax:)?tool_call>',
  '<function_calls?>',
  '<function=',
  '<invoke name=',
  '\\[TOOL_CALLS\\]',
  '<\\|python_tag\\|>',
  '<\\|tool_call\\|>',
  '<\\|(?:start|channel)\\|>[^\\n]{0,40}?\\bto=functions\\.',
  // The full-width bars, or what Unicode normalization makes of them.
  '<[｜|]tool▁calls?▁begin[｜|]>',
  '<\\|tool_calls_section_begin\\|>',
  '<\\|tool_call_begin\\|>',
  'Action:[ \\t]*[\\w.-]{1,100}[ \\t]*\\n\\s{0,9}Action Input:',
].join('|')
const MARKER = new RegExp(`^[ \\t]*(?:${MARKERS})`, 'gm')
const ANYWHERE = new RegExp(MARKERS)

/** Where a line begins with a marker, in order. */
export function textAfterMarkers(text: string): number[] {
  return [...text.matchAll(MARKER)].map(({ index }) => index)
}

/** True for a text that contains a marker anywhere, or JSON that names one of these tools. */
export function mentionsCall(text: string, tools: readonly string[]): boolean {
  if (ANYWHERE.test(text)) return true
  const named = text.matchAll(/"(?:name|tool|tool_name|function)"\s{0,9}:\s{0,9}"([\w.-]{1,100})"/g)
  return [...named].some(([, name = '']) => tools.includes(bareName(name)))
}

/**
 * The calls a text consists of. Empty: it begins like a call but cannot be read. Undefined: it is not a call, or more
 * follows after it, so that it is quoted in an answer.
 */
export function readMarked(text: string): TextCall[] | undefined {
  const calls: TextCall[] = []
  let rest = text.trim()
  if (textAfterMarkers(rest)[0] !== 0) return undefined
  rest = unwrapped(rest)
  while (rest !== '') {
    const form = FORMS.find(({ begins }) => rest.startsWith(begins))
    const [body, after] = form?.split(rest) ?? []
    if (form === undefined || body === undefined || after === undefined) return undefined
    const read = form.read(body.trim())
    rest = after.trim()
    if (read === undefined) return textAfterMarkers(rest)[0] === 0 || rest === '' ? [] : undefined
    calls.push(...read)
  }
  return calls
}

interface Form {
  begins: string
  /** The body of the first call and what follows it. */
  split(text: string): [body: string, after: string]
  read(body: string): TextCall[] | undefined
}

/** Without the closing tag, the call goes on to the end. */
function between(begins: string, ends: string): Form['split'] {
  return (text) => {
    const at = text.indexOf(ends)
    return at < 0 ? [text.slice(begins.length), ''] : [text.slice(begins.length, at), text.slice(at + ends.length)]
  }
}

function tagged(begins: string, ends: string, read: Form['read']): Form {
  return { begins, split: between(begins, ends), read }
}

/** Around one or more calls. */
const WRAPPERS: readonly [open: string, close: string][] = [
  ['<function_calls>', '</function_calls>'],
  ['<minimax:tool_call>', '</minimax:tool_call>'],
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
]

function unwrapped(text: string): string {
  const [open, close] = WRAPPERS.find(([open]) => text.startsWith(open)) ?? []
  if (open === undefined || close === undefined) return text
  const inner = text.slice(open.length)
  return (inner.endsWith(close) ? inner.slice(0, -close.length) : inner).trim()
}

const FORMS: readonly Form[] = [
  tagged('<tool_call>', '</tool_call>', (body) => {
    if (body.startsWith('<function=')) return readFunction(body.slice('<function='.length).replace(/<\/function>$/, ''))
    return readJsonCalls(body) ?? readPairs(body)
  }),
  tagged('<function=', '</function>', readFunction),
  tagged('<function_call>', '</function_call>', readJsonCalls),
  tagged('<invoke name=', '</invoke>', readInvoke),
  tagged('<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>', (body) =>
    readSplit(body.replace(/^function<｜tool▁sep｜>/, '')),
  ),
  tagged('<|tool_call_begin|>', '<|tool_call_end|>', readSplit),
  tagged('Action:', '\nObservation:', readSplit),
  tagged('[TOOL_CALLS]', '</s>', (body) => readJsonCalls(body) ?? readNamed(body)),
  tagged('<|python_tag|>', '<|eom_id|>', readJsonCalls),
  tagged('<|tool_call|>', '<|/tool_call|>', readJsonCalls),
  tagged('<|start|>', '<|call|>', readHarmony),
  tagged('<|channel|>', '<|call|>', readHarmony),
]

function readJsonCalls(body: string): TextCall[] | undefined {
  return callsIn(jsonOr(body, undefined), { strict: false })
}

/** `name>{json}` or `name><parameter=key>value</parameter>…` */
function readFunction(body: string): TextCall[] | undefined {
  const at = body.indexOf('>')
  if (at < 0) return undefined
  const tool = bareName(body.slice(0, at))
  const inner = body.slice(at + 1).trim()
  const json = inner === '' ? {} : jsonOr(inner, undefined)
  if (isObject(json)) return [{ tool, args: json }]
  const pairs = [...inner.matchAll(/<parameter=([^>\n]{1,200})>([\s\S]*?)<\/parameter>/g)]
  if (pairs.length === 0) return undefined
  return [
    {
      tool,
      args: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value.replace(/^\n|\n$/g, '')])),
      untyped: true,
    },
  ]
}

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>…` */
function readPairs(body: string): TextCall[] | undefined {
  const at = body.indexOf('<arg_key>')
  const tool = bareName(at < 0 ? body : body.slice(0, at))
  if (!/^[\w.-]{1,100}$/.test(tool)) return undefined
  const pairs = [...body.matchAll(/<arg_key>([^<]{1,200})<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g)]
  if (at >= 0 && pairs.length === 0) return undefined
  return [
    { tool, args: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key.trim(), value])), untyped: true },
  ]
}

/** `name{json}` or `name[ARGS]{json}` */
function readNamed(body: string): TextCall[] | undefined {
  const named = /^([\w.-]{1,100})\s*(?:\[ARGS\])?\s*(\{[\s\S]*\})$/.exec(body)
  const args = jsonOr(named?.[2] ?? '', undefined)
  return isObject(args) ? [{ tool: bareName(named?.[1] ?? ''), args }] : undefined
}

/** `"name"><parameter name="key">value</parameter>…` */
function readInvoke(body: string): TextCall[] | undefined {
  const tool = /^"([\w.-]{1,100})"\s*>/.exec(body)?.[1]
  const pairs = [...body.matchAll(/<parameter name="([^"\n]{1,200})"[^>]{0,100}>([\s\S]*?)<\/parameter>/g)]
  if (tool === undefined || (pairs.length === 0 && body.includes('<parameter'))) return undefined
  const args = Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]))
  return [{ tool: bareName(tool), args, untyped: true }]
}

const SEPARATORS = /<｜tool▁sep｜>|<\|tool_call_argument_begin\|>|\n\s{0,9}Action Input:|\n(?=```)/

/** A name and JSON, with a separator of the template between them. */
function readSplit(body: string): TextCall[] | undefined {
  const at = SEPARATORS.exec(body)
  const tool = /^([\w.-]{1,100}?)(?::\d{1,6})?$/.exec(body.slice(0, at?.index ?? 0).trim())?.[1]
  const given = body.slice((at?.index ?? 0) + (at?.[0].length ?? 0)).trim()
  const args = jsonOr(/^```[a-z]*\n([\s\S]*?)\n?```$/.exec(given)?.[1] ?? given, undefined)
  return tool !== undefined && isObject(args) ? [{ tool: bareName(tool), args }] : undefined
}

/** `… to=functions.name …<|message|>{json}` */
function readHarmony(body: string): TextCall[] | undefined {
  const at = body.indexOf('<|message|>')
  const tool = /\bto=functions\.([\w-]{1,100})/.exec(body.slice(0, Math.max(at, 0)))?.[1]
  const args = jsonOr(body.slice(at + '<|message|>'.length), undefined)
  return tool !== undefined && isObject(args) ? [{ tool, args }] : undefined
}

const CALL_KEYS = ['type', 'id', 'name', 'tool', 'tool_name', 'function', 'arguments', 'parameters', 'args', 'input']

/** The calls in a JSON value, or undefined when it is something else. `strict`: nothing but a call, with arguments. */
export function callsIn(value: unknown, { strict }: { strict: boolean }): TextCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map((one) => callIn(one, strict))
    return value.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined
  }
  if (isObject(value) && Array.isArray(value.tool_calls) && Object.keys(value).length === 1) {
    return callsIn(value.tool_calls, { strict })
  }
  const call = callIn(value, strict)
  return call === undefined ? undefined : [call]
}

function callIn(value: unknown, strict: boolean): TextCall | undefined {
  if (!isObject(value)) return undefined
  if (isObject(value.function)) return callIn(value.function, strict)
  const name = value.name ?? value.tool ?? value.tool_name ?? value.function
  const given = value.arguments ?? value.parameters ?? value.args ?? value.input
  if (typeof name !== 'string') return undefined
  if (strict && (given === undefined || Object.keys(value).some((key) => !CALL_KEYS.includes(key)))) return undefined
  const args = typeof given === 'string' ? jsonOr(given, undefined) : (given ?? {})
  return isObject(args) ? { tool: bareName(name), args } : undefined
}

function bareName(name: string): string {
  return name.trim().replace(/^functions\./, '')
}

export function jsonOr<T>(text: string, otherwise: T): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

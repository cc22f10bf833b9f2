/** The problems of a configuration: where, what was found, what was expected. */
import type { z } from 'zod'
import { type Bilingual, inBothLanguages } from '../base/lang.ts'
import { present } from '../base/present.ts'
import { clip, nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Messages } from '../i18n/en.ts'
import { messages } from '../i18n/locale.ts'
import { type JsonText, JsonTextError, type Position } from './json-text.ts'
import { nodeAt, placeOf, type SchemaNode } from './keys.ts'
import { MODEL_PROVIDERS } from './model-name.ts'

export interface Problem {
  /** The file, variable or flag. */
  origin: string
  /** Key path; empty when the text is not JSON at all. */
  path: string
  where?: Position
  message: Bilingual
}

type Texts = Messages['config']

export class ConfigError extends WritError<'CONFIG_INVALID'> {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super('CONFIG_INVALID', {
      problems: {
        en: problems.map((problem) => problemLine(problem, problem.message.en)),
        zh: problems.map((problem) => problemLine(problem, problem.message.zh)),
      },
      inFile: problems.some(({ origin }) => !/^(?:--|WRIT_)/.test(origin)),
    })
    this.problems = problems
  }
}

function problemLine({ origin, where, path }: Problem, message: string): string {
  const place = where === undefined ? origin : `${origin}:${where.line}:${where.column}`
  return printable([place, path, message].filter((part) => part !== '').join(': '))
}

export function problemText(write: (texts: Texts) => string): Bilingual {
  return inBothLanguages((lang) => write(messages(lang).config))
}

/** Keys come from untrusted files: characters that move the cursor or reverse text are escaped. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`)
}

export function jsonProblem(origin: string, error: unknown): Problem {
  if (!(error instanceof JsonTextError)) throw error
  const { fault, found, where } = error
  const isComment = found === '/' || found === '#'
  const message = problemText(({ json }) => {
    if (fault !== 'syntax') return json[fault]
    return isComment ? json.comment : json.syntax({ found: JSON.stringify(found) })
  })
  return { origin, path: '', where, message }
}

/** One problem per issue, and per unknown key. `schema` is needed where the source is not a configuration. */
export function schemaProblems(
  source: { origin: string; raw: unknown; json?: JsonText; schema?: SchemaNode },
  issues: readonly z.core.$ZodIssue[],
): Problem[] {
  return issues.flatMap((issue) => {
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path.slice()]
    return paths.map((path) => ({
      origin: source.origin,
      path: path.map(String).join('.'),
      ...present({ where: source.json?.locate(path) }),
      message: problemText((texts) =>
        issue.code === 'unrecognized_keys'
          ? unknownKey(path, texts, source.schema)
          : wrongValue(issue, { found: rawAt(source.raw, path), node: nodeAt(path, source.schema) ?? {} }, texts),
      ),
    }))
  })
}

function unknownKey(path: readonly PropertyKey[], texts: Texts, schema: SchemaNode | undefined): string {
  const key = String(path.at(-1))
  const parent = path.slice(0, -1)
  const meant = nearest(key, Object.keys(nodeAt(parent, schema)?.properties ?? {}))
  const place = schema === undefined && meant === undefined ? placeOf(key) : undefined
  const hints = [
    ...(place === undefined ? [] : [texts.belongsAt({ path: place })]),
    ...(meant === undefined ? [] : [texts.didYouMean({ name: [...parent, meant].map(String).join('.') })]),
    ...(/key|token|secret|password/i.test(key) && meant === undefined && place === undefined
      ? [texts.secretsInEnvironment]
      : []),
  ]
  return [texts.unknownKey, ...hints].join('; ')
}

function wrongValue(
  issue: z.core.$ZodIssue,
  { found, node }: { found: unknown; node: SchemaNode },
  texts: Texts,
): string {
  // An address may contain a password, so the value found is not shown.
  if (issue.code === 'custom' && issue.message === 'outsideFolder') {
    return texts.wrongHidden({ expected: texts.expected.outsideFolder })
  }
  if (issue.code === 'custom' && issue.message === 'plainUrl') {
    return texts.wrongHidden({ expected: texts.expected.plainUrl })
  }
  if (issue.code === 'custom' && isPlainRule(issue.message)) {
    return texts.wrongHidden({ expected: texts.expected[issue.message] })
  }
  if (issue.code === 'custom' && isBound(issue.message)) {
    return texts.expected[issue.message]
  }
  const expected =
    issue.code === 'custom' && issue.message === 'modelName'
      ? texts.expected.modelName({ providers: MODEL_PROVIDERS })
      : issue.code === 'custom' && issue.message === 'freeToolName'
        ? texts.expected.freeToolName
        : issue.code === 'invalid_key'
          ? texts.expected[issue.issues.some(({ message }) => message === 'rulePointer') ? 'rulePointer' : 'name']
          : describe(node, texts)
  // The settings of a server may contain credentials.
  if (issue.path[1] === 'mcp') return texts.wrongHidden({ expected })
  const choices = node.enum ?? node.anyOf?.find((one) => one.enum !== undefined)?.enum
  const meant = typeof found === 'string' && choices !== undefined ? nearest(found, choices) : undefined
  const wrong = texts.wrong({ found: clip(JSON.stringify(found) ?? 'nothing', 60), expected })
  return meant === undefined ? wrong : `${wrong}; ${texts.didYouMean({ name: JSON.stringify(meant) })}`
}

/** Rules whose message does not show the value found. */
const PLAIN_RULES = ['mcpServer', 'headerValue', 'ruleNames', 'idleRule', 'absolutePath', 'ruleComparison'] as const

function isPlainRule(rule: string): rule is (typeof PLAIN_RULES)[number] {
  return PLAIN_RULES.some((known) => known === rule)
}

/** Limits of rules; the value found would be too long to show. */
const BOUNDS = ['ruleCount', 'rulePattern', 'ruleReason'] as const

function isBound(rule: string): rule is (typeof BOUNDS)[number] {
  return BOUNDS.some((known) => known === rule)
}

/** The expected value of a setting, as a phrase. */
function describe(node: SchemaNode, texts: Texts): string {
  const { expected } = texts
  if (node.enum !== undefined) return expected.oneOf({ values: node.enum.map((value) => JSON.stringify(value)) })
  if (node.anyOf !== undefined) return node.anyOf.map((one) => describe(one, texts)).join(expected.or)
  if (node.pattern !== undefined) return expected.name
  switch (node.type) {
    case 'boolean':
      return expected.boolean
    case 'null':
      return 'null'
    case 'array':
      return expected.list({ of: describe(node.items ?? {}, texts) })
    case 'string':
      return expected.string
    case 'integer':
      return range(expected.integer, node, texts)
    case 'number':
      return range(expected.number, node, texts)
    default:
      return expected.object
  }
}

function range(kind: string, { minimum, maximum }: SchemaNode, texts: Texts): string {
  const min = minimum ?? Number.MIN_SAFE_INTEGER
  const max = maximum ?? Number.MAX_SAFE_INTEGER
  const bounded = max < Number.MAX_SAFE_INTEGER
  return bounded ? texts.expected.range({ kind, min, max }) : texts.expected.atLeast({ kind, min })
}

function rawAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw
  for (const key of path) value = Object(value)[key]
  return value
}

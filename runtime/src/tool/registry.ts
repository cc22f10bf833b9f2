/** All tools by name, with validators for their arguments. Hands out descriptions only. */
import { createRequire } from 'node:module'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject } from '../base/json.ts'
import { clip, nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import { misfitText, uncheckable } from '../i18n/form.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import type { Profile } from '../protocol/profile.ts'
import { runBounded } from './guard/bounded.ts'
import { seal } from './sealed.ts'
import type { Tool, ToolDescription } from './tool.ts'

export interface Fault {
  /** `http.allowed_domains.0`; empty for the arguments as a whole. */
  path: string
  text: string
  /** Ajv's keyword, and its place in the schema. */
  keyword: string
  schemaPath: string
  /** An unknown property. */
  key?: string | undefined
}

/** An MCP server chooses its schemas, and `pattern`, `uniqueItems` or `$ref` can make checking slow. */
const CHECKING_MS = 300

export class Registry {
  readonly #tools = new Map<string, ToolDescription>()
  readonly #exposed = new WeakMap<Profile, readonly ToolDescription[]>()

  constructor(tools: Iterable<Tool>) {
    for (const tool of tools) this.#register(tool)
  }

  get(name: string): ToolDescription | undefined {
    return this.#tools.get(name)
  }

  names(): string[] {
    return [...this.#tools.keys()]
  }

  all(): ToolDescription[] {
    return [...this.#tools.values()]
  }

  /** The tools a run under this profile may see. */
  exposedTo(profile: Profile): readonly ToolDescription[] {
    let tools = this.#exposed.get(profile)
    if (tools === undefined) {
      const { only, hidden } = profile.exposure
      tools = Object.freeze(this.all().filter(({ name }) => !hidden.includes(name) && (only?.includes(name) ?? true)))
      this.#exposed.set(profile, tools)
    }
    return tools
  }

  /** Schema violations, each with its path; empty when the arguments are valid. */
  misfits(tool: Pick<ToolDescription, 'schema'>, args: unknown, lang: Lang = 'en'): string[] {
    return this.faults(tool, args, lang).map(({ path, text }) => (path === '' ? text : `${path} ${text}`))
  }

  /** The same as data. */
  faults(tool: Pick<ToolDescription, 'schema'>, args: unknown, lang: Lang = 'en'): Fault[] {
    const check = checkOf(tool.schema)
    const fits = runBounded(() => check(args), CHECKING_MS)
    if (fits === undefined) return [{ path: '', text: uncheckable(lang), keyword: 'bounded', schemaPath: '' }]
    if (fits.value) return []
    return (check.errors ?? []).map(({ instancePath, parentSchema, schemaPath, ...misfit }) => {
      const { params, keyword } = misfit
      const key = 'additionalProperty' in params ? String(params.additionalProperty) : undefined
      const extra = key === undefined ? '' : unknownKeyText(key, parentSchema, lang)
      const choices = 'allowedValues' in params ? ` (${(params.allowedValues as unknown[]).join(', ')})` : ''
      const path = instancePath.slice(1).replaceAll('/', '.')
      const whole = path !== '' ? '' : lang === 'zh' ? '参数' : 'arguments '
      const text = `${whole}${misfitText(misfit, lang)}${extra}${choices}`
      return { path, text, keyword, schemaPath, key }
    })
  }

  #register(tool: Tool): void {
    if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(tool.name)) {
      throw new WritError('TOOL_NAME', { name: tool.name })
    }
    if (this.#tools.has(tool.name)) {
      throw new WritError('TOOL_TWICE', { name: tool.name })
    }
    this.#tools.set(tool.name, seal(tool))
  }
}

function unknownKeyText(key: string, schema: object | undefined, lang: Lang): string {
  const known = schema !== undefined && 'properties' in schema ? Object(schema.properties) : {}
  const meant = nearest(key, Object.keys(known))
  const { didYouMean } = messages(lang).config
  return ` ("${clip(key, 80)}"${meant === undefined ? '' : `; ${didYouMean({ name: `"${meant}"` })}`})`
}

/** Keyed by schema: tools that are in several registries are compiled once. */
const CHECKS = new WeakMap<JsonObject, ValidateFunction>()
let shared: Ajv2020 | undefined

function checkOf(schema: JsonObject): ValidateFunction {
  let check = CHECKS.get(schema)
  if (check === undefined) {
    // Ajv resolves an `$id` across all its schemas. Compiled alone, a schema cannot replace another one.
    if (JSON.stringify(schema).includes('"$id"')) check = newAjv().compile(schema)
    else {
      shared ??= newAjv()
      check = shared.compile(schema)
      // Otherwise Ajv keeps every schema it has compiled.
      shared.removeSchema(schema)
    }
    CHECKS.set(schema, check)
  }
  return check
}

/**
 * Loaded at the first check: a run that calls no tool does not pay for it. Schemas are not validated against the
 * meta-schema, which takes longer to compile than all of ours; compiling finds invalid schemas.
 */
function newAjv(): Ajv2020 {
  const load = createRequire(import.meta.url)
  const { Ajv2020: Ajv } = load('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv2020 }
  return new Ajv({ allErrors: true, verbose: true, strict: false, validateFormats: false, validateSchema: false })
}

/** All tools by name, with validators for their arguments. Hands out descriptions only. */
import { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Profile } from '../protocol/profile.ts'
import { type Fault, schemaFaults } from './schema-check.ts'
import { seal } from './sealed.ts'
import type { Tool, ToolDescription } from './tool.ts'

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
    return schemaFaults(tool.schema, args, { lang, whole: lang === 'zh' ? '参数' : 'arguments ' })
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

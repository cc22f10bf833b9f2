/** What a server's tool does to the world: as its user declared it, else as its name and hints suggest. */
import type { McpToolDeclaration } from '../../config/schema.ts'
import { familyOf } from '../../intent/families.ts'
import type { TargetFact } from '../../protocol/facts.ts'
import type { ToolFamily } from '../../protocol/intent.ts'
import type { RiskLevel } from '../../protocol/risk.ts'
import type { Definition } from './definition.ts'

export interface Traits {
  family: ToolFamily
  risk: RiskLevel
  readOnly: boolean
  targets(args: Record<string, unknown>): TargetFact[]
}

export function traitsOf(offered: string, { annotations }: Definition, declared: McpToolDeclaration = {}): Traits {
  const readOnly = declared.readOnly ?? annotations.readOnlyHint === true
  const { targetParams } = declared
  return {
    family: familyOf(offered, declared.family),
    risk: declared.risk ?? (readOnly ? 'Low' : 'Medium'),
    readOnly,
    targets: (args) =>
      Object.entries(args).flatMap(([param, value]) => {
        const texts = [value].flat().filter((one) => typeof one === 'string')
        if (targetParams?.includes(param))
          return texts.map((text) => ({ kind: kindOf(param, text) ?? 'name', value: text }))
        if (targetParams !== undefined) return []
        return texts.flatMap((text) => {
          const kind = kindOf(param, text)
          return kind === undefined ? [] : [{ kind, value: text }]
        })
      }),
  }
}

function kindOf(param: string, value: string): TargetFact['kind'] | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value)) return 'url'
  if (/^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(value)) return 'email'
  if (/^(?:\/|\.\.?\/|~\/)\S/.test(value) || /path|file|dir|folder|^(?:source|destination)$/i.test(param)) return 'path'
  if (/host|domain/i.test(param)) return 'host'
  return /^\+?[\d\s().-]{7,20}$/.test(value) && /phone|tel|mobile|^to$/i.test(param) ? 'phone' : undefined
}

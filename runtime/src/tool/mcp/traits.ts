/** What a server's tool does: as declared by the user, otherwise inferred from its name and hints. */
import { fileURLToPath } from 'node:url'
import { familyOf } from '../../intent/families.ts'
import { addressKind } from '../../language/addresses.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import type { ToolFamily } from '../../protocol/intent.ts'
import type { RiskLevel } from '../../protocol/risk.ts'
import { type DeclaredTool, inferTool } from '../infer.ts'
import type { Definition } from './definition.ts'

export interface Traits {
  family: ToolFamily
  risk: RiskLevel
  readOnly: boolean
  deedOf(args: unknown): Deed
  targets(args: Record<string, unknown>): TargetFact[]
}

type Declared = Pick<DeclaredTool, 'family' | 'risk' | 'readOnly' | 'deed' | 'targetParams'>

export function traitsOf(offered: string, definition: Definition, declared: Declared = {}): Traits {
  const { name, description, schema, annotations } = definition
  const { family, risk, readOnly, deedOf, targetsOf } = inferTool({
    name,
    description,
    schema,
    annotations: { readOnlyHint: annotations.readOnlyHint === true },
    ...declared,
  })
  return {
    family: family === 'unknown' ? familyOf(offered) : family,
    risk,
    readOnly,
    deedOf,
    targets: (args) => {
      const seen = new Set<string>()
      const all = [...placesIn(args, declared.targetParams), ...targetsOf(args)]
      // "shop.example/x" may be a file and an address: then it is judged as both.
      const id = ({ kind, value }: TargetFact) => `${value.trim()} ${kind === 'path' ? kind : ''}`
      return all.filter((target) => !seen.has(id(target)) && seen.add(id(target)))
    },
  }
}

/** Paths and addresses: the gate judges where they lead, whatever the parameter is called. */
function placesIn(args: Record<string, unknown>, targetParams?: readonly string[]): TargetFact[] {
  return Object.entries(args).flatMap(([param, value]) => {
    const texts = [value].flat().filter((one) => typeof one === 'string')
    const named = targetParams?.includes(param)
    if (targetParams !== undefined && !named) return []
    return texts.flatMap((text): TargetFact[] => {
      const kind = kindOf(param, text) ?? (named ? 'name' : undefined)
      return kind === undefined ? [] : [{ kind, value: text }]
    })
  })
}

function kindOf(param: string, value: string): TargetFact['kind'] | undefined {
  const address = addressKind(value)
  if (address === 'url' && /:\/\/|@/.test(value)) return 'url'
  if (/^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(value)) return 'email'
  if (/^(?:\/|\.\.?\/|~\/)\S/.test(value) || /path|file|dir|folder|^(?:source|destination)$/i.test(param)) return 'path'
  if (address !== undefined || /host|domain/i.test(param)) return address ?? 'host'
  return /^\+?[\d\s().-]{7,20}$/.test(value) && /phone|tel|mobile|^to$/i.test(param) ? 'phone' : undefined
}

/** A path argument of these families is rarely a path on this machine. */
export const ELSEWHERE: ReadonlySet<ToolFamily> = new Set(['network', 'browser', 'memory', 'task'])

/** The file on this machine that a target names. */
export function localPath({ kind, value }: TargetFact): string[] {
  if (kind === 'path') return [value]
  if (kind !== 'url' || !/^file:/i.test(value)) return []
  try {
    return [fileURLToPath(value)]
  } catch {
    return [value]
  }
}

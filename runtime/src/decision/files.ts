/** Where the targets of a batch really lead, looked at before the gate judges them. */
import type { Intent, StructuredContext } from '../protocol/action.ts'
import type { PathFact } from '../protocol/facts.ts'
import { describePath } from '../tool/guard/paths.ts'
import type { World } from '../tool/tool.ts'

/** One fact for each target that is a path: it was observed as one, or is written as one. */
export async function filesAmong(
  intents: readonly Intent[],
  { paths }: StructuredContext,
  world: World,
): Promise<PathFact[]> {
  const observed = new Set(paths)
  const targets = new Set(intents.flatMap(({ suggested_actions }) => suggested_actions.map(({ target }) => target)))
  const files = [...targets].filter(
    (target): target is string => target !== null && target !== '' && (observed.has(target) || target.includes('/')),
  )
  const found: PathFact[] = []
  for (const path of files) found.push(await describePath({ path, access: 'read' }, world))
  return found
}

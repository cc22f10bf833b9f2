/**
 * What file_edit and apply_patch share: the files are read and the result is computed before the gate judges the call,
 * and again before it is written. Unless both are equal, nothing is written.
 */
import { WritError } from '../../errors/writ-error.ts'
import { riskOfWriting } from '../guard/autorun-files.ts'
import { blockedBy, describePath } from '../guard/paths.ts'
import type { CallFacts, ToolContext, World } from '../tool.ts'
import { basisOf, commitChanges, type FileChange } from './changes.ts'
import { previewOf } from './diff.ts'

type Plan = () => Promise<FileChange[]>

const MAX_NAMED = 3

/** `paths` are all that the call would write, as the model wrote them. */
export async function editFacts(paths: readonly string[], world: World, plan: Plan): Promise<CallFacts> {
  const facts = await Promise.all(paths.map((path) => describePath({ path, access: 'write' }, world)))
  const targets = paths.map((path) => ({ kind: 'path' as const, value: path }))
  const written: CallFacts = {
    ...riskOfWriting(facts, world),
    readOnly: false,
    paths: facts,
    targets,
    preview: `edit ${paths.join(', ')}`,
  }
  const isOpen = facts.every(
    (fact) => fact.insideWorkspace && !fact.isProtected && !fact.isClosed && blockedBy(fact, world) === undefined,
  )
  // The gate denies it; the content must not get into the preview.
  if (!isOpen) return written
  try {
    const changes = await plan()
    return { ...written, preview: previewOf(changes), basis: basisOf(changes) }
  } catch {
    // A call that cannot succeed only reads: no one is asked about it, and without a basis it cannot write.
    const read = facts.map((fact) => ({ ...fact, access: 'read' as const }))
    return { risk: 'Low', readOnly: true, paths: read, targets, preview: `read ${paths.join(', ')}` }
  }
}

export async function carryOut(plan: Plan, { basis, signal, world }: ToolContext): Promise<FileChange[]> {
  const changes = await plan()
  if (basisOf(changes) !== basis) {
    throw new WritError('FILE_CHANGED', {
      path: changes
        .slice(0, MAX_NAMED)
        .map(({ path }) => path)
        .join(', '),
    })
  }
  await commitChanges(changes, { signal, roots: [world.workspace, ...(world.writePaths ?? [])] })
  return changes
}

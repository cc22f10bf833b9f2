/** What tools that read files of the workspace have in common. */
import { describePath } from './guard/paths.ts'
import type { CallFacts, World } from './tool.ts'

export const READS_FILES = { family: 'filesystem', risk: 'Low', trust: 'external', readOnly: true } as const

interface Reading {
  path: string
  preview: string
}

export async function describeReading({ path, preview }: Reading, world: World): Promise<CallFacts> {
  return {
    risk: 'Low',
    readOnly: true,
    paths: [await describePath({ path, access: 'read' }, world)],
    targets: [{ kind: 'path', value: path }],
    preview,
  }
}

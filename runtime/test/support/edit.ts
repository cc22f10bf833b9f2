/** Calls a tool that writes files as a run does: facts first, then with the basis that was judged. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { applyPatchTool } from '../../src/tool/builtin/apply-patch.ts'
import { fileEditTool } from '../../src/tool/builtin/file-edit.ts'
import type { Replacement } from '../../src/tool/edit/replacement.ts'
import type { CallFacts, ToolOutput, World } from '../../src/tool/tool.ts'
import { callIn } from './call.ts'
import { memoryFolder } from './temporary.ts'

export interface Edited {
  facts: CallFacts
  output: ToolOutput
}

export function editor(workspace: string, own: Partial<World> = {}) {
  const protectedPaths = [join(workspace, '.writ')]
  const env = { HOME: join(workspace, '..') }
  const world: World = {
    workspace,
    protectedPaths,
    blockedPaths: ['.env'],
    allowedHosts: [],
    env,
    sandbox: 'off',
    ...own,
  }
  const context = (facts: CallFacts) => callIn(world, facts.basis === undefined ? {} : { basis: facts.basis })
  return {
    world,
    async edit(args: Replacement, between: () => void = () => {}): Promise<Edited> {
      const facts = (await fileEditTool.preValidate?.(args, world, callIn(world))) ?? {}
      between()
      return { facts, output: await fileEditTool.execute(args, context(facts)) }
    },
    async apply(patch: string, between: () => void = () => {}): Promise<Edited> {
      const facts = (await applyPatchTool.preValidate?.({ patch }, world, callIn(world))) ?? {}
      between()
      return { facts, output: await applyPatchTool.execute({ patch }, context(facts)) }
    },
  }
}

/** A folder of its own, with links resolved. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(memoryFolder(), 'writ-edit-')))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

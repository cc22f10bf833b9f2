import { WritError } from '../../errors/writ-error.ts'
import { type FileChange, readCurrent } from '../edit/changes.ts'
import { carryOut, editFacts } from '../edit/edit-call.ts'
import { type Replacement, replaceText } from '../edit/replacement.ts'
import { decodeText } from '../edit/text.ts'
import { claimPath, pathFailure } from '../guard/paths.ts'
import { defineTool, type ToolOutput, type World } from '../tool.ts'

export const fileEditTool = defineTool<Replacement>({
  name: 'file_edit',
  description:
    'Replace text in a file. old must be copied exactly and occur once, unless all is true. Both are literal text. Keeps line endings and mode.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'Path of the file, relative to the workspace.' },
      old: { type: 'string', minLength: 1, description: 'The text to replace.' },
      new: { type: 'string', description: 'The text to put in its place.' },
      all: { type: 'boolean', description: 'Replace every occurrence.' },
    },
    required: ['path', 'old', 'new'],
    additionalProperties: false,
  },
  family: 'filesystem',
  risk: 'Medium',
  trust: 'external',
  readOnly: false,

  preValidate: (edit, world) => editFacts([edit.path], world, () => plan(edit, world)),

  async execute(edit, context): Promise<ToolOutput> {
    try {
      await carryOut(() => plan(edit, context.world), context)
      return { ok: true, text: `edited ${edit.path}` }
    } catch (error) {
      return pathFailure(error, edit.path)
    }
  },
})

async function plan(edit: Replacement, world: World): Promise<FileChange[]> {
  const { path } = edit
  const real = await claimPath({ path, access: 'write' }, world)
  const before = await readCurrent({ path, real })
  if (before === undefined) throw new WritError('FILE_MISSING', { path })
  const content = Buffer.from(replaceText(decodeText(before.content, path), edit))
  return [{ path, real, before, after: { content, like: before.stat } }]
}

import { lstat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import { why } from '../../i18n/why.ts'
import { type CurrentFile, type FileChange, readCurrent } from '../edit/changes.ts'
import { carryOut, editFacts } from '../edit/edit-call.ts'
import { applyHunks, type SearchBudget } from '../edit/hunks.ts'
import { type FilePatch, parsePatch } from '../edit/patch.ts'
import { decodeText, MAX_FILE } from '../edit/text.ts'
import { claimPath, pathFailure } from '../guard/paths.ts'
import { type CallFacts, defineTool, type ToolOutput, type World } from '../tool.ts'

const MAX_FILES = 200
/** Of the files that it deletes. */
const MAX_NAMED = 3
const MAX_PATCH = 4 * 1024 * 1024
const MAX_TOTAL = 64 * 1024 * 1024
const MAX_SEARCHED = 10_000_000

interface ApplyPatchArgs {
  patch: string
}

export const applyPatchTool = defineTool<ApplyPatchArgs>({
  name: 'apply_patch',
  description:
    'Apply a unified diff, as git diff writes it, to one or more files: change, create (--- /dev/null), delete (+++ /dev/null), rename. All of it is applied, or nothing. Context lines must match exactly.',
  schema: {
    type: 'object',
    properties: {
      patch: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_PATCH,
        description: 'The diff, with paths relative to the workspace.',
      },
    },
    required: ['patch'],
    additionalProperties: false,
  },
  family: 'filesystem',
  risk: 'Medium',
  trust: 'external',
  readOnly: false,

  async preValidate({ patch }, world): Promise<CallFacts> {
    const files = attempt(() => filesOf(patch))
    const paths = files?.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path])) ?? []
    const facts = await editFacts(paths, world, () => plan(patch, world))
    const deleted = files?.flatMap(({ kind, path }) => (kind === 'delete' ? [path] : [])) ?? []
    const deletes = deleted.length > 0
    const writes = files?.some(({ kind }) => kind !== 'delete')
    const kinds = [...(writes ? ['write'] : []), ...(deletes ? ['delete'] : [])]
    // Deleting loses work: it needs approval every time, like `rm`.
    const named = { paths: deleted.slice(0, MAX_NAMED).join(', '), more: Math.max(0, deleted.length - MAX_NAMED) }
    const lost = { deed: 'delete', risk: 'High', riskWhy: why('deletesFiles', named) } as const
    return { ...facts, approvalKeys: kinds, ...(deletes && !facts.readOnly && lost) }
  },

  async execute({ patch }, context): Promise<ToolOutput> {
    try {
      await carryOut(() => plan(patch, context.world), context)
      return { ok: true, text: filesOf(patch).map(described).join('\n') }
    } catch (error) {
      return pathFailure(error, 'a file of the patch')
    }
  },
})

const DONE = { change: 'changed', create: 'created', delete: 'deleted', rename: 'renamed' } as const

function described({ kind, path, from }: FilePatch): string {
  return from === undefined ? `${DONE[kind]} ${path}` : `${DONE[kind]} ${from} to ${path}`
}

/** Undefined: the patch is invalid, which `plan` reports. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof WritError) return undefined
    throw error
  }
}

function filesOf(patch: string): FilePatch[] {
  const files = parsePatch(patch)
  if (files.length > MAX_FILES) throw new WritError('PATCH_INVALID.tooMany', { most: MAX_FILES })
  return files
}

async function plan(patch: string, world: World): Promise<FileChange[]> {
  const changes: FileChange[] = []
  const budget: SearchBudget = { lines: MAX_SEARCHED }
  const seen = new Set<string>()
  let bytes = 0
  const current = async (path: string) => {
    const real = await claimPath({ path, access: 'write' }, world)
    if (seen.has(real)) throw new WritError('PATCH_INVALID.twice', { path })
    seen.add(real)
    const file = await readCurrent({ path, real })
    bytes += file?.content.length ?? 0
    if (bytes > MAX_TOTAL) throw new WritError('FILE_TOO_LARGE', { path, most: MAX_TOTAL })
    return { path, real, file }
  }
  for (const patched of filesOf(patch)) {
    const { kind, path, from } = patched
    const target = await current(path)
    const source = from === undefined ? target : await current(from)
    // Through a link, the file it leads to would disappear, and the link would stay.
    if ((kind === 'delete' || kind === 'rename') && (await isLink(source.path, world))) {
      throw new WritError('PATH_NOT_A_FILE', { path: source.path })
    }
    if (kind === 'create' || kind === 'rename') {
      if (target.file !== undefined) throw new WritError('PATCH_FAILED.exists', { path })
    }
    if (kind !== 'create' && source.file === undefined) throw new WritError('FILE_MISSING', { path: source.path })
    const after = contentAfter(patched, source.file, budget)
    if (kind === 'delete') {
      if (after.length > 0) throw new WritError('PATCH_FAILED.rest', { path })
      changes.push(change(target))
      continue
    }
    const { executable } = patched
    changes.push({
      ...change(target),
      after: {
        content: after,
        ...(source.file && { like: source.file.stat }),
        ...(executable !== undefined && { executable }),
      },
      ...(from !== undefined && source.file && { from: { path: from, file: source.file } }),
    })
    if (from !== undefined) changes.push({ ...change(source), isMoved: true })
  }
  return changes
}

function change({ path, real, file }: { path: string; real: string; file: CurrentFile | undefined }): FileChange {
  return { path, real, ...(file && { before: file }) }
}

async function isLink(path: string, { workspace }: World): Promise<boolean> {
  return (await lstat(resolve(workspace, path)).catch(() => undefined))?.isSymbolicLink() ?? false
}

/** A file that is only renamed, made executable or deleted empty may be binary. */
function contentAfter({ path, hunks }: FilePatch, file: CurrentFile | undefined, budget: SearchBudget): Buffer {
  if (hunks.length === 0) return file?.content ?? Buffer.alloc(0)
  const text = file === undefined ? '' : decodeText(file.content, path)
  const after = Buffer.from(applyHunks(text, { path, hunks, budget }))
  if (after.length > MAX_FILE) throw new WritError('FILE_TOO_LARGE', { path, most: MAX_FILE })
  return after
}

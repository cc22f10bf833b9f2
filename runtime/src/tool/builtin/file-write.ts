import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import { clipPreview } from '../../protocol/preview.ts'
import { riskOfWriting } from '../guard/autorun-files.ts'
import { syncFolder, writeDraft } from '../guard/drafts.ts'
import { claimPath, describePath, pathFailure, withFolder } from '../guard/paths.ts'
import { defineTool, type ToolOutput } from '../tool.ts'

const MAX_DIFFED = 256 * 1024
const MAX_PREVIEW = 8_000
const DIFF_MS = 500

interface FileWriteArgs {
  path: string
  content: string
}

export const fileWriteTool = defineTool<FileWriteArgs>({
  name: 'file_write',
  description: 'Write a text file, replacing its content. Missing folders are created. Give the whole content.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'Path of the file, relative to the workspace.' },
      content: { type: 'string', description: 'The whole new content.' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  family: 'filesystem',
  risk: 'Medium',
  trust: 'external',
  readOnly: false,
  idempotent: true,

  async preValidate({ path, content }, world) {
    const fact = await describePath({ path, access: 'write' }, world)
    return {
      ...riskOfWriting([fact], world),
      readOnly: false,
      paths: [fact],
      targets: [{ kind: 'path', value: path }],
      preview: fact.insideWorkspace && !fact.isProtected ? await preview(fact.real, path, content) : `write ${path}`,
    }
  },

  async execute({ path, content }, { world, signal }): Promise<ToolOutput> {
    try {
      const real = await claimPath({ path, access: 'write' }, world)
      await mkdir(dirname(real), { recursive: true })
      signal.throwIfAborted()
      await withFolder(dirname(real), (at) => replace(at, basename(real), content))
      return { ok: true, text: `wrote ${Buffer.byteLength(content)} bytes to ${path}` }
    } catch (error) {
      return pathFailure(error, path)
    }
  },
})

/** Atomic: at any moment the file has either the old or the new content. */
async function replace(at: (name: string) => string, name: string, content: string): Promise<void> {
  const old = await lstat(at(name)).catch(() => undefined)
  if (old !== undefined && !old.isFile()) throw new WritError('PATH_NOT_A_FILE', { path: name })
  const draft = await writeDraft(at, { content, ...(old && { like: old }) })
  try {
    await rename(at(draft), at(name))
  } catch (error) {
    await rm(at(draft), { force: true })
    throw error
  }
  await syncFolder(at)
}

async function preview(real: string, path: string, content: string): Promise<string> {
  const stat = await lstat(real).catch(() => undefined)
  if (stat !== undefined && !stat.isFile()) return `write ${path}, which is not a regular file`
  if ((stat?.size ?? 0) > MAX_DIFFED || content.length > MAX_DIFFED) {
    return `replace ${path} (${stat?.size ?? 0} bytes) by ${Buffer.byteLength(content)} bytes, too long to compare`
  }
  const old = stat === undefined ? '' : await readFile(real, 'utf8').catch(() => '')
  const { createTwoFilesPatch } = await import('diff')
  const patch = createTwoFilesPatch(stat === undefined ? '/dev/null' : path, path, old, content, '', '', {
    timeout: DIFF_MS,
  })
  // The library begins with lines of its own.
  const diff = patch?.replace(/^(?:Index: .*\n)?=+\n/, '')
  return clipPreview(diff ?? `replace ${path} (${old.length} characters) by ${content.length} characters`, MAX_PREVIEW)
}

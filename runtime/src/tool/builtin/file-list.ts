import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { EMPTY_RESULTS } from '../../protocol/empty-results.ts'
import { describeReading, READS_FILES } from '../file-reading.ts'
import { claimPath, pathFailure, withFolder } from '../guard/paths.ts'
import { outputsWithout } from '../outputs.ts'
import { defineTool, type ToolOutput } from '../tool.ts'

const NOTHING = EMPTY_RESULTS.folder
const MAX_ENTRIES = 1_000

export const fileListTool = defineTool<{ path: string }>({
  name: 'file_list',
  description: 'List a folder of the workspace: folders first, marked `/`; links marked `@`; files with their size.',
  schema: {
    type: 'object',
    properties: {
      path: {
        type: 'string',
        minLength: 1,
        description: 'Path of the folder, relative to the workspace; `.` for itself.',
      },
    },
    required: ['path'],
    additionalProperties: false,
  },
  ...READS_FILES,
  outputs: outputsWithout(NOTHING),

  preValidate: ({ path }, world) => describeReading({ path, preview: `list ${path}` }, world),

  async execute({ path }, { world }): Promise<ToolOutput> {
    try {
      return await withFolder(await claimPath({ path, access: 'read' }, world), async (at) => {
        const entries = await readdir(at('.'), { withFileTypes: true })
        entries.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1))
        const lines = await Promise.all(entries.slice(0, MAX_ENTRIES).map((entry) => show(entry, at(entry.name))))
        if (entries.length > MAX_ENTRIES) lines.push(`[${entries.length - MAX_ENTRIES} more entries left out]`)
        return { ok: true, text: lines.length === 0 ? NOTHING : lines.join('\n') }
      })
    } catch (error) {
      return pathFailure(error, path)
    }
  },
})

async function show(entry: Dirent, path: string): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`
  if (entry.isSymbolicLink()) return `${entry.name}@ -> ${await readlink(path).catch(() => '?')}`
  if (!entry.isFile()) return `${entry.name} (special)`
  // The entry may have been deleted since; its name is still worth showing.
  const size = await lstat(path).then(
    ({ size }) => `${size} bytes`,
    () => 'gone',
  )
  return `${entry.name} (${size})`
}

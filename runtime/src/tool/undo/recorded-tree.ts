/** The entries of a recorded tree, with its folders. */
import type { Entry, Tree } from './plan.ts'
import type { Shadow } from './shadow.ts'

export function plainPerm(isExecutable: boolean): number {
  return isExecutable ? 0o755 : 0o644
}

export async function readTree(
  shadow: Shadow,
  { tree, perms, folders }: { tree: string; perms: Record<string, number>; folders: Record<string, number> },
): Promise<Tree> {
  const listing = (await shadow.git(['ls-tree', '-r', '-z', '--full-tree', tree])).toString('latin1')
  const entries = listing.split('\0').flatMap((line): [string, Entry][] => {
    const [, mode = '', id = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t([\s\S]*)$/.exec(line) ?? []
    if (id === '') return []
    if (mode === '120000') return [[path, { kind: 'link', id, perm: 0 }]]
    const perm = Object.hasOwn(perms, path) ? perms[path] : undefined
    return [[path, { kind: 'file', id, perm: perm ?? plainPerm(mode === '100755') }]]
  })
  for (const [path, perm] of Object.entries(folders)) entries.push([path, { kind: 'folder', id: '', perm }])
  return new Map(entries)
}

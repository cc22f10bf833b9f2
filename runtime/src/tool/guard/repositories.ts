/**
 * What in a repository decides which programs git runs. A command in the fence must not leave any of it behind: the
 * next `git status`, ours or the user's, runs outside.
 */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isSafeGitConfig } from './git-settings.ts'
import { isWithin } from './paths.ts'

/** Says that the repository is its own common folder, which is so anyway: left behind by a kill, it changes nothing. */
const OWN = '.\n'

interface Name {
  name: string
  kind: 'file' | 'folder'
  /** What stands at the name while nothing else does. */
  text?: string
}

const SHUT: readonly Name[] = [
  { name: 'config', kind: 'file', text: '' },
  { name: 'config.worktree', kind: 'file', text: '' },
  { name: 'commondir', kind: 'file', text: OWN },
  { name: 'info/attributes', kind: 'file', text: '' },
  { name: 'objects/info/alternates', kind: 'file', text: '' },
  { name: 'hooks', kind: 'folder' },
  { name: 'worktrees', kind: 'folder' },
  { name: 'branches', kind: 'folder' },
  { name: 'remotes', kind: 'folder' },
]
const MAX_MODULES = 100

export interface ShutNames {
  /** All of them exist, so that each can be held shut without a name that is not there being shown. */
  paths: string[]
  release(): void
}

/** Holds, for one command, the names shut in the workspace's own repository and its submodules. */
export function shutRepository(workspace: string, opened: readonly string[]): ShutNames {
  const git = join(workspace, '.git')
  const stat = lookAt(git)
  if (stat === undefined) return { paths: [], release: () => {} }
  if (!stat.isDirectory()) return { paths: [git], release: () => {} }
  const folders = [git, ...modulesBelow(join(git, 'modules'))]
  const isOpen = (path: string): boolean => opened.some((outer) => isWithin(path, outer))
  const names = folders.flatMap((folder) =>
    SHUT.map((entry) => ({ ...entry, path: join(folder, entry.name) })).filter(({ path }) => !isOpen(path)),
  )
  const made = names.flatMap((name) => hold(name))
  return {
    paths: names.map(({ path }) => path),
    release() {
      for (const path of made) letGo(path)
    },
  }
}

/** How many commands of this process need what stands at a name. */
const held = new Map<string, number>()

/** Answers the path when it had to be made. */
function hold({ path, kind, text = '' }: Name & { path: string }): string[] {
  const users = held.get(path)
  if (users === undefined && lookAt(path) !== undefined && !isLeftOver(path)) return []
  held.set(path, (users ?? 0) + 1)
  if (users === undefined) {
    mkdirSync(dirname(path), { recursive: true })
    if (kind === 'folder') mkdirSync(path, { recursive: true })
    else writeFileSync(path, text, { flag: 'w' })
  }
  return [path]
}

function letGo(path: string): void {
  const users = (held.get(path) ?? 1) - 1
  if (users > 0) {
    held.set(path, users)
    return
  }
  held.delete(path)
  try {
    const stat = lstatSync(path)
    if (stat.isDirectory()) rmdirSync(path)
    else if (stat.isFile() && (stat.size === 0 || isLeftOver(path))) unlinkSync(path)
  } catch {
    // It is gone, or holds something by now.
  }
}

/** A process that was killed could not take it away. */
function isLeftOver(path: string): boolean {
  return path.endsWith('/commondir') && readText(path) === OWN
}

/** `.git/modules/NAME`, where names may have slashes and repositories others in them. */
function modulesBelow(folder: string, depth = 4): string[] {
  if (depth === 0) return []
  const found = foldersIn(folder).flatMap((path) =>
    looksBare(new Set(namesIn(path)))
      ? [path, ...modulesBelow(join(path, 'modules'), depth - 1)]
      : modulesBelow(path, depth - 1),
  )
  return found.slice(0, MAX_MODULES)
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name))
  } catch {
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const READ_AT_ONCE = 64
const MAX_FOLDERS = 100_000
/** What is installed there is replaced as a whole, and no tool of a person opens a repository in it. */
const PASSED_OVER = new Set(['node_modules'])

interface Look {
  ino: number
  /** What each deciding file looked like. */
  files: ReadonlyMap<string, string>
}

/** What every repository below the workspace looked like, by the path of its folder or its `.git` file. */
export type Repositories = ReadonlyMap<string, Look>

export async function repositoriesBelow(workspace: string): Promise<Repositories> {
  const found = new Map<string, Look>()
  const pending = [workspace]
  let seen = 0
  while (pending.length > 0 && seen < MAX_FOLDERS) {
    const now = pending.splice(0, READ_AT_ONCE)
    seen += now.length
    const listed = await Promise.all(now.map((path) => readdir(path, { withFileTypes: true }).catch(() => [])))
    listed.forEach((entries, i) => {
      const folder = now[i] ?? workspace
      if (looksBare(new Set(entries.map((entry) => entry.name)))) found.set(folder, lookOf(folder))
      for (const entry of entries) {
        const path = join(folder, entry.name)
        if (entry.name === '.git') found.set(path, lookOf(path))
        else if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) pending.push(path)
      }
    })
  }
  return found
}

/** Git takes any folder for a repository that has these. */
function looksBare(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
}

function lookOf(path: string): Look {
  const stat = lookAt(path)
  const files = stat?.isDirectory() === true ? decidingFiles(path) : [path]
  return { ino: stat?.ino ?? 0, files: new Map(files.map((file) => [file, markOf(file)])) }
}

function decidingFiles(folder: string): string[] {
  const hooks = join(folder, 'hooks')
  const names = namesIn(hooks).filter((name) => !name.endsWith('.sample'))
  const replaced = lookAt(hooks)?.isDirectory() === false ? [hooks] : []
  const own = ['config', 'config.worktree', 'commondir'].map((name) => join(folder, name))
  return [...own, ...replaced, ...names.map((name) => join(hooks, name))].filter((file) => lookAt(file) !== undefined)
}

function markOf(file: string): string {
  const stat = lookAt(file)
  return stat === undefined ? '' : [stat.ino, stat.ctimeMs, stat.size, stat.mode].join(' ')
}

/** The files, new or changed since, through which git would run a program or look elsewhere. */
export async function plantedIn(workspace: string, before: Repositories): Promise<string[]> {
  const now = await repositoriesBelow(workspace)
  const planted = [...now].flatMap(([path, look]) => {
    const then = before.get(path)
    const isSame = then?.ino === look.ino
    const changed = [...look.files].filter(([file, mark]) => !isSame || then.files.get(file) !== mark)
    return changed.flatMap(([file]) => dangersAt(file, { repository: path, workspace }))
  })
  return [...new Set(planted)]
}

function dangersAt(file: string, at: { repository: string; workspace: string }): string[] {
  if (file === at.repository) return behindLink(file, at.workspace)
  const name = basename(file)
  if (dirname(file) !== at.repository || name === 'hooks') return [file]
  const text = readText(file)
  if (text === undefined) return [file]
  if (name === 'commondir') return leadsHome(text, at) ? [] : [file]
  const isInside = (path: string): boolean => isWithin(resolve(at.repository, path), at.workspace)
  return isSafeGitConfig(text, isInside) ? [] : [file]
}

/** A `.git` that is a file or a link: the repository it names may lie where this search does not go. */
function behindLink(path: string, workspace: string): string[] {
  const target = gitFileTarget(path)
  if (target === undefined || !isWithin(target, workspace)) return [path]
  return decidingFiles(target).flatMap((file) => dangersAt(file, { repository: target, workspace }))
}

/** True of a linked worktree of the workspace's own repository, and of one that names itself. */
function leadsHome(text: string, { repository, workspace }: { repository: string; workspace: string }): boolean {
  const target = text.trim() === '' ? undefined : resolve(repository, text.trim())
  return target === repository || target === join(workspace, '.git')
}

function gitFileTarget(path: string): string | undefined {
  try {
    if (lstatSync(path).isSymbolicLink()) return realpathSync(path)
    const named = /^gitdir: (.+?)\s*$/.exec(readText(path) ?? '')?.[1]
    return named === undefined ? undefined : realpathSync(resolve(dirname(path), named))
  } catch {
    return undefined
  }
}

function readText(path: string): string | undefined {
  try {
    const stat = lstatSync(path)
    return stat.isFile() && stat.size < 1_000_000 ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

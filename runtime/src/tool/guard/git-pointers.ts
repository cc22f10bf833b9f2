/** Files with which one folder says that git finds its repository, or a part of it, in another. */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { lookAt, namesIn, readText } from './repositories.ts'

/** The repository that a `.git` file or link names. Undefined where there is none. */
export function gitFileTarget(path: string): string | undefined {
  try {
    if (lstatSync(path).isSymbolicLink()) return realpathSync(path)
    const named = /^gitdir: (.+)$/.exec(withoutLineEnd(readText(path) ?? ''))?.[1]
    return named === undefined ? undefined : realpathSync(resolve(dirname(path), named))
  } catch {
    return undefined
  }
}

/** Where a repository has its settings and hooks, if not in itself. */
export function commonFolder(repository: string): string | undefined {
  const text = withoutLineEnd(readText(join(repository, 'commondir')) ?? '')
  try {
    return text === '' ? undefined : realpathSync(resolve(repository, text))
  } catch {
    return undefined
  }
}

/** As git does it: a space at the end belongs to the name. */
function withoutLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '')
}

/** What decides in a repository which programs git runs. */
export function decidingFiles(folder: string): string[] {
  const hooks = join(folder, 'hooks')
  const names = namesIn(hooks).filter((name) => !name.endsWith('.sample'))
  const replaced = lookAt(hooks)?.isDirectory() === false ? [hooks] : []
  const own = ['config', 'config.worktree', 'commondir'].map((name) => join(folder, name))
  return [...own, ...replaced, ...names.map((name) => join(hooks, name))].filter((file) => lookAt(file) !== undefined)
}

/** Differs when the file does, and when it leads elsewhere than before. */
export function markOf(file: string): string {
  const stat = lookAt(file)
  if (stat === undefined) return ''
  const own = [stat.ino, stat.ctimeMs, stat.size, stat.mode]
  if (file.endsWith('/.git')) return [...own, gitFileTarget(file)].join(' ')
  if (file.endsWith('/commondir')) return [...own, commonFolder(dirname(file))].join(' ')
  const behind = stat.isSymbolicLink() ? statSync(file, { throwIfNoEntry: false }) : undefined
  return [...own, behind?.ino, behind?.ctimeMs].join(' ')
}

/** Files through which a folder points to a repository, or to a part of it, in another folder. */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { namesIn, readText, statOf } from './repository-locks.ts'

/** The repository that a `.git` file or link names; undefined when there is none. */
export function gitFileTarget(path: string): string | undefined {
  try {
    if (lstatSync(path).isSymbolicLink()) return realpathSync(path)
    const named = /^gitdir: (.+)$/.exec(withoutLineEnd(readText(path) ?? ''))?.[1]
    return named === undefined ? undefined : realpathSync(resolve(dirname(path), named))
  } catch {
    return undefined
  }
}

/** The folder with a repository's settings and hooks, if it is another one. */
export function commonFolder(repository: string): string | undefined {
  const text = withoutLineEnd(readText(join(repository, 'commondir')) ?? '')
  try {
    return text === '' ? undefined : realpathSync(resolve(repository, text))
  } catch {
    return undefined
  }
}

/** Like git: a trailing space belongs to the name. */
function withoutLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '')
}

/** The files of a repository that decide which programs git runs. */
export function hookAndConfigFiles(folder: string): string[] {
  const hooks = join(folder, 'hooks')
  const names = namesIn(hooks).filter((name) => !name.endsWith('.sample'))
  const replaced = statOf(hooks)?.isDirectory() === false ? [hooks] : []
  const own = ['config', 'config.worktree', 'commondir'].map((name) => join(folder, name))
  return [...own, ...replaced, ...names.map((name) => join(hooks, name))].filter((file) => statOf(file) !== undefined)
}

/** Changes when the file changes, or when it points somewhere else. */
export function fileState(file: string): string {
  const stat = statOf(file)
  if (stat === undefined) return ''
  const own = [stat.ino, stat.ctimeMs, stat.size, stat.mode]
  if (file.endsWith('/.git')) return [...own, gitFileTarget(file)].join(' ')
  if (file.endsWith('/commondir')) return [...own, commonFolder(dirname(file))].join(' ')
  const behind = stat.isSymbolicLink() ? statSync(file, { throwIfNoEntry: false }) : undefined
  return [...own, behind?.ino, behind?.ctimeMs].join(' ')
}

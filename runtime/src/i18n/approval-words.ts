/** What a standing approval covers, in words. `/approvals` shows the key itself, because revoking needs it. */
import type { Lang } from '../base/lang.ts'

interface Words {
  patches: Readonly<Record<string, string>>
  /** Commands of one program and one class. */
  class: Record<'read' | 'build' | 'fetch' | 'change', (program: string) => string>
  redirection: string
  everything(tool: string): string
  inShell(what: string): string
}

const WORDS: Record<Lang, Words> = {
  en: {
    patches: {
      'apply_patch write': 'patches that change, create or rename files',
      'apply_patch delete': 'patches that delete files',
    },
    class: {
      read: (program) => `read-only ${program} commands`,
      build: (program) => `${program} commands that build or test`,
      fetch: (program) => `${program} downloads`,
      change: (program) => `${program} commands that change files`,
    },
    redirection: 'writing files with >',
    everything: (tool) => `all calls of ${tool}`,
    inShell: (what) => `${what} (in the shell)`,
  },
  zh: {
    patches: {
      'apply_patch write': '修改、创建或重命名文件的补丁',
      'apply_patch delete': '删除文件的补丁',
    },
    class: {
      read: (program) => `只读的 ${program} 命令`,
      build: (program) => `${program} 的构建和测试命令`,
      fetch: (program) => `${program} 的下载`,
      change: (program) => `${program} 的修改文件命令`,
    },
    redirection: '用 > 写文件',
    everything: (tool) => `${tool} 的所有调用`,
    inShell: (what) => `${what}（在 shell 中）`,
  },
}
/** Keys of git are its sub-commands, except for reading. */
const KEY = /(?<=^|\+)(?!git (?!read))(\S+) (read|build|fetch|change)(?=$|[+ ])/g

export function approvalWords(key: string, lang: Lang): string {
  const { class: classes, redirection, patches, everything, inShell } = WORDS[lang]
  if (!key.includes(' ')) return everything(key)
  const patch = Object.hasOwn(patches, key) ? patches[key] : undefined
  if (patch !== undefined) return patch
  const isShell = key.startsWith('shell ')
  const what = (isShell ? key.slice('shell '.length) : key).replace(
    KEY,
    (_, program: string, is: keyof Words['class']) => (program === '>' ? redirection : classes[is](program)),
  )
  return isShell ? inShell(what) : what
}

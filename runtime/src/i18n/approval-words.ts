/** What a standing approval covers, in words. `/approvals` shows the key itself, because revoking needs it. */
import type { Lang } from '../base/lang.ts'

interface Words {
  reading: string
  patches: Readonly<Record<string, string>>
  everything(tool: string): string
  inShell(what: string): string
}

const WORDS: Record<Lang, Words> = {
  en: {
    reading: 'read-only git commands',
    patches: {
      'apply_patch write': 'patches that change, create or rename files',
      'apply_patch delete': 'patches that delete files',
    },
    everything: (tool) => `all calls of ${tool}`,
    inShell: (what) => `${what} (in the shell)`,
  },
  zh: {
    reading: '只读的 git 命令',
    patches: {
      'apply_patch write': '修改、创建或重命名文件的补丁',
      'apply_patch delete': '删除文件的补丁',
    },
    everything: (tool) => `${tool} 的所有调用`,
    inShell: (what) => `${what}（在 shell 中）`,
  },
}

export function approvalWords(key: string, lang: Lang): string {
  const { reading, patches, everything, inShell } = WORDS[lang]
  if (!key.includes(' ')) return everything(key)
  const patch = Object.hasOwn(patches, key) ? patches[key] : undefined
  if (patch !== undefined) return patch
  const isShell = key.startsWith('shell ')
  const what = (isShell ? key.slice('shell '.length) : key).replace(/(?<=^|\+)git read(?=$|[+ ])/g, reading)
  return isShell ? inShell(what) : what
}

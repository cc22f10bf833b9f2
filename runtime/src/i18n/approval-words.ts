/** What a standing approval covers, in words. `/approvals` shows the key itself, because revoking needs it. */
import type { Lang } from '../base/lang.ts'

interface Words {
  reading: string
  everything(tool: string): string
  inShell(what: string): string
}

const WORDS: Record<Lang, Words> = {
  en: {
    reading: 'read-only git commands',
    everything: (tool) => `all calls of ${tool}`,
    inShell: (what) => `${what} (in the shell)`,
  },
  zh: {
    reading: '只读的 git 命令',
    everything: (tool) => `${tool} 的所有调用`,
    inShell: (what) => `${what}（在 shell 中）`,
  },
}

export function approvalWords(key: string, lang: Lang): string {
  const { reading, everything, inShell } = WORDS[lang]
  if (!key.includes(' ')) return everything(key)
  const isShell = key.startsWith('shell ')
  const what = (isShell ? key.slice('shell '.length) : key).replace(/(?<=^|\+)git read(?=$|[+ ])/g, reading)
  return isShell ? inShell(what) : what
}

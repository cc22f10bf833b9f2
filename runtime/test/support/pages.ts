/** The documents for readers, and the blocks in them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** Why a command block is not run. */
export const REASONS = {
  key: 'needs an account or a key of a provider',
  root: 'needs the rights of root',
  network: 'needs the internet',
  long: 'takes minutes, or is a test of its own',
  service: 'needs a database or another program that the reader has',
} as const

export const LANGUAGES = ['sh', 'ts', 'json', 'jsonl', 'yaml', 'markdown', 'text'] as const

export interface Block {
  page: string
  /** Of its first line of code, counted from 1. */
  line: number
  language: string
  code: string
  /** `<!-- not run: REASON -->` before it. */
  notRun?: string
  /** `<!-- file: NAME -->` before it: the block is the content of this file. */
  file?: string
  /** `<!-- exits: N -->` before it: the exit code of its last command. */
  exits: number
}

/** Paths relative to the repository. The records of decisions and requirements are not for pasting. */
export function pages(): string[] {
  const all = globSync(['*.md', 'runtime/*.md', 'bench/*.md', 'examples/**/*.md', 'docs/**/*.md'], { cwd: ROOT })
  return all.filter((page) => !/(?:^|\/)(?:node_modules|\.\w+)\/|^bench\/results\//.test(page)).sort()
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let marks = new Map<string, string>()
  const lines = readPage(page).split('\n')
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at] ?? ''
    const mark = /^\s*<!-- ([a-z ]+): (.+) -->$/.exec(text)
    if (mark !== null) marks.set(mark[1] ?? '', mark[2] ?? '')
    else if (/^\s*```/.test(text)) {
      const indent = /^\s*/.exec(text)?.[0] ?? ''
      const end = lines.findIndex((line, i) => i > at && line === `${indent}\`\`\``)
      if (end < 0) throw new Error(`${page}:${at + 1}: a block without an end`)
      const code = lines.slice(at + 1, end).map((line) => line.slice(indent.length))
      const [notRun, file, exits] = ['not run', 'file', 'exits'].map((name) => marks.get(name))
      blocks.push({
        page,
        line: at + 2,
        language: text.trim().slice(3),
        code: code.join('\n'),
        exits: Number(exits ?? 0),
        ...(notRun !== undefined && { notRun }),
        ...(file !== undefined && { file }),
      })
      at = end
    }
    if (mark === null && text.trim() !== '') marks = new Map()
  }
  return blocks
}

/** Without fenced blocks and comments; lines keep their numbers. */
export function proseOf(page: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, '')
  return readPage(page)
    .replace(/^( *)```[\s\S]*?\n\1```$/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
}

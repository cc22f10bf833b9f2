/** Remembered rules, and the offers of a question, in words. */
import type { Lang } from '../base/lang.ts'
import type { CommandClass } from '../protocol/command.ts'
import type { Rule, RulePatterns } from '../protocol/rule.ts'
import type { Offer } from '../protocol/verdict.ts'

interface Words {
  exactly(command: string): string
  anyArguments(command: string, kind: string): string
  writes(tool: string, paths: string): string
  below(folder: string): string
  requests(tool: string, method: string | undefined, hosts: string): string
  everything(tool: string): string
  and: string
  or: string
  classes: Partial<Record<CommandClass, string>>
}

const WORDS: Record<Lang, Words> = {
  en: {
    exactly: (command) => `exactly: ${command}`,
    anyArguments: (command, kind) => `${command} with any arguments${kind === '' ? '' : ` (only ${kind})`}`,
    writes: (tool, paths) => `${tool} to ${paths}`,
    below: (folder) => `files under ${folder}`,
    requests: (tool, method, hosts) => `${tool}: ${method === undefined ? 'reading from' : `${method} to`} ${hosts}`,
    everything: (tool) => `all calls of ${tool}`,
    and: '; ',
    or: ', ',
    classes: {
      read: 'reading',
      build: 'building and testing',
      fetch: 'downloading',
      change: 'changing files of the workspace',
    },
  },
  zh: {
    exactly: (command) => `仅限：${command}`,
    anyArguments: (command, kind) => `${command} 加任意参数${kind === '' ? '' : `（仅限${kind}）`}`,
    writes: (tool, paths) => `用 ${tool} 写入 ${paths}`,
    below: (folder) => `${folder} 下的文件`,
    requests: (tool, method, hosts) =>
      `${tool}：${method === undefined ? `从 ${hosts} 读取` : `对 ${hosts} 使用 ${method}`}`,
    everything: (tool) => `${tool} 的所有调用`,
    and: '；',
    or: '、',
    classes: { read: '读取', build: '构建与测试', fetch: '下载', change: '修改工作区文件' },
  },
}

/** For a terminal or a page: the caller makes control characters visible. */
export function offerWords({ rules }: Offer, lang: Lang): string {
  return rules.map((rule) => ruleWords(rule, lang)).join(WORDS[lang].and)
}

export function ruleWords({ tool = '*', when = {} }: Rule, lang: Lang): string {
  const words = WORDS[lang]
  const name = text(tool, words)
  const { command, class: kind, path, host, method } = when
  if (command !== undefined) {
    const pattern = text(command, words)
    if (!pattern.endsWith(' *')) return words.exactly(pattern)
    const named = typeof kind === 'string' ? (words.classes[kind as CommandClass] ?? '') : ''
    return words.anyArguments(pattern.slice(0, -' *'.length), named)
  }
  if (path !== undefined) {
    const places = list(path).map((each) => (each.endsWith('/**') ? words.below(each.slice(0, -'**'.length)) : each))
    return words.writes(name, places.join(words.or))
  }
  if (host !== undefined) return words.requests(name, method && text(method, words), text(host, words))
  return words.everything(name)
}

function list(patterns: RulePatterns): readonly string[] {
  return typeof patterns === 'string' ? [patterns] : patterns
}

function text(patterns: RulePatterns, { or }: Words): string {
  return list(patterns).join(or)
}

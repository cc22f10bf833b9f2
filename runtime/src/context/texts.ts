/** Warnings about identity and skill files. */
import type { Lang } from '../i18n/locale.ts'

export interface ContextTexts {
  elsewhere(at: { path: string; real: string }): string
  movedAside(at: { path: string; aside: string }): string
  ignoreReplaced(at: { path: string }): string
  notRegular(at: { path: string }): string
  tooLarge(at: { path: string; max: number }): string
  notText(at: { path: string }): string
  unreadable(at: { path: string; why: string }): string
  clipped(at: { path: string; max: number }): string
  tooMany(at: { path: string; max: number }): string
  frontMatter(at: { path: string; line: number; problem: FrontMatterProblem }): string
  field(at: { path: string; key: string; max: number }): string
  duplicate(at: { path: string; name: string; other: string }): string
}

export type FrontMatterProblem =
  | 'missing'
  | 'unclosed'
  | 'too-long'
  | 'not-a-pair'
  | 'repeated'
  | 'quotes'
  | 'unsupported'

const en: ContextTexts = {
  elsewhere: ({ path, real }) => `${path} is ignored: it leads to ${real}, where the agent could rewrite it.`,
  movedAside: ({ path, aside }) => `${path} was made while a command ran that never ended, and is now ${aside}.`,
  ignoreReplaced: ({ path }) => `${path} now ignores everything: the journal must not be committed.`,
  notRegular: ({ path }) => `${path} is ignored: it is not a regular file.`,
  tooLarge: ({ path, max }) => `${path} is ignored: it is larger than ${max} bytes.`,
  notText: ({ path }) => `${path} is ignored: it is not UTF-8 text.`,
  unreadable: ({ path, why }) => `${path} is ignored: it cannot be read (${why}).`,
  clipped: ({ path, max }) => `${path}: only the first ${max} characters are used.`,
  tooMany: ({ path, max }) => `${path}: only the first ${max} folders are looked at.`,
  frontMatter: ({ path, line, problem }) => `${path}:${line} is ignored: ${PROBLEMS_EN[problem]}.`,
  field: ({ path, key, max }) =>
    `${path} is ignored: \`${key}\` is missing, malformed or longer than ${max} characters.`,
  duplicate: ({ path, name, other }) => `${path} is ignored: the skill "${name}" of ${other} comes first.`,
}

const PROBLEMS_EN: Record<FrontMatterProblem, string> = {
  missing: 'it does not begin with a `---` line and `key: value` pairs',
  unclosed: 'the `---` line that ends its front matter is missing',
  'too-long': 'its front matter is too long',
  'not-a-pair': 'this line is not `key: value`',
  repeated: 'this key was given before',
  quotes: 'a quote or bracket is not closed',
  unsupported: 'anchors, aliases, tags and inline maps are not supported',
}

const zh: ContextTexts = {
  elsewhere: ({ path, real }) => `已忽略 ${path}：它指向 ${real}，智能体可能改写那里的内容。`,
  movedAside: ({ path, aside }) => `${path} 是在一条未正常结束的命令运行期间出现的，已移至 ${aside}。`,
  ignoreReplaced: ({ path }) => `${path} 已改为忽略全部内容：日志不应提交到仓库。`,
  notRegular: ({ path }) => `已忽略 ${path}：不是普通文件。`,
  tooLarge: ({ path, max }) => `已忽略 ${path}：超过 ${max} 字节。`,
  notText: ({ path }) => `已忽略 ${path}：不是 UTF-8 文本。`,
  unreadable: ({ path, why }) => `已忽略 ${path}：无法读取（${why}）。`,
  clipped: ({ path, max }) => `${path}：只使用前 ${max} 个字符。`,
  tooMany: ({ path, max }) => `${path}：只查看前 ${max} 个目录。`,
  frontMatter: ({ path, line, problem }) => `已忽略 ${path}:${line}：${PROBLEMS_ZH[problem]}。`,
  field: ({ path, key, max }) => `已忽略 ${path}：\`${key}\` 缺失、格式不对或超过 ${max} 个字符。`,
  duplicate: ({ path, name, other }) => `已忽略 ${path}：${other} 中的技能“${name}”优先。`,
}

const PROBLEMS_ZH: Record<FrontMatterProblem, string> = {
  missing: '文件没有以 `---` 行和 `key: value` 开头',
  unclosed: '缺少结束 front matter 的 `---` 行',
  'too-long': 'front matter 过长',
  'not-a-pair': '此行不是 `key: value`',
  repeated: '此键已经出现过',
  quotes: '引号或括号没有闭合',
  unsupported: '不支持锚点、别名、标签和内联映射',
}

export function contextTexts(lang: Lang): ContextTexts {
  return lang === 'zh' ? zh : en
}

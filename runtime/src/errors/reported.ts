/** What the operating system or the JSON reader reported, in the reader's language. Other words stay as they are. */
import type { Lang } from '../base/lang.ts'

const SYSTEM_ZH: Readonly<Record<string, string>> = {
  EACCES: '没有权限',
  EADDRNOTAVAIL: '本机没有这个地址',
  EBUSY: '正在被使用',
  ECONNREFUSED: '连接被拒绝',
  ECONNRESET: '连接被切断',
  EEXIST: '已经存在',
  EISDIR: '这是一个目录',
  ELOOP: '符号链接过多',
  EMFILE: '打开的文件过多',
  ENAMETOOLONG: '名称过长',
  ENOENT: '没有这个文件或目录',
  ENOSPC: '磁盘已满',
  ENOTDIR: '路径中有一部分不是目录',
  ENOTEMPTY: '目录不为空',
  ENOTFOUND: '找不到该主机',
  EPERM: '不允许此操作',
  EROFS: '磁盘为只读',
  ETIMEDOUT: '超时没有应答',
}
/** `ENOENT: no such file or directory, open '/x'`, `listen EADDRNOTAVAIL: address not available 203.0.113.7` */
const SYSTEM_ERROR = /^(?:[a-z]+ )?(E[A-Z0-9]{3,})\b/
/** The error of `JSON.parse`, and that of `config/json-text.ts`. */
const JSON_AT = / in JSON at position \d+ \(line (\d+) column (\d+)\)$|^(?:syntax|end) at (\d+):(\d+)$/
const JSON_END = /^Unexpected end of JSON input$/
const JSON_WORDS = / is not valid JSON$/

export function reportedText(why: string, lang: Lang): string {
  const code = SYSTEM_ERROR.exec(why)?.[1] ?? ''
  if (lang === 'zh' && Object.hasOwn(SYSTEM_ZH, code)) return `${code}: ${SYSTEM_ZH[code]}`
  if (JSON_END.test(why)) return lang === 'zh' ? '不是有效的 JSON：意外结束' : 'not valid JSON: it ends too early'
  if (lang === 'zh' && JSON_WORDS.test(why)) return '不是有效的 JSON'
  const place = JSON_AT.exec(why)
  if (place === null) return why
  const [line, column] = [place[1] ?? place[3], place[2] ?? place[4]]
  return lang === 'zh'
    ? `不是有效的 JSON（第 ${line} 行第 ${column} 列）`
    : `not valid JSON at line ${line}, column ${column}`
}

/** The values of an error, with `why` in that language. */
export function reportedIn<Values>(values: Values, lang: Lang): Values {
  if (typeof values !== 'object' || values === null) return values
  const { why } = values as { why?: unknown }
  return typeof why === 'string' ? { ...values, why: reportedText(why, lang) } : values
}

/** What a person is told about decisions: why input was refused, and what an action did. */
import type { Lang } from '../i18n/locale.ts'

export interface DecisionTexts {
  more(at: { n: number }): string
  otherWindow(at: { context: string; batch: string }): string
  missing: string
  wrong(at: { found: string; expected: string }): string
  unknownKey: string
  didYouMean(at: { name: string }): string
  twice(at: { value: string }): string
  empty: string
  expected: {
    object: string
    list: string
    text: string
    shortText(at: { max: number }): string
    shortList(at: { max: number }): string
    fraction: string
    integer: string
    natural: string
    oneOf(at: { values: readonly string[] }): string
    intentType: string
  }
  nothing: string
  warmed(at: {
    target: string
    files: number
    bytes: number
    before: number | undefined
    after: number | undefined
  }): string
  missingLibraries(at: { names: readonly string[] }): string
  kept(at: { target: string; changes: readonly string[] }): string
  released(at: { target: string; bytes: number; left: number }): string
}

const en: DecisionTexts = {
  more: ({ n }) => `… and ${n} more`,
  otherWindow: ({ context, batch }) => `is "${context}", and the batch is for window "${batch}"`,
  missing: 'is missing',
  wrong: ({ found, expected }) => `is ${found}; expected ${expected}`,
  unknownKey: 'is not a key here',
  didYouMean: ({ name }) => `did you mean ${name}?`,
  empty: 'is empty',
  twice: ({ value }) => `"${value}" is the id of an earlier intent too`,
  expected: {
    object: 'an object',
    list: 'a list',
    text: 'text',
    shortText: ({ max }) => `text of at most ${max} characters`,
    shortList: ({ max }) => `a list of at most ${max}`,
    fraction: 'a number from 0 to 1',
    integer: 'a whole number',
    natural: 'a whole number from 0',
    oneOf: ({ values }) => `one of ${values.map((value) => `"${value}"`).join(', ')}`,
    intentType: '"Idle" or an object with one key, such as {"OpenApp": "…"}',
  },
  nothing: 'nothing to do',
  warmed: ({ target, files, bytes, before, after }) =>
    `${target}: read ${bytes} bytes in ${files} ${files === 1 ? 'file' : 'files'}; in the page cache ${before === undefined || after === undefined ? 'unknown (no fincore here)' : `${before} → ${after} bytes`}`,
  missingLibraries: ({ names }) => `libraries not found: ${names.join(', ')}`,
  kept: ({ target, changes }) => `${target}: ${changes.join(', ')}, until the window ends`,
  released: ({ target, bytes, left }) => `${target}: ${bytes} bytes given back, ${left} still held`,
}

const zh: DecisionTexts = {
  more: ({ n }) => `… 另有 ${n} 处`,
  otherWindow: ({ context, batch }) => `是“${context}”，而批次属于窗口“${batch}”`,
  missing: '缺失',
  wrong: ({ found, expected }) => `实际为 ${found}，应为${expected}`,
  unknownKey: '未知的键',
  didYouMean: ({ name }) => `是否想写 ${name}？`,
  empty: '不能为空',
  twice: ({ value }) => `“${value}”已是前面某个意图的 id`,
  expected: {
    object: '对象',
    list: '列表',
    text: '文本',
    shortText: ({ max }) => `不超过 ${max} 个字符的文本`,
    shortList: ({ max }) => `不超过 ${max} 项的列表`,
    fraction: ' 0 到 1 之间的数',
    integer: '整数',
    natural: '不小于 0 的整数',
    oneOf: ({ values }) => `以下之一：${values.map((value) => `"${value}"`).join('、')}`,
    intentType: ' "Idle"，或只有一个键的对象，如 {"OpenApp": "…"}',
  },
  nothing: '无需执行任何操作',
  warmed: ({ target, files, bytes, before, after }) =>
    `${target}：读取 ${files} 个文件共 ${bytes} 字节；页缓存中 ${before === undefined || after === undefined ? '未知（没有 fincore）' : `${before} → ${after} 字节`}`,
  missingLibraries: ({ names }) => `找不到的库：${names.join('、')}`,
  kept: ({ target, changes }) => `${target}：${changes.join('、')}，直到窗口结束`,
  released: ({ target, bytes, left }) => `${target}：归还 ${bytes} 字节，仍占用 ${left} 字节`,
}

export function decisionTexts(lang: Lang): DecisionTexts {
  return lang === 'zh' ? zh : en
}

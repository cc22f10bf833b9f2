/** Errors of configuration files. */
import type { Lang } from '../base/lang.ts'
import { entry, type ReportedAt } from './entry.ts'

const GIVE_A_FILE = 'Use a JSON file with settings; `writ config init` creates one.'
const GIVE_A_FILE_ZH = '请使用 JSON 格式的配置文件；可用 `writ config init` 生成。'

export const CONFIG_ERRORS = {
  /** `inFile`: at least one problem is in a file, not in a flag or a variable. */
  CONFIG_INVALID: entry<{ problems: Readonly<Record<Lang, readonly string[]>>; inFile: boolean }>({
    status: 422,
    en: ({ problems: { en }, inFile }) => [
      [
        en.length === 1 ? 'the configuration has a problem:' : `the configuration has ${en.length} problems:`,
        ...en.map((problem) => `  ${problem}`),
      ].join('\n'),
      inFile
        ? 'Correct the file, then run `writ config check`. All keys: `writ config schema`.'
        : 'Correct the flag or variable. All keys: `writ config schema`.',
    ],
    zh: ({ problems: { zh }, inFile }) => [
      [`配置中有 ${zh.length} 处问题：`, ...zh.map((problem) => `  ${problem}`)].join('\n'),
      inFile
        ? '请改正文件，然后运行 `writ config check`。全部键名见 `writ config schema`。'
        : '请改正该选项或环境变量。全部键名见 `writ config schema`。',
    ],
  }),
  'CONFIG_UNREADABLE.missing': entry<{ file: string }>({
    en: ({ file }) => [`there is no file ${file}`, GIVE_A_FILE],
    zh: ({ file }) => [`文件 ${file} 不存在`, GIVE_A_FILE_ZH],
  }),
  'CONFIG_UNREADABLE.notAFile': entry<{ file: string }>({
    en: ({ file }) => [`${file} is not a regular file`, GIVE_A_FILE],
    zh: ({ file }) => [`${file} 不是普通文件`, GIVE_A_FILE_ZH],
  }),
  'CONFIG_UNREADABLE.tooLarge': entry<{ file: string; max: number }>({
    en: ({ file, max }) => [`${file} is larger than ${max} bytes`, GIVE_A_FILE],
    zh: ({ file, max }) => [`${file} 超过 ${max} 字节`, GIVE_A_FILE_ZH],
  }),
  'CONFIG_UNREADABLE.notText': entry<{ file: string }>({
    en: ({ file }) => [`${file} is not UTF-8 text`, GIVE_A_FILE],
    zh: ({ file }) => [`${file} 不是 UTF-8 文本`, GIVE_A_FILE_ZH],
  }),
  'CONFIG_UNREADABLE.nul': entry<{ file: string }>({
    en: ({ file }) => [`${file} contains NUL bytes`, GIVE_A_FILE],
    zh: ({ file }) => [`${file} 含有 NUL 字节`, GIVE_A_FILE_ZH],
  }),
  KEYS_EXPOSED: entry<{ file: string }>({
    exit: 2,
    en: ({ file }) => [
      `other users can read or change the keys in ${file}`,
      `Replace the keys at their providers if others use this machine, then run \`chmod 600 ${file}\`.`,
    ],
    zh: ({ file }) => [
      `其他用户可以读取或修改 ${file} 中的密钥`,
      `如果这台机器有其他用户，请先在提供方处更换密钥，再运行 \`chmod 600 ${file}\`。`,
    ],
  }),
  KEYS_FOREIGN: entry<{ file: string }>({
    exit: 2,
    en: ({ file }) => [
      `${file} belongs to another user, who could have chosen its keys`,
      'Delete it and run `writ setup`, or start Writ as its owner.',
    ],
    zh: ({ file }) => [
      `${file} 属于另一个用户，其中的密钥可能由对方设置`,
      '请删除它并运行 `writ setup`，或以该文件所有者的身份启动 Writ。',
    ],
  }),
  KEYS_INVALID: entry<{ file: string }>({
    exit: 2,
    en: ({ file }) => [`${file} is not a JSON object of keys by provider`, 'Delete it and run `writ setup`.'],
    zh: ({ file }) => [`${file} 不是由提供方和密钥组成的 JSON 对象`, '请删除它，然后运行 `writ setup`。'],
  }),
  CONFIG_UNREADABLE: entry<ReportedAt>({
    en: ({ where, why }) => [`cannot read ${where}: ${why}`, GIVE_A_FILE],
    zh: ({ where, why }) => [`无法读取 ${where}：${why}`, GIVE_A_FILE_ZH],
  }),
}

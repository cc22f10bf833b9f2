/** Errors of choosing a model and of scripts for the scripted model. */
import { entry } from './entry.ts'

const KINDS_ZH: Readonly<Record<string, string>> = {
  'a string': '字符串',
  'a number': '数字',
  'a boolean': '布尔值',
  'an array': '数组',
  'an object': '对象',
  missing: '缺失',
}
const kindZh = (kind: string) => KINDS_ZH[kind] ?? ` ${kind}`

const SCRIPT_FORM = 'A script is a JSON array of {"purpose", "text" | "calls" | "raw" | "error", …}.'
const SCRIPT_FORM_ZH = '脚本是一个 JSON 数组，每一项为 {"purpose", "text" | "calls" | "raw" | "error", …}。'

export const MODEL_ERRORS = {
  MODEL_KEY_MISSING: entry<{ model: string; variables: readonly string[] }>({
    en: ({ model, variables }) => [
      `no API key for ${model}: ${variables.join(' or ')} is not set`,
      `Run \`writ setup\`, or \`export ${variables[0]}=…\`; or choose another model where this one is set.`,
    ],
    zh: ({ model, variables }) => [
      `没有 ${model} 的 API 密钥：未设置 ${variables.join(' 或 ')}`,
      `请运行 \`writ setup\`，或用 \`export ${variables[0]}=…\` 设置；也可以在配置中换用其他模型。`,
    ],
  }),
  'MODEL_KEY_MISSING.setup': entry<{ provider: string; variables: readonly string[] }>({
    en: ({ provider, variables }) => [
      `no API key for ${provider} was given`,
      `Use \`--key-from-stdin < FILE\`, or set ${variables[0]}. At a terminal, \`writ setup\` without flags asks for it.`,
    ],
    zh: ({ provider, variables }) => [
      `没有给出 ${provider} 的 API 密钥`,
      `请使用 \`--key-from-stdin < 文件\`，或设置 ${variables[0]}。在终端中，不带参数的 \`writ setup\` 会询问密钥。`,
    ],
  }),
  MODEL_UNKNOWN: entry<{ model: string; meant: string | undefined; providers: readonly string[] }>({
    en: ({ model, meant, providers }) => [
      `unknown model "${model}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
      `Use provider/name, where provider is one of ${providers.join(', ')}; or "rules", or "scripted".`,
    ],
    zh: ({ model, meant, providers }) => [
      `未知的模型 "${model}"${meant === undefined ? '' : `；是否想写 "${meant}"？`}`,
      `请写成 provider/name，其中 provider 为 ${providers.join('、')} 之一；或写 "rules" 或 "scripted"。`,
    ],
  }),
  MODEL_BASE_URL_MISSING: entry<{ name: string }>({
    en: ({ name }) => [
      `the address of compatible/${name} is not set`,
      'Set agent.baseURL to the address of the server, for example "http://127.0.0.1:8080/v1".',
    ],
    zh: ({ name }) => [
      `没有设置 compatible/${name} 的地址`,
      '请把 agent.baseURL 设为服务器地址，例如 "http://127.0.0.1:8080/v1"。',
    ],
  }),
  'SCRIPT_INVALID.json': entry<{ why: string }>({
    en: ({ why }) => [`the script is not valid JSON: ${why}`, SCRIPT_FORM],
    zh: ({ why }) => [`脚本不是有效的 JSON：${why}`, SCRIPT_FORM_ZH],
  }),
  'SCRIPT_INVALID.notAnArray': entry<{ found: string }>({
    en: ({ found }) => [`the script must be a JSON array, not ${found}`, SCRIPT_FORM],
    zh: ({ found }) => [`脚本必须是 JSON 数组，实际为${kindZh(found)}`, SCRIPT_FORM_ZH],
  }),
  'SCRIPT_INVALID.kind': entry<{ at: string; expected: string; found: string }>({
    en: ({ at, expected, found }) => [`${at} must be ${expected}, not ${found}`, SCRIPT_FORM],
    zh: ({ at, expected, found }) => [`${at} 必须是${kindZh(expected)}，实际为${kindZh(found)}`, SCRIPT_FORM_ZH],
  }),
  'SCRIPT_INVALID.integer': entry<{ at: string; min: number }>({
    en: ({ at, min }) => [`${at} must be an integer of at least ${min}`, SCRIPT_FORM],
    zh: ({ at, min }) => [`${at} 必须是不小于 ${min} 的整数`, SCRIPT_FORM_ZH],
  }),
  'SCRIPT_INVALID.purpose': entry<{ at: string }>({
    en: ({ at }) => [`${at} must be detect, route, summary, main, decide, scout or scout:<n>`, SCRIPT_FORM],
    zh: ({ at }) => [`${at} 必须是 detect、route、summary、main、decide、scout 或 scout:<n>`, SCRIPT_FORM_ZH],
  }),
  'SCRIPT_INVALID.unknownKey': entry<{ at: string; meant: string | undefined }>({
    en: ({ at, meant }) => [
      `${at} is not a key of a script${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      SCRIPT_FORM,
    ],
    zh: ({ at, meant }) => [`${at} 不是脚本的键${meant === undefined ? '' : `；是否想写 ${meant}？`}`, SCRIPT_FORM_ZH],
  }),
  'SCRIPT_INVALID.missing': entry<{ at: string }>({
    en: ({ at }) => [`${at} is missing`, SCRIPT_FORM],
    zh: ({ at }) => [`缺少 ${at}`, SCRIPT_FORM_ZH],
  }),
  'SCRIPT_INVALID.rawWithText': entry<{ at: string }>({
    en: ({ at }) => [`${at} is the whole reply and cannot be combined with text or calls`, SCRIPT_FORM],
    zh: ({ at }) => [`${at} 就是完整的回复，不能与 text 或 calls 同时使用`, SCRIPT_FORM_ZH],
  }),
}

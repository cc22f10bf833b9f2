/** Errors of workflows. */
import { type BothLines, entry } from './entry.ts'

const RUNS = ['List runs with `writ trace`.', '用 `writ trace` 列出运行。'] as const
const FILE = ['Check the path, and pass a YAML or JSON file.', '请检查路径，并给出 YAML 或 JSON 文件。'] as const

const flagsOf = (names: readonly string[]): string => names.map((name) => `--input ${name}=…`).join(' ')

export const WORKFLOW_ERRORS = {
  WORKFLOW_INVALID: entry<{ origin: string; problems: BothLines }>({
    en: ({ origin, problems }) => [
      `${origin} cannot be run:\n${indented(problems.en)}`,
      'Nothing was run. Correct the document; `writ workflow check FILE` lists every problem.',
    ],
    zh: ({ origin, problems }) => [
      `${origin} 无法运行：\n${indented(problems.zh)}`,
      '没有运行任何节点。请修改文档；`writ workflow check FILE` 会列出所有问题。',
    ],
  }),
  'WORKFLOW_INVALID.inputMissing': entry<{ origin: string; names: readonly string[] }>({
    en: ({ origin, names }) => [
      `${origin} needs ${names.length === 1 ? 'an input that was' : 'inputs that were'} not given: ${names.join(', ')}`,
      `Nothing was run. Add ${flagsOf(names)}.`,
    ],
    zh: ({ origin, names }) => [
      `${origin} 需要的输入没有给出：${names.join('、')}`,
      `没有运行任何节点。请加上 ${flagsOf(names)}。`,
    ],
  }),
  WORKFLOW_UNREADABLE: entry<{ file: string; why: string }>({
    en: ({ file, why }) => [`cannot read ${file}: ${why}`, FILE[0]],
    zh: ({ file, why }) => [`无法读取 ${file}：${why}`, FILE[1]],
  }),
  'WORKFLOW_UNREADABLE.tooLarge': entry<{ file: string; max: number }>({
    en: ({ file, max }) => [`${file} is larger than ${max} bytes`, FILE[0]],
    zh: ({ file, max }) => [`${file} 超过 ${max} 字节`, FILE[1]],
  }),
  'WORKFLOW_UNREADABLE.notText': entry<{ file: string }>({
    en: ({ file }) => [`${file} is not UTF-8 text`, FILE[0]],
    zh: ({ file }) => [`${file} 不是 UTF-8 文本`, FILE[1]],
  }),
  'RUN_NOT_RESUMABLE.notAWorkflow': entry<{ run: string }>({
    status: 409,
    en: ({ run }) => [`run ${run} is not a workflow`, RUNS[0]],
    zh: ({ run }) => [`运行 ${run} 不是工作流`, RUNS[1]],
  }),
  'RUN_ENDED.workflow': entry<{ run: string; reason: string }>({
    status: 409,
    en: ({ run, reason }) => [`workflow ${run} has ended (${reason})`, 'Run its document again.'],
    zh: ({ run, reason }) => [`工作流 ${run} 已结束（${reason}）`, '请重新运行它的文档。'],
  }),
  WORKFLOW_MASKED: entry({
    en: () => [
      'the document or its input contained a secret, which the journal does not store',
      'Pass the document and the input again: `writ workflow resume RUN FILE --input …`.',
    ],
    zh: () => [
      '文档或其输入含有密钥，日志不会保存它',
      '请重新给出文档和输入：`writ workflow resume RUN FILE --input …`。',
    ],
  }),
  WORKFLOW_CHANGED: entry({
    en: () => [
      'this is not the document and input the workflow was started with',
      'Pass the same ones, or run the changed document as a new workflow.',
    ],
    zh: () => ['这不是该工作流启动时的文档和输入', '请给出相同的文档和输入，或把修改后的文档作为新的工作流运行。'],
  }),
  INVALID_INPUT: entry<{ problems: BothLines }>({
    en: ({ problems }) => [problems.en.join('; '), 'Correct the arguments of the node.'],
    zh: ({ problems }) => [problems.zh.join('；'), '请修改该节点的参数。'],
  }),
}

function indented(problems: readonly string[]): string {
  return problems.map((line) => `  ${line}`).join('\n')
}

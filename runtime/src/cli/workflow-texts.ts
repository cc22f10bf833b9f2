/** What is said about workflows. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  badInput: (p: { text: string }) => `--input ${p.text} is not NAME=VALUE`,
  inputTwice: (p: { name: string }) => `--input ${p.name} is given twice`,
  inputNotJson: (p: { name: string; why: string }) => `--input ${p.name}:=… is not JSON: ${p.why}`,
  inputHint: 'Write --input city=Berlin for a text, --input count:=3 for JSON, once for each.',
  good: (p: { name: string; nodes: number }) =>
    `${p.name}: ${p.nodes} ${p.nodes === 1 ? 'node' : 'nodes'}, ready to run`,
  needs: (p: { names: readonly string[] }) => `It needs: ${p.names.map((name) => `--input ${name}=…`).join(' ')}`,
  skipped: (p: { why: string }) => `skipped: ${p.why}`,
  none: (p: { folder: string }) => `There is no workflow in ${p.folder}.`,
  noneHint: 'Put YAML or JSON files there, or name another folder: writ workflow list FOLDER',
  columns: { file: 'File', name: 'Name', nodes: 'Nodes', about: 'About' },
  broken: 'cannot be read as a workflow; see `writ workflow check`',
}

export type WorkflowCliTexts = typeof en

const zh: WorkflowCliTexts = {
  badInput: ({ text }) => `--input ${text} 不是 NAME=VALUE 的形式`,
  inputTwice: ({ name }) => `--input ${name} 给了两次`,
  inputNotJson: ({ name, why }) => `--input ${name}:=… 不是 JSON：${why}`,
  inputHint: '文本写成 --input city=Berlin，JSON 写成 --input count:=3，每个输入一次。',
  good: ({ name, nodes }) => `${name}：${nodes} 个节点，可以运行`,
  needs: ({ names }) => `它需要：${names.map((name) => `--input ${name}=…`).join(' ')}`,
  skipped: ({ why }) => `跳过：${why}`,
  none: ({ folder }) => `${folder} 中没有工作流。`,
  noneHint: '请把 YAML 或 JSON 文件放在那里，或指定别的文件夹：writ workflow list FOLDER',
  columns: { file: '文件', name: '名称', nodes: '节点', about: '说明' },
  broken: '无法作为工作流读取；请用 `writ workflow check` 查看',
}

export function workflowCliTexts(lang: Lang): WorkflowCliTexts {
  return lang === 'zh' ? zh : en
}

/** Texts of `writ workflow`. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  good: (p: { name: string; nodes: number }) =>
    `${p.name}: ${p.nodes} ${p.nodes === 1 ? 'node' : 'nodes'}, ready to run`,
  needs: (p: { names: readonly string[] }) => `Required input: ${p.names.map((name) => `--input ${name}=…`).join(' ')}`,
  skipped: (p: { why: string }) => `skipped: ${p.why}`,
  none: (p: { folder: string }) => `There are no workflows in ${p.folder}.`,
  noneHint: 'Put YAML or JSON files there, or choose another folder: writ workflow list FOLDER',
  columns: { file: 'File', name: 'Name', nodes: 'Nodes', about: 'Description' },
  broken: 'not a valid workflow; see `writ workflow check`',
}

export type WorkflowCliTexts = typeof en

const zh: WorkflowCliTexts = {
  good: ({ name, nodes }) => `${name}：${nodes} 个节点，可以运行`,
  needs: ({ names }) => `所需的输入：${names.map((name) => `--input ${name}=…`).join(' ')}`,
  skipped: ({ why }) => `已跳过：${why}`,
  none: ({ folder }) => `${folder} 中没有工作流。`,
  noneHint: '请在其中放入 YAML 或 JSON 文件，或指定其他目录：writ workflow list FOLDER',
  columns: { file: '文件', name: '名称', nodes: '节点', about: '说明' },
  broken: '不是有效的工作流；请用 `writ workflow check` 查看',
}

export function workflowCliTexts(lang: Lang): WorkflowCliTexts {
  return lang === 'zh' ? zh : en
}

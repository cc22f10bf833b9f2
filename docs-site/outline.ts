/** The pages of the site in reading order. A page's title is its first heading; `zh` is used while it has no translation. */
import type { Lang } from '../runtime/src/base/lang.ts'

export interface OutlinePage {
  /** In the repository. Its translation ends in `.zh-CN.md`. */
  file: string
  zh?: string
}

export interface OutlineSection {
  title: Readonly<Record<Lang, string>>
  pages: readonly OutlinePage[]
}

export const OUTLINE: readonly OutlineSection[] = [
  section('Start', '开始', '', ['index', 'start']),
  section('Tutorials', '教程', 'tutorials/', [
    'approval-before-deploy',
    'governed-chatbot',
    'workflow-with-agent',
    'scouts-over-documents',
    'policy-from-zero',
  ]),
  section('Concepts', '概念', 'concepts/', ['flow', 'gate', 'verdicts', 'journal', 'provenance']),
  section('Guides: what it may do', '指南：权限', 'guides/', [
    ['supervision', '审批'],
    'rules',
    ['intent-guard', '意图防护'],
    ['files', '文件'],
    ['git', 'Git'],
    'undo',
    'reviewer',
    'classifier',
    ['budgets', '费用预算'],
    ['replay', '重放'],
  ]),
  section('Guides: the agent', '指南：智能体', 'guides/', [
    'models',
    ['skills-and-memory', '技能、身份与记忆'],
    ['routines', '例行任务'],
    'attachments',
    'context',
    ['mcp', 'MCP 服务器'],
    'mcp-gateway',
    ['scouts', '侦察员'],
    ['documents', '文档检索'],
    ['scripts', '脚本模型'],
  ]),
  section('Guides: your programs', '指南：集成', 'guides/', [
    'embedding',
    'agent-libraries',
    'hooks',
    ['workflows', '工作流'],
    ['agent-core', 'agent_core：工作流中的智能体'],
    ['context-and-tools', '上下文与公司工具'],
    ['decisions', '决策'],
  ]),
  section('Guides: operation', '指南：运维', 'guides/', [
    ['server', '服务器'],
    ['operate', '运维'],
    ['metrics', '指标'],
  ]),
  section('Reference', '参考', 'reference/', [
    'cli',
    ['config', '配置'],
    'errors',
    ['events', '事件'],
    ['http', 'HTTP 接口'],
    ['api', '库'],
    ['gate-lines', '行格式'],
    ['workflow', '工作流文档'],
    ['agent-core', 'agent_core 参数'],
    ['provenance', '来源检查规则'],
    ['inspection', '结果检查'],
  ]),
  {
    title: { en: 'Project', zh: '项目' },
    pages: [
      { file: 'docs/security.md', zh: '安全' },
      { file: 'ARCHITECTURE.md', zh: '架构' },
      { file: 'GLOSSARY.md', zh: '术语' },
      { file: 'CHANGELOG.md', zh: '更新日志' },
    ],
  },
]

function section(
  en: string,
  zh: string,
  folder: string,
  names: readonly (string | [string, string])[],
): OutlineSection {
  const pages = names.map((each) => {
    const [name, title] = typeof each === 'string' ? [each] : each
    const file = `docs/${folder}${name}.md`
    return title === undefined ? { file } : { file, zh: title }
  })
  return { title: { en, zh }, pages }
}

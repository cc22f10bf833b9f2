/** Ranking: natural questions about the project's own documents and small Chinese ones must find the right one. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Docs } from '../ports/docs.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open.ts'
import { openDocs } from './docs.ts'

const CHINESE: Readonly<Record<string, string>> = {
  部署: '# 部署指南\n\n把服务部署到生产环境之前，先备份数据库。\n\n## 回滚\n\n发布失败时，用上一个版本的镜像回滚，然后检查日志。',
  权限: '# 权限与审批\n\n管理员可以授予或撤销权限。高风险操作需要两个人审批，审批记录保留一年。',
  计费: '# 计费说明\n\n按调用次数计费，每月一日出账单。\n\n## 退款\n\n重复扣款会在七个工作日内退款。',
  搜索: '# 全文搜索\n\n索引按中文分词建立，两个字的词也能找到。\n\n## 排名\n\n罕见的词比常见的词更重要。',
  监控: '# 监控与告警\n\n延迟超过阈值时发送告警。值班人员在十分钟内响应。指标保留三十天。',
  缓存: '# 缓存\n\n热点数据放在缓存里，过期时间默认五分钟。写入数据库后要删除对应的缓存。',
  会议: '# 周会纪要\n\n本周讨论了部署、计费和监控的进展。下周由小王汇报权限改造。',
}

const QUESTIONS: Readonly<Record<'en' | 'zh', [query: string, document: RegExp][]>> = {
  en: [
    ['how do I pause a routine', /routines/],
    ['connect an MCP server over http', /mcp/],
    ['replay a journal under another policy', /replay/],
    ['when does provenance ask', /provenance/],
    ['where are memories stored', /memory/],
    ['autonomy levels ReadOnly Supervised Full', /supervision|config/],
    ['batch of predicted intents', /decisions/],
    ['time zone of a schedule', /routines/],
    ['SKILL.md front matter', /skills/],
    ['which planted instructions are found in tool results', /inspection/],
    ['routines', /routines/],
    ['provenance', /provenance/],
    ['undo', /undo/],
    ['how can I undo what the agent changed', /undo/],
    ['delete old runs', /operate/],
    ['back up the database', /operate/],
    ['let Claude Code be judged', /hooks/],
    ['create an access token for the server', /server/],
    ['run a workflow from a YAML file', /workflow/],
    ['show a picture to the model', /attachments/],
    ['how do I write a rule that denies a command', /rules|policy-from-zero/],
    ['what does a scout do', /scouts/],
  ],
  zh: [
    ['回滚', /部署/],
    ['怎样部署到生产环境', /部署/],
    ['退款要多久', /计费/],
    ['账单', /计费/],
    ['谁来审批高风险操作', /权限/],
    ['中文分词', /搜索/],
    ['告警阈值', /监控/],
    ['缓存过期时间', /缓存/],
    ['小王', /会议/],
    ['罕见的词', /搜索/],
  ],
}

let workspace: string
let db: Database
let docs: Docs

beforeAll(async () => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-ranking-')))
  const own = join(import.meta.dirname, '../../../docs')
  for (const folder of ['concepts', 'guides', 'reference', 'tutorials'])
    cpSync(join(own, folder), join(workspace, folder), { recursive: true })
  mkdirSync(join(workspace, 'zh'))
  for (const [name, text] of Object.entries(CHINESE)) writeFileSync(join(workspace, `zh/${name}.md`), text)
  db = await openDatabase({ kind: 'memory' })
  const world = { workspace, protectedPaths: [], blockedPaths: [], allowedHosts: [], env: {}, sandbox: 'off' } as const
  docs = openDocs({ db, world, roots: ['.'], blockedPaths: [], clock: { now: () => Date.now() } })
  await docs.refresh(() => {}, new AbortController().signal)
})
afterAll(async () => {
  await docs.close()
  await db.close()
  rmSync(workspace, { recursive: true, force: true })
})

// The guides change with the product, and so may the order of several matching pages.
test.each(['en', 'zh'] as const)(
  'a question finds its document among the first three nine times of ten, most often first (%s)',
  async (lang) => {
    const lost: string[] = []
    const second: string[] = []
    for (const [query, document] of QUESTIONS[lang]) {
      const { hits } = await docs.search(query, { limit: 3, signal: new AbortController().signal })
      const found = `${query} → ${hits.map(({ id }) => id).join(', ')}`
      if (!hits.some(({ id }) => document.test(id))) lost.push(found)
      else if (!document.test(hits[0]?.id ?? '')) second.push(found)
    }
    expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(QUESTIONS[lang].length / 10)
    expect(second.length, second.join('\n')).toBeLessThan(QUESTIONS[lang].length / 3)
  },
)

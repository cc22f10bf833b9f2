/** Texts about long-term memory. */
import type { Lang } from '../i18n/locale.ts'

interface MemoryTexts {
  none: string
  noMatch: string
  columns: Record<'id' | 'when' | 'kind' | 'owner' | 'content', string>
  kinds: Record<'user' | 'tool' | 'turn', string>
  facts: Record<'when' | 'kind' | 'tags' | 'session' | 'run' | 'owner', string>
  retold: string
  marked: string
  forgotten(p: { id: string; summaries: readonly string[] }): string
  unknown(p: { id: string }): string
}

const en: MemoryTexts = {
  none: 'No memories yet.',
  noMatch: 'No matches. Try other or fewer words.',
  columns: { id: 'id', when: 'when', kind: 'source', owner: 'owner', content: 'content' },
  kinds: { user: 'you', tool: 'agent', turn: 'turn summary' },
  facts: { when: 'Stored', kind: 'Source', tags: 'Tags', session: 'Session', run: 'Run', owner: 'Owner' },
  retold: 'Written after reading text from untrusted sources.',
  marked: 'Contains suspicious wording.',
  forgotten: ({ id, summaries }) =>
    summaries.length === 0
      ? `Deleted ${id}.`
      : `Deleted ${id} and ${summaries.length} turn ${summaries.length === 1 ? 'summary' : 'summaries'} with the same fact: ${summaries.join(', ')}`,
  unknown: ({ id }) => `there is no memory ${id}`,
}

const zh: MemoryTexts = {
  none: '还没有记忆。',
  noMatch: '没有匹配的内容。请换用其他词语，或减少词语。',
  columns: { id: 'ID', when: '时间', kind: '来源', owner: '所有者', content: '内容' },
  kinds: { user: '你', tool: '智能体', turn: '对话摘要' },
  facts: { when: '保存时间', kind: '来源', tags: '标签', session: '会话', run: '运行', owner: '所有者' },
  retold: '在读取不受信任来源的文本之后写入。',
  marked: '含有可疑措辞。',
  forgotten: ({ id, summaries }) =>
    summaries.length === 0
      ? `已删除 ${id}。`
      : `已删除 ${id}，以及 ${summaries.length} 条包含同一事实的对话摘要：${summaries.join('、')}`,
  unknown: ({ id }) => `没有 ID 为 ${id} 的记忆`,
}

export function memoryTexts(lang: Lang): MemoryTexts {
  return lang === 'zh' ? zh : en
}

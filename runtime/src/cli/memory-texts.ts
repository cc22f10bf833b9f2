/** What the terminal says about long-term memory. */
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
  unknownHint: string
}

const en: MemoryTexts = {
  none: 'Nothing is remembered yet.',
  noMatch: 'Nothing matches. Try other or fewer words.',
  columns: { id: 'id', when: 'when', kind: 'source', owner: 'owner', content: 'content' },
  kinds: { user: 'you', tool: 'agent', turn: 'turn summary' },
  facts: { when: 'Stored', kind: 'Source', tags: 'Tags', session: 'Session', run: 'Run', owner: 'Owner' },
  retold: 'Written after reading text from untrusted sources.',
  marked: 'Contains suspicious wording.',
  forgotten: ({ id, summaries }) =>
    summaries.length === 0
      ? `Forgot ${id}.`
      : `Forgot ${id}, and ${summaries.length} turn ${summaries.length === 1 ? 'summary' : 'summaries'} with the same fact: ${summaries.join(', ')}`,
  unknown: ({ id }) => `there is no memory ${id}`,
  unknownHint: '`writ memory list` shows the ids.',
}

const zh: MemoryTexts = {
  none: '还没有记住任何内容。',
  noMatch: '没有匹配的内容。请换用或减少词语。',
  columns: { id: '编号', when: '时间', kind: '来源', owner: '所有者', content: '内容' },
  kinds: { user: '你', tool: '代理', turn: '对话摘要' },
  facts: { when: '存入时间', kind: '来源', tags: '标签', session: '会话', run: '运行', owner: '所有者' },
  retold: '写入之前读取过不受信任来源的文字。',
  marked: '含有可疑措辞。',
  forgotten: ({ id, summaries }) =>
    summaries.length === 0
      ? `已忘记 ${id}。`
      : `已忘记 ${id}，以及 ${summaries.length} 条含有同一事实的对话摘要：${summaries.join('、')}`,
  unknown: ({ id }) => `没有编号为 ${id} 的记忆`,
  unknownHint: '用 `writ memory list` 查看编号。',
}

export function memoryTexts(lang: Lang): MemoryTexts {
  return lang === 'zh' ? zh : en
}

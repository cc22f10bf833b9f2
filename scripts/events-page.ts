/** The reference of events: what each means, and its data as declared in `protocol/event.ts`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lang } from '../runtime/src/base/lang.ts'
import type { EventType } from '../runtime/src/protocol/event.ts'
import { EVENT_TEXTS } from './event-texts.ts'

const SOURCE = join(import.meta.dirname, '../runtime/src/protocol/event.ts')
const FENCE = '```'

const HEADS: Readonly<Record<Lang, string>> = {
  en: `# Events

Generated from \`runtime/src/protocol/event.ts\` by \`npm run reference\`; do not edit.

The journal of a run is a list of these events. \`writ run --json\` and \`GET /api/runs/:id/events\` give them as JSON,
\`agent.stream\` and \`agent.events(runId)\` as objects. Readers must ignore types they do not know: a newer Writ may have more.

Every event has \`seq\` (from 1), \`type\`, \`timestamp\` (milliseconds since 1970), \`reason\`, the ids \`sessionId\`, \`turnId\`,
\`runId\` and \`scoutId\`, the \`mode\` of the run, \`data\` as below, and in the journal \`hash\`, which covers the event and the
hash before it. The picture: [Journal and crash](../concepts/journal.md). Types that are only named here are in
[Library](api.md).
`,
  zh: `# 事件

由 \`npm run reference\` 从 \`runtime/src/protocol/event.ts\` 生成，请勿手工修改（do not edit）。

一次运行的日志就是这些事件的列表。\`writ run --json\` 和 \`GET /api/runs/:id/events\` 以 JSON 提供，\`agent.stream\` 和
\`agent.events(runId)\` 以对象提供。读取方必须忽略不认识的类型：新版本的 Writ 可能有更多类型。

每个事件都有 \`seq\`（从 1 开始）、\`type\`、\`timestamp\`（自 1970 年起的毫秒数）、\`reason\`、各 ID（\`sessionId\`、\`turnId\`、
\`runId\`、\`scoutId\`）、运行的 \`mode\`、如下的 \`data\`；在日志中还有 \`hash\`，它覆盖本事件和前一个哈希。图示见
[日志与崩溃](../concepts/journal.md)。这里只给出名称的类型见[库](api.md)。
`,
}

export function eventsPage(lang: Lang): string {
  const fields = fieldsByType()
  const entries = Object.entries(EVENT_TEXTS) as [EventType, Record<Lang, string>][]
  const missing = [...fields.keys()].filter((type) => !entries.some(([known]) => known === type))
  if (missing.length > 0) throw new Error(`scripts/event-texts.ts has no text for ${missing.join(', ')}`)
  const parts = entries.map(
    ([type, texts]) => `## ${type}\n\n${texts[lang]}\n\n${FENCE}text\n${fields.get(type) ?? '{}'}\n${FENCE}\n`,
  )
  return `${HEADS[lang]}\n${parts.join('\n')}`
}

/** Properties of the interface stand at two spaces; those that span lines end with a brace at two spaces. */
function fieldsByType(): Map<string, string> {
  const [, body = ''] = /export interface EventData \{\n([\s\S]*?)\n\}\n/.exec(readFileSync(SOURCE, 'utf8')) ?? []
  const found = new Map<string, string>()
  for (const [, quoted, plain, type = ''] of body.matchAll(
    /^ {2}(?:'([\w.]+)'|(\w+)): ((?:\{\n[\s\S]*?\n {2}\})|.*)$/gm,
  )) {
    found.set(quoted ?? plain ?? '', type.replace(/^ {2}/gm, ''))
  }
  return found
}

/** The Markdown of replies: paragraphs, lists, headings, code. Anything else is shown as written. */
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { Preview, Shown } from './text.tsx'

type Block =
  | { kind: 'code'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'paragraph'; text: string }

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (line.startsWith('```')) {
      const end = lines.findIndex((other, at) => at > i && other.startsWith('```'))
      const last = end < 0 ? lines.length : end
      blocks.push({ kind: 'code', text: lines.slice(i + 1, last).join('\n') })
      i = last
      continue
    }
    const item = /^\s{0,3}(?:([-*•])|\d+[.)])\s+(.*)$/.exec(line)
    const heading = /^#{1,6}\s+(.*)$/.exec(line)
    const before = blocks.at(-1)
    if (item !== null) {
      const ordered = item[1] === undefined
      if (before?.kind === 'list' && before.ordered === ordered) before.items.push(item[2] ?? '')
      else blocks.push({ kind: 'list', ordered, items: [item[2] ?? ''] })
    } else if (heading !== null) blocks.push({ kind: 'heading', text: heading[1] ?? '' })
    else if (line.trim() === '') blocks.push({ kind: 'paragraph', text: '' })
    else if (before?.kind === 'paragraph' && before.text !== '') before.text += `\n${line}`
    else blocks.push({ kind: 'paragraph', text: line })
  }
  return blocks.filter((block) => block.kind !== 'paragraph' || block.text !== '')
}

function inline(text: string): ReactNode[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, i) => {
    const key = `${i} ${part}`
    if (part.startsWith('`') && part.length > 2)
      return (
        <code key={key}>
          <Shown text={part.slice(1, -1)} />
        </code>
      )
    if (part.startsWith('**') && part.length > 4)
      return (
        <strong key={key}>
          <Shown text={part.slice(2, -2)} />
        </strong>
      )
    return <Shown key={key} text={part} />
  })
}

export function Prose({ text }: { text: string }) {
  return (
    <div className="prose">
      {blocksOf(text).map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        <BlockView key={i} block={block} />
      ))}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  const { common } = useTexts()
  switch (block.kind) {
    case 'code':
      return <Preview text={block.text} label={common.code} />
    case 'heading':
      return <h3>{inline(block.text)}</h3>
    case 'paragraph':
      return <p>{inline(block.text)}</p>
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
            <li key={i}>{inline(item)}</li>
          ))}
        </List>
      )
    }
  }
}

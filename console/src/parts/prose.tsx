/**
 * The Markdown of replies, rendered as elements and never as HTML: tags in the text are shown as text, pictures as links
 * (loading one would tell another host that the reply was read), and links only lead to web pages and mail.
 */
import { lexer, type Token, type Tokens } from 'marked'
import { type ReactNode, useMemo } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { CopyButton } from './copy-button.tsx'
import { Preview, Shown } from './text.tsx'

/** Longer texts, and deeper nesting, are shown as written. */
const LONGEST = 300_000
const DEEPEST = 16

export function Prose({ text }: { text: string }) {
  const tokens = useMemo(() => tokensOf(text), [text])
  if (tokens === undefined) {
    return (
      <div className="prose">
        <p>
          <Shown text={text} />
        </p>
      </div>
    )
  }
  return <div className="prose">{blocks(tokens, 0)}</div>
}

export function tokensOf(text: string): Token[] | undefined {
  if (text.length > LONGEST) return undefined
  try {
    return lexer(text, { gfm: true, breaks: true })
  } catch {
    // Thousands of nested quotes overflow the parser.
    return undefined
  }
}

function blocks(tokens: readonly Token[], depth: number): ReactNode[] {
  return tokens.map((token, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
    <Block key={i} token={token} depth={depth} />
  ))
}

function Block({ token, depth }: { token: Token; depth: number }): ReactNode {
  if (depth > DEEPEST) return <Raw token={token} />
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'code':
      return <CodeBlock text={(token as Tokens.Code).text} lang={(token as Tokens.Code).lang ?? ''} />
    case 'heading':
      return (token as Tokens.Heading).depth > 2 ? <h4>{inline(token)}</h4> : <h3>{inline(token)}</h3>
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, depth + 1)}</blockquote>
    case 'list':
      return <List list={token as Tokens.List} depth={depth + 1} />
    case 'table':
      return <TableBlock table={token as Tokens.Table} />
    case 'paragraph':
      return <p>{inline(token)}</p>
    // In a list item without blank lines.
    case 'text':
    case 'checkbox':
      return <Inline token={token} />
    default:
      return <Raw token={token} />
  }
}

function Raw({ token }: { token: Token }) {
  return (
    <p>
      <Shown text={token.raw.trim()} />
    </p>
  )
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
    <li key={i} className={item.task ? 'task' : undefined}>
      {blocks(item.tokens, depth)}
    </li>
  ))
  if (!list.ordered) return <ul>{items}</ul>
  return <ol start={typeof list.start === 'number' ? list.start : 1}>{items}</ol>
}

function TableBlock({ table }: { table: Tokens.Table }) {
  const { common } = useTexts()
  const cell = ({ tokens, align }: Tokens.TableCell) => ({
    className: align === null ? undefined : `to-${align}`,
    children: tokens.map((token, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <Inline key={i} token={token} />
    )),
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section className="prose-table" tabIndex={0} aria-label={common.table}>
      <table>
        <thead>
          <tr>
            {table.header.map((head, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
              <th key={i} {...cell(head)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
            <tr key={i}>
              {row.map((each, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
                <td key={j} {...cell(each)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function CodeBlock({ text, lang }: { text: string; lang: string }) {
  const { common } = useTexts()
  const name = lang.split(/\s/, 1)[0] ?? ''
  return (
    <div className="code-block">
      <div className="row between small muted">
        <span className="mono">{name}</span>
        <CopyButton text={text} what={common.code} />
      </div>
      <Preview text={text} label={name === '' ? common.code : `${common.code}: ${name}`} />
    </div>
  )
}

function inline(token: Token): ReactNode[] {
  const { tokens = [] } = token as Tokens.Paragraph
  return tokens.map((each, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
    <Inline key={i} token={each} />
  ))
}

function Inline({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token)}</strong>
    case 'em':
      return <em>{inline(token)}</em>
    case 'del':
      return <del>{inline(token)}</del>
    case 'br':
      return <br />
    case 'checkbox':
      return <input type="checkbox" checked={(token as Tokens.Checkbox).checked} readOnly disabled />
    case 'codespan':
      return (
        <code>
          <Shown text={(token as Tokens.Codespan).text} />
        </code>
      )
    case 'link':
      return <LinkText token={token as Tokens.Link} />
    case 'image':
      return <LinkText token={token as Tokens.Image} />
    case 'escape':
      return <Shown text={(token as Tokens.Escape).text} />
    case 'text':
      return (token as Tokens.Text).tokens === undefined ? (
        <Shown text={withoutEntities((token as Tokens.Text).text)} />
      ) : (
        inline(token)
      )
    default:
      return <Shown text={token.raw} />
  }
}

/** The address is named beside a text that says something else. */
function LinkText({ token }: { token: Tokens.Link | Tokens.Image }) {
  const to = webAddress(token.href)
  if (to === undefined) return <Shown text={token.raw} />
  const place = to.protocol === 'mailto:' ? to.pathname : to.host
  const says = token.text.toLowerCase().includes(place.toLowerCase())
  return (
    <>
      <a href={to.href} target="_blank" rel="noreferrer noopener" title={to.href}>
        {token.text === '' ? <Shown text={to.href} /> : token.type === 'image' ? token.text : inline(token)}
      </a>
      {!says && (
        <span className="muted small link-place">
          {' '}
          (<Shown text={place} />)
        </span>
      )}
    </>
  )
}

export function webAddress(href: string): URL | undefined {
  const url = URL.parse(href)
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}

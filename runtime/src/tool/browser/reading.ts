/** A page as text: its words, then its links and controls with numbers. */
import type { JSHandle, Page } from 'playwright-core'
import { clip } from '../../base/text.ts'
import type { PageElement, PageWindow } from './page-element.ts'

const TEXT_MAX = 16_000
const CONTROLS_MAX = 100
const NAME_MAX = 60
const URL_MAX = 200

const USABLE =
  'a[href], button, input:not([type=hidden]), textarea, select, [role=button], [contenteditable=""], [contenteditable=true]'

interface Control {
  kind: 'link' | 'button' | 'field'
  name: string
  /** Address of a link, or type of a field. */
  detail: string
}

export interface Reading {
  text: string
  elements: JSHandle<PageElement[]>
}

export async function readPage(page: Page): Promise<Reading> {
  await page.locator('body').waitFor({ state: 'attached' })
  const url = page.url()
  const seen = await page.evaluateHandle(look, { selector: USABLE, max: CONTROLS_MAX })
  // The page navigated while it was read: its text must not be attributed to the new address.
  if (page.url() !== url) return readPage(page)
  const { title, words, controls, count } = await seen.evaluate(({ elements, ...text }) => text)
  const lines = controls.map(controlLine)
  if (count > lines.length) lines.push(`(+${count - lines.length})`)
  const parts = [
    headLine(title, url),
    clip(
      String(words)
        .replace(/[^\S\n]+$/gm, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      TEXT_MAX,
    ),
    ...(lines.length === 0 ? [] : [`Links and controls:\n${lines.join('\n')}`]),
  ]
  return { text: parts.join('\n\n'), elements: (await seen.getProperty('elements')) as Reading['elements'] }
}

export async function pageLine(page: Page): Promise<string> {
  return headLine(await page.title(), page.url())
}

function headLine(title: string, url: string): string {
  return `Title: ${clip(String(title), URL_MAX)}\nURL: ${clip(url, URL_MAX)}`
}

function controlLine({ kind, name, detail }: Control, at: number): string {
  const shown = clip(String(name).replace(/\s+/g, ' ').trim(), NAME_MAX)
  const extra =
    detail === ''
      ? ''
      : kind === 'link'
        ? ` → ${clip(String(detail), URL_MAX)}`
        : ` (${clip(String(detail), NAME_MAX)})`
  return `[${at + 1}] ${kind} "${shown}"${extra}`
}

interface Seen {
  title: string
  words: string
  elements: PageElement[]
  controls: Control[]
  count: number
}

/**
 * Title, text and controls are read in one step, so that they belong to the same state of the page. Runs inside the
 * page, so it can use nothing outside its own body.
 */
function look({ selector, max }: { selector: string; max: number }): Seen {
  const describe = (element: PageElement): Control => {
    const labelled = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? ''
    const text = element.innerText ?? ''
    if (element.tagName === 'A') return { kind: 'link', name: text || labelled, detail: element.href ?? '' }
    const isInput = element.tagName === 'INPUT'
    if (isInput && ['submit', 'button', 'reset', 'image'].includes(element.type ?? '')) {
      return { kind: 'button', name: element.value || labelled, detail: '' }
    }
    if (isInput || element.tagName === 'TEXTAREA' || element.tagName === 'SELECT') {
      const label = element.labels?.[0]?.textContent ?? ''
      const name = label || labelled || element.placeholder || element.name || ''
      return { kind: 'field', name, detail: isInput ? (element.type ?? '') : element.tagName.toLowerCase() }
    }
    if (element.tagName === 'BUTTON' || element.getAttribute('role') === 'button') {
      return { kind: 'button', name: text || labelled, detail: '' }
    }
    return { kind: 'field', name: labelled || text, detail: 'text' }
  }
  const { document } = globalThis as unknown as PageWindow
  const elements = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
  const controls = elements.slice(0, max).map(describe)
  const [body] = document.querySelectorAll('body')
  const title = String(document.title)
  return { title, words: body?.innerText ?? '', elements, controls, count: elements.length }
}

/** What a page says and offers, as text: its words, then its links and controls with the numbers to use them by. */
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
  /** Where a link leads, or what sort of field it is. */
  detail: string
}

export interface Reading {
  text: string
  elements: JSHandle<PageElement[]>
}

export async function readPage(page: Page): Promise<Reading> {
  const words = await page.locator('body').innerText()
  const elements = await page.evaluateHandle((selector) => {
    const { document } = globalThis as unknown as PageWindow
    return [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
  }, USABLE)
  const { controls, count } = await elements.evaluate(describeControls, CONTROLS_MAX)
  const lines = controls.map(controlLine)
  if (count > lines.length) lines.push(`(+${count - lines.length})`)
  const parts = [
    await pageLine(page),
    clip(
      words
        .replace(/[^\S\n]+$/gm, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      TEXT_MAX,
    ),
    ...(lines.length === 0 ? [] : [`Links and controls:\n${lines.join('\n')}`]),
  ]
  return { text: parts.join('\n\n'), elements }
}

export async function pageLine(page: Page): Promise<string> {
  return `Title: ${clip(await page.title(), URL_MAX)}\nURL: ${clip(page.url(), URL_MAX)}`
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

/** Runs inside the page, so it may use nothing from outside its own body. */
function describeControls(elements: PageElement[], max: number): { controls: Control[]; count: number } {
  const describe = (element: PageElement): Control => {
    const labelled = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? ''
    const said = element.innerText ?? ''
    if (element.tagName === 'A') return { kind: 'link', name: said || labelled, detail: element.href ?? '' }
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
      return { kind: 'button', name: said || labelled, detail: '' }
    }
    return { kind: 'field', name: labelled || said, detail: 'text' }
  }
  return { controls: elements.slice(0, max).map(describe), count: elements.length }
}

/** Finds what the model means by a target: a number of the last reading, a role and name, visible text, or CSS. */
import type { ElementHandle, Locator, Page } from 'playwright-core'
import { WritError } from '../../base/errors.ts'
import { type BrowserSession, currentPage } from './sessions.ts'

type Role = Parameters<Page['getByRole']>[0]
type Purpose = 'click' | 'type'

const CLICKABLE: Role[] = ['button', 'link', 'tab', 'menuitem', 'checkbox', 'radio', 'switch', 'option']
const TYPABLE: Role[] = ['textbox', 'searchbox', 'combobox', 'spinbutton']

/** The one visible element a target names. Among several, nobody guesses. */
export async function findTarget(session: BrowserSession, target: string, purpose: Purpose): Promise<ElementHandle> {
  const page = currentPage(session)
  const number = /^\[?(\d{1,4})\]?$/.exec(target.trim())?.[1]
  if (number !== undefined) return numberedElement(session, Number(number))
  for (const locator of candidates(page, target.trim(), purpose)) {
    const visible = locator.filter({ visible: true })
    // Not every target is a selector: the ones that are not simply find nothing.
    const count = await visible.count().catch(() => 0)
    if (count > 1) throw ambiguous(target, count)
    const element = count === 1 ? await visible.elementHandle() : null
    if (element !== null) return element
  }
  throw new WritError('TARGET_NOT_FOUND', `nothing visible on the page is called "${target}"`, {
    hint: 'Use browser_read and give the number of a link or control.',
  })
}

async function numberedElement(session: BrowserSession, number: number): Promise<ElementHandle> {
  const stale = new WritError('TARGET_NOT_FOUND', `there is no number ${number} on this page`, {
    hint: 'Numbers are those of the last browser_read of this page; read it again.',
  })
  const { numbered } = session
  if (numbered === undefined || numbered.page !== currentPage(session)) throw stale
  const handle = await numbered.elements
    .evaluateHandle((all, at) => (all[at]?.isConnected === true ? all[at] : undefined), number - 1)
    .catch(() => undefined)
  const element = handle?.asElement() as ElementHandle | null | undefined
  if (!element) throw stale
  return element
}

function ambiguous(target: string, count: number): WritError {
  return new WritError('TARGET_AMBIGUOUS', `${count} visible elements match "${target}"`, {
    hint: 'Use browser_read and give the number of the one you mean, or a narrower CSS selector.',
  })
}

/** Exact names before parts of names, what can be used before mere text, selectors last. */
function* candidates(page: Page, target: string, purpose: Purpose): Generator<Locator> {
  const [, role, name] = /^([a-z]+) "(.+)"$/.exec(target) ?? []
  if (role !== undefined && name !== undefined) yield page.getByRole(role as Role, { name, exact: true })
  for (const exact of [true, false]) {
    const roles = purpose === 'click' ? CLICKABLE : TYPABLE
    yield roles.map((own) => page.getByRole(own, { name: target, exact })).reduce((all, one) => all.or(one))
    yield page.getByLabel(target, { exact })
    if (purpose === 'type') yield page.getByPlaceholder(target, { exact })
    else yield page.getByText(target, { exact })
  }
  if (purpose === 'type' && /^[\w.-]+$/.test(target)) yield page.locator(`[name="${target}"]`)
  yield page.locator(`css=${target}`)
}

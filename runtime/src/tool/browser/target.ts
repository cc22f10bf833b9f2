/** Finds the element a target names: a number from browser_read, a role and name, visible text, or CSS. */
import type { ElementHandle, Locator, Page } from 'playwright-core'
import { WritError } from '../../errors/writ-error.ts'
import { type BrowserSession, currentPage } from './sessions.ts'

type Role = Parameters<Page['getByRole']>[0]
type Purpose = 'click' | 'type'

const CLICKABLE: Role[] = ['button', 'link', 'tab', 'menuitem', 'checkbox', 'radio', 'switch', 'option']
const TYPABLE: Role[] = ['textbox', 'searchbox', 'combobox', 'spinbutton']

/** The one visible element a target names. Several matches are an error, never a guess. */
export async function findTarget(session: BrowserSession, target: string, purpose: Purpose): Promise<ElementHandle> {
  const page = currentPage(session)
  const number = /^\[?(\d{1,4})\]?$/.exec(target.trim())?.[1]
  if (number !== undefined) return numberedElement(session, Number(number))
  for (const locator of candidates(page, target.trim(), purpose)) {
    const visible = locator.filter({ visible: true })
    // A target that is not a valid selector finds nothing.
    const count = await visible.count().catch(() => 0)
    if (count > 1) throw new WritError('TARGET_AMBIGUOUS', { target, count })
    const element = count === 1 ? await visible.elementHandle() : null
    if (element !== null) return element
  }
  throw new WritError('TARGET_NOT_FOUND', { target })
}

async function numberedElement(session: BrowserSession, number: number): Promise<ElementHandle> {
  const stale = new WritError('TARGET_NOT_FOUND.number', { number })
  const { numbered } = session
  if (numbered === undefined || numbered.page !== currentPage(session)) throw stale
  const handle = await numbered.elements
    .evaluateHandle((all, at) => (all[at]?.isConnected === true ? all[at] : undefined), number - 1)
    .catch(() => undefined)
  const element = handle?.asElement() as ElementHandle | null | undefined
  if (!element) throw stale
  return element
}

/** Exact names before partial ones, controls before text, selectors last. */
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

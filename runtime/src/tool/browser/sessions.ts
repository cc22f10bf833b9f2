/** One browser a process, one isolated context a session: cookies and pages of one are never seen by another. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, JSHandle, Page } from 'playwright-core'
import { messageOf, WritError } from '../../base/errors.ts'
import type { Env } from '../../config/places.ts'
import { sharedDomains } from '../../gate/domain.ts'
import { launchOptions } from './chromium.ts'
import { type GuardedProxy, openGuardedProxy } from './guarded-proxy.ts'
import type { PageElement } from './page-element.ts'

const ACTION_MS = 10_000
const NAVIGATION_MS = 30_000
const CLOSE_MS = 5_000
/** Pages a session may have open; a site that opens more gets them closed. */
const PAGES_KEPT = 8

export interface BrowserSession {
  /** Open pages, the one looked at last. */
  readonly pages: readonly Page[]
  readonly proxy: GuardedProxy
  newPage(): Promise<Page>
  /** Lets go of a page at once. Its end is not waited for: in the middle of a navigation it may never come. */
  drop(page: Page): void
  /** What the last reading numbered, and on which page. */
  numbered: { page: Page; elements: JSHandle<PageElement[]> } | undefined
}

interface Entry extends Reach {
  opened: Promise<BrowserSession>
  inUse: number
  idle?: NodeJS.Timeout
  close(): Promise<void>
}

/** Where a session's pages may connect to, whatever they themselves want. */
interface Reach {
  /** Closed addresses that were opened by name. */
  allowedHosts: readonly string[]
  /** The only names there are; undefined: every open one. */
  allowedDomains: readonly string[] | undefined
}

export interface SessionRules extends Reach {
  executable: string
  env: Env
  idleMs: number
}

const entries = new Map<string, Entry>()
let browser: Promise<Browser> | undefined

/** Lends a session's browser to one piece of work, and starts what is missing for it. */
export async function useSession<T>(
  sessionId: string,
  rules: SessionRules,
  work: (session: BrowserSession) => Promise<T>,
): Promise<T> {
  const entry = entries.get(sessionId) ?? openEntry(sessionId, rules)
  entry.allowedHosts = rules.allowedHosts
  entry.allowedDomains = entry.inUse === 0 ? rules.allowedDomains : narrower(entry, rules)
  entry.inUse += 1
  clearTimeout(entry.idle)
  try {
    const session = await entry.opened
    session.proxy.cutClosed()
    return await work(session)
  } finally {
    entry.inUse -= 1
    if (entry.inUse === 0 && entries.get(sessionId) === entry) {
      entry.idle = setTimeout(() => void closeSession(sessionId), rules.idleMs)
      entry.idle.unref()
    }
  }
}

/** Two calls at once share the pages, so each is held to the other's list too. */
function narrower({ allowedDomains: one }: Reach, { allowedDomains: other }: Reach): Reach['allowedDomains'] {
  return one === undefined || other === undefined ? (one ?? other) : sharedDomains(one, other)
}

/** What a session has open, without starting anything. */
export async function peekSession(sessionId: string): Promise<BrowserSession | undefined> {
  return entries.get(sessionId)?.opened.catch(() => undefined)
}

export function currentPage({ pages }: BrowserSession): Page {
  const page = pages.at(-1)
  if (page === undefined) throw new WritError('NO_PAGE', 'no page is open', { hint: 'Use browser_open first.' })
  return page
}

/** The browser itself goes with its last session. */
export async function closeSession(sessionId: string): Promise<void> {
  const entry = entries.get(sessionId)
  if (entry === undefined) return
  entries.delete(sessionId)
  clearTimeout(entry.idle)
  await entry.close()
  if (entries.size === 0) await closeBrowser()
}

export async function closeAll(): Promise<void> {
  await Promise.all([...entries.keys()].map(closeSession))
  await closeBrowser()
}

async function closeBrowser(): Promise<void> {
  const closing = browser
  browser = undefined
  await (await closing?.catch(() => undefined))?.close().catch(() => {})
}

function openEntry(sessionId: string, rules: SessionRules): Entry {
  let context: BrowserContext | undefined
  let proxy: GuardedProxy | undefined
  const open = async (): Promise<BrowserSession> => {
    const running = await launched(rules)
    proxy = await openGuardedProxy({
      allowedHosts: () => entry.allowedHosts,
      allowedDomains: () => entry.allowedDomains,
    })
    context = await running.newContext({
      proxy: { server: proxy.url, bypass: '<-loopback>' },
      acceptDownloads: false,
      serviceWorkers: 'block',
      viewport: { width: 1280, height: 800 },
    })
    context.setDefaultTimeout(ACTION_MS)
    context.setDefaultNavigationTimeout(NAVIGATION_MS)
    return sessionOn(context, proxy)
  }
  const entry: Entry = {
    opened: open(),
    allowedHosts: rules.allowedHosts,
    allowedDomains: rules.allowedDomains,
    inUse: 0,
    async close() {
      await entry.opened.catch(() => {})
      await Promise.race([context?.close().catch(() => {}), sleep(CLOSE_MS, undefined, { ref: false })])
      await proxy?.close()
    },
  }
  entries.set(sessionId, entry)
  // What could not be opened is tried again by the next call.
  entry.opened.catch(() => closeSession(sessionId))
  return entry
}

function sessionOn(context: BrowserContext, proxy: GuardedProxy): BrowserSession {
  const pages: Page[] = []
  const forget = (page: Page) => {
    const at = pages.indexOf(page)
    if (at >= 0) pages.splice(at, 1)
  }
  const drop = (page: Page) => {
    forget(page)
    page.close().catch(() => {})
  }
  context.on('page', (page) => {
    pages.push(page)
    page.on('close', () => forget(page))
    page.on('crash', () => drop(page))
    if (pages.length > PAGES_KEPT) drop(page)
  })
  return { pages, proxy, numbered: undefined, newPage: () => context.newPage(), drop }
}

function launched(rules: SessionRules): Promise<Browser> {
  if (browser !== undefined) return browser
  const launching = launch(rules)
  browser = launching
  // A browser that died took every page with it; the next call starts another. An older one's end says nothing.
  const forget = () => {
    if (browser !== launching) return
    browser = undefined
    for (const sessionId of entries.keys()) void closeSession(sessionId)
  }
  launching.then((started) => started.on('disconnected', forget), forget)
  return launching
}

async function launch({ executable, env }: SessionRules): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  try {
    return await chromium.launch(launchOptions(executable, env))
  } catch (error) {
    throw new WritError('BROWSER_FAILED', `${executable} did not start: ${messageOf(error).split('\n')[0]}`, {
      hint: 'Run `writ doctor`; set WRIT_CHROMIUM to another Chromium if this one is broken.',
      cause: error,
    })
  }
}

/** One browser per process, one isolated context per session: sessions never share cookies or pages. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, JSHandle, Page } from 'playwright-core'
import { messageOf } from '../../base/errors.ts'
import type { Env } from '../../config/places.ts'
import { WritError } from '../../errors/writ-error.ts'
import { sharedDomains } from '../../gate/domain.ts'
import { launchOptions } from './chromium.ts'
import { endBrowserWith } from './closing.ts'
import { type GuardedProxy, openGuardedProxy } from './guarded-proxy.ts'
import type { PageElement } from './page-element.ts'

const ACTION_MS = 10_000
const NAVIGATION_MS = 30_000
const CLOSE_MS = 5_000
/** A site that opens more pages gets them closed. */
const PAGES_KEPT = 8

export interface BrowserSession {
  /** Open pages; the current one is last. */
  readonly pages: readonly Page[]
  readonly proxy: GuardedProxy
  newPage(): Promise<Page>
  /** Closes a page without waiting: during a navigation, closing may never finish. */
  drop(page: Page): void
  /** The elements numbered by the last browser_read, and their page. */
  numbered: { page: Page; elements: JSHandle<PageElement[]> } | undefined
}

interface Entry extends Reach {
  opened: Promise<BrowserSession>
  inUse: number
  idle?: NodeJS.Timeout
  close(): Promise<void>
}

/** Where the pages of a session may connect to. */
interface Reach {
  /** Closed addresses that the user opened. */
  allowedHosts: readonly string[]
  /** The only allowed names; undefined: every open one. */
  allowedDomains: readonly string[] | undefined
}

export interface SessionRules extends Reach {
  executable: string
  env: Env
  idleMs: number
}

const entries = new Map<string, Entry>()
let browser: Promise<Browser> | undefined

/** Runs `work` on a session's browser, and starts browser and session if needed. */
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
    session.proxy.closeDisallowed()
    return await work(session)
  } finally {
    entry.inUse -= 1
    if (entry.inUse === 0 && entries.get(sessionId) === entry) {
      entry.idle = setTimeout(() => void closeSession(sessionId), rules.idleMs)
      entry.idle.unref()
    }
  }
}

/** Concurrent calls share the pages, so both lists apply. */
function narrower({ allowedDomains: one }: Reach, { allowedDomains: other }: Reach): Reach['allowedDomains'] {
  return one === undefined || other === undefined ? (one ?? other) : sharedDomains(one, other)
}

/** The session's browser if it is open; starts nothing. */
export async function peekSession(sessionId: string): Promise<BrowserSession | undefined> {
  return entries.get(sessionId)?.opened.catch(() => undefined)
}

export function currentPage({ pages }: BrowserSession): Page {
  const page = pages.at(-1)
  if (page === undefined) throw new WritError('NO_PAGE')
  return page
}

/** The browser closes with its last session. */
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
    const running = await sharedBrowser(rules)
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
  // The next call tries to open it again.
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

function sharedBrowser(rules: SessionRules): Promise<Browser> {
  if (browser !== undefined) return browser
  const launching = launch(rules)
  endBrowserWith(closeAll)
  browser = launching
  // A crashed browser loses all its pages; the next call starts another. Events of an older browser are ignored.
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
    const [why = ''] = messageOf(error).split('\n')
    throw new WritError('BROWSER_FAILED', { executable, why }, { cause: error })
  }
}

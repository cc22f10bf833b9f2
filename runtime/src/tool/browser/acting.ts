/** How the tools act on a page: with time limits, aborted by the call's signal, with readable errors. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, Page, Request } from 'playwright-core'
import { messageOf } from '../../base/errors.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { ToolContext, ToolOutput } from '../tool.ts'
import type { ConnectionFailure } from './guarded-proxy.ts'
import { type BrowserSession, currentPage, type SessionRules, useSession } from './sessions.ts'

const ANSWER_MS = 15_000
const NAVIGATION_MS = 30_000
const LOAD_MS = 10_000
const LOADED_MS = 3_000
/** How soon after a click or key press a page starts to navigate: measured by the page's timer, at most by ours. */
const LEAVE_MS = 250
const LEAVE_MAX_MS = 5_000
const FAILURES_SHOWN = 5

/** Runs one call on its session's browser. An abort closes the page, which ends everything that waits for it. */
export async function actOn(
  context: ToolContext,
  rules: SessionRules,
  work: (session: BrowserSession) => Promise<ToolOutput>,
): Promise<ToolOutput> {
  const { signal, sessionId } = context
  try {
    return await useSession(sessionId, rules, async (session) => {
      const stop = () => [...session.pages].forEach(session.drop)
      signal.throwIfAborted()
      signal.addEventListener('abort', stop, { once: true })
      session.proxy.clearFailures()
      try {
        return withFailures(await work(session), session.proxy.failures)
      } finally {
        signal.removeEventListener('abort', stop)
      }
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof WritError) throw error
    return { ok: false, error: plain(error), code: 'BROWSER_FAILED' }
  }
}

/** A page with refused connections looks broken; the model must know why. */
function withFailures(output: ToolOutput, failures: readonly ConnectionFailure[]): ToolOutput {
  const refused = [...new Set(failures.filter(({ refused }) => refused !== undefined).map(({ message }) => message))]
  if (!output.ok || refused.length === 0) return output
  const more = refused.length > FAILURES_SHOWN ? [`(+${refused.length - FAILURES_SHOWN})`] : []
  return { ok: true, text: [output.text, '', ...refused.slice(0, FAILURES_SHOWN), ...more].join('\n') }
}

/** Playwright's first line; the rest is a log of its steps. */
function plain(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n')
  return line.replace(/^\w+\.\w+: /, '').replace(/\x1b\[\d+m/g, '')
}

/** Opens a new page: an old one may be busy or navigating. Returns the HTTP status. */
export async function openPage(session: BrowserSession, url: URL, signal: AbortSignal): Promise<number | undefined> {
  ;[...session.pages].forEach(session.drop)
  const page = await session.newPage()
  signal.throwIfAborted()
  let failedAt = ''
  page.on('requestfailed', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) failedAt = request.url()
  })
  const failureAt = (at: string) => session.proxy.failures.find((one) => isAt(one, at))
  try {
    const response = await page.goto(url.href, { waitUntil: 'commit' }).catch(redirected)
    await waitForLoad(page)
    const status = response?.status()
    const found = failureAt(page.url())
    // An image that failed to load from the same host does not mean that the page failed.
    if (found !== undefined && (found.refused !== undefined || status === 502)) throw failureError(found)
    return status
  } catch (error) {
    session.drop(page)
    // Through a tunnel, a refusal looks like a lost connection; only the proxy knows the reason.
    const found = failureAt(failedAt)
    throw error instanceof WritError || found === undefined ? error : failureError(found)
  }
}

/** A page may redirect while it loads; that is not a failure. */
function redirected(error: unknown): undefined {
  if (!/interrupted by another navigation to "https?:/.test(messageOf(error))) throw error
}

function isAt({ host, port }: ConnectionFailure, url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host: place } = new URL(url)
  const name = host.includes(':') ? `[${host}]` : host
  return place === `${name}:${port}` || (place === name && port === (protocol === 'https:' ? 443 : 80))
}

function failureError({ refused, message }: ConnectionFailure): Error {
  return refused ?? new Error(message)
}

/** Acts on the page and waits for the result: the same page, another one, or a new window. */
export async function follow(page: Page, act: () => Promise<unknown>): Promise<void> {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  let leaving = false
  const isLeaving = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame()
  const onRequest = (request: Request) => {
    leaving ||= isLeaving(request)
  }
  const onFailed = (request: Request) => {
    if (isLeaving(request)) arrive()
  }
  const onNavigated = (frame: Frame) => {
    if (frame === page.mainFrame()) arrive()
  }
  const onClose = () => arrive()
  page.on('request', onRequest).on('requestfailed', onFailed).on('framenavigated', onNavigated).on('close', onClose)
  try {
    await act()
    await settle(page)
    if (leaving) await Promise.race([arrived, sleep(NAVIGATION_MS, undefined, { ref: false })])
  } finally {
    page.off('request', onRequest).off('requestfailed', onFailed)
    page.off('framenavigated', onNavigated).off('close', onClose)
  }
}

/** On a slow machine the page is late too: its timer fires only after the effects of the click. */
async function settle(page: Page): Promise<void> {
  const over = new AbortController()
  const passed = page.evaluate((ms) => new Promise<void>((done) => setTimeout(done, ms)), LEAVE_MS).catch(() => {})
  const late = sleep(LEAVE_MAX_MS, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([passed, late])
  over.abort()
}

/** Waits until the page has loaded, up to a limit. */
export async function waitForLoad(page: Page): Promise<void> {
  await page.waitForLoadState('domcontentloaded', { timeout: LOAD_MS }).catch(() => {})
  await page.waitForLoadState('load', { timeout: LOADED_MS }).catch(() => {})
}

/** Runs a question to the page with a time limit. A page that is busy with a script never answers, and is closed. */
export async function withPageTimeout<T>(session: BrowserSession, ask: (page: Page) => Promise<T>): Promise<T> {
  const page = currentPage(session)
  const { promise: stuck, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    session.drop(page)
    reject(new WritError('PAGE_STUCK'))
  }, ANSWER_MS)
  try {
    return await Promise.race([ask(page), stuck])
  } finally {
    clearTimeout(timer)
  }
}

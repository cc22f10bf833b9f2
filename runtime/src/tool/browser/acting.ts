/** How the tools act on a page: bounded in time, ended by the call's signal, failing in plain words. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, Page, Request } from 'playwright-core'
import { messageOf, WritError } from '../../base/errors.ts'
import type { ToolContext, ToolOutput } from '../tool.ts'
import type { Trouble } from './guarded-proxy.ts'
import { type BrowserSession, currentPage, type SessionRules, useSession } from './sessions.ts'

const ANSWER_MS = 15_000
const NAVIGATION_MS = 30_000
const LOAD_MS = 10_000
const REST_MS = 3_000
/** How soon after a click or a key a page sets off for another one, if it does: by its own clock, then by ours. */
const LEAVE_MS = 250
const LEAVE_MAX_MS = 5_000
const TROUBLES_SHOWN = 5

/** Runs one call on its session's browser. An abort closes the page, which ends whatever was waiting for it. */
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
      session.proxy.forgetTroubles()
      try {
        return withTroubles(await work(session), session.proxy.troubles)
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

/** A page that was kept from something looks broken; the model must know why. */
function withTroubles(output: ToolOutput, troubles: readonly Trouble[]): ToolOutput {
  const refused = [...new Set(troubles.filter(({ refused }) => refused !== undefined).map(({ message }) => message))]
  if (!output.ok || refused.length === 0) return output
  const more = refused.length > TROUBLES_SHOWN ? [`(+${refused.length - TROUBLES_SHOWN})`] : []
  return { ok: true, text: [output.text, '', ...refused.slice(0, TROUBLES_SHOWN), ...more].join('\n') }
}

/** Playwright's first line; the rest is a log of its own steps. */
function plain(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n')
  return line.replace(/^\w+\.\w+: /, '').replace(/\x1b\[\d+m/g, '')
}

/** On a page of its own: one that is busy, or on its way elsewhere, would get in between. Gives the HTTP status. */
export async function open(session: BrowserSession, url: URL, signal: AbortSignal): Promise<number | undefined> {
  ;[...session.pages].forEach(session.drop)
  const page = await session.newPage()
  signal.throwIfAborted()
  let failedAt = ''
  page.on('requestfailed', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) failedAt = request.url()
  })
  const trouble = (at: string) => session.proxy.troubles.find((one) => isAt(one, at))
  try {
    const response = await page.goto(url.href, { waitUntil: 'commit' }).catch(redirected)
    await rest(page)
    const status = response?.status()
    const kept = trouble(page.url())
    // A picture that failed to come from the same host is not the page failing.
    if (kept !== undefined && (kept.refused !== undefined || status === 502)) throw troubleError(kept)
    return status
  } catch (error) {
    session.drop(page)
    // Through a tunnel a refusal only shows as a lost connection; the proxy knows the reason.
    const kept = trouble(failedAt)
    throw error instanceof WritError || kept === undefined ? error : troubleError(kept)
  }
}

/** A page may send the browser on while it arrives; that is no failure. */
function redirected(error: unknown): undefined {
  if (!/interrupted by another navigation to "https?:/.test(messageOf(error))) throw error
}

function isAt({ host, port }: Trouble, url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host: place } = new URL(url)
  const name = host.includes(':') ? `[${host}]` : host
  return place === `${name}:${port}` || (place === name && port === (protocol === 'https:' ? 443 : 80))
}

function troubleError({ refused, message }: Trouble): Error {
  if (refused === undefined) return new Error(message)
  if (refused === 'DOMAIN_NOT_ALLOWED') return new WritError(refused, message)
  return new WritError(refused, message, {
    hint: 'Loopback and private services open only by naming host:port in allowedHosts; metadata services never.',
  })
}

/** Does something to the page, and waits for where that leads: the same page, another one, or a new window. */
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

/** On a slow machine the page itself is late too: its own timer goes off only after what the click set off. */
async function settle(page: Page): Promise<void> {
  const over = new AbortController()
  const passed = page.evaluate((ms) => new Promise<void>((done) => setTimeout(done, ms)), LEAVE_MS).catch(() => {})
  const late = sleep(LEAVE_MAX_MS, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([passed, late])
  over.abort()
}

/** Until the page has loaded, or as long as it is worth waiting for. */
export async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('domcontentloaded', { timeout: LOAD_MS }).catch(() => {})
  await page.waitForLoadState('load', { timeout: REST_MS }).catch(() => {})
}

/** Asks the page something. One that is busy with its own script answers nothing, for ever; it is let go. */
export async function answered<T>(session: BrowserSession, ask: (page: Page) => Promise<T>): Promise<T> {
  const page = currentPage(session)
  const { promise: stuck, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    session.drop(page)
    reject(
      new WritError('PAGE_STUCK', 'the page does not respond and was closed', {
        hint: 'Open another page, or the same one again.',
      }),
    )
  }, ANSWER_MS)
  try {
    return await Promise.race([ask(page), stuck])
  } finally {
    clearTimeout(timer)
  }
}

/** Debian's Chromium, with pages that record every browser error. */
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { needChromium } from '../../../runtime/test/support/chromium.ts'
import { PATIENCE_MS } from '../../../runtime/test/support/until.ts'

export interface Look {
  theme?: 'light' | 'dark'
  lang?: 'en' | 'zh'
  width?: number
  /** Opened at once: each further page costs a second of processor time. */
  path?: string
}

export interface Watched {
  page: Page
  /** Script errors, console errors and violations of the content security policy. */
  complaints: string[]
  close(): Promise<void>
}

/** Chromium obeys only the last such list. */
const DISABLED = [
  // Two processes for each window's address bar, which is never seen, and one for a page that may come.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
  // What Playwright's own list has, except for Windows, macOS and Edge.
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding', 'LensOverlay'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
]

export function openBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--renderer-process-limit=1', `--disable-features=${DISABLED.join(',')}`]
  return chromium.launch({ executablePath: needChromium(), args })
}

export async function openPage(
  browser: Browser,
  { url, token }: { url: string; token: string },
  { theme = 'light', lang = 'en', width = 1280, path = '/' }: Look = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: lang === 'zh' ? 'zh-CN' : 'en-US',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(`${url}${path}#token=${token}`)
  await page.locator('nav').waitFor({ state: 'attached' })
  return { page, complaints, close: () => context.close() }
}

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}

/** Serious and critical axe violations, each with the first affected element. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, to which the content security policy does not apply.
  await page.evaluate(axe.source)
  const violations = await page.evaluate<Violation[]>('axe.run().then((result) => result.violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.length}× ${nodes[0]?.html.slice(0, 160)}`)
}

/** The browser tools. Registered only if Chromium is installed. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../base/json.ts'
import { clip } from '../../base/text.ts'
import type { Env } from '../../config/places.ts'
import { WritError } from '../../errors/writ-error.ts'
import { defineTool, type Tool, type ToolContext, type ToolDefinition, type ToolOutput } from '../tool.ts'
import { actOn, follow, openPage, waitForLoad, withPageTimeout } from './acting.ts'
import { findChromium } from './chromium.ts'
import { addressOf, openFacts, pageFacts, useFacts } from './facts.ts'
import type { PageElement } from './page-element.ts'
import { pageLine, readPage } from './reading.ts'
import { type BrowserSession, currentPage } from './sessions.ts'
import { findTarget } from './target.ts'

const OPEN_MS = 60_000
const USE_MS = 60_000
const IDLE_MS = 5 * 60_000

export interface BrowserDeps {
  env: Env
  /** Where screenshots are stored. */
  artifacts: string
  /** A session's pages are closed after this time without a call. */
  idleMs?: number
}

type Work = (session: BrowserSession, context: ToolContext) => Promise<ToolOutput>
type Act = (context: ToolContext, work: Work) => Promise<ToolOutput>

/** Empty without Chromium; `browserStatus` tells how to install it. */
export function browserTools({ env, artifacts, idleMs = IDLE_MS }: BrowserDeps): Tool[] {
  const executable = findChromium(env)
  if (executable === undefined) return []
  const act: Act = (context, work) => {
    const { allowedHosts } = context.world
    const { allowedDomains } = context.policy.security
    return actOn(context, { executable, env, allowedHosts, allowedDomains, idleMs }, (session) =>
      work(session, context),
    )
  }
  return [openTool(act), readTool(act), clickTool(act), typeTool(act), screenshotTool(act, artifacts)]
}

function browserTool<Args>(definition: ToolDefinition<Args>): Tool<Args> {
  return defineTool<Args>({ family: 'browser', trust: 'external', callMs: USE_MS, touchesFiles: false, ...definition })
}

const objectOf = (properties: Record<string, JsonObject>): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

function openTool(act: Act): Tool {
  return browserTool<{ url: string }>({
    name: 'browser_open',
    description: 'Opens a web page in the browser and returns its title and final address.',
    schema: objectOf({ url: { type: 'string', minLength: 1, maxLength: 4096 } }),
    risk: 'Low',
    readOnly: true,
    callMs: OPEN_MS,
    preValidate: ({ url }, world) => openFacts(url, world),
    execute: ({ url }, context) =>
      act(context, async (session, { signal }) => {
        const status = await openPage(session, webAddress(url), signal)
        const line = await pageSummary(session)
        if (status === undefined || status < 400) return { ok: true, text: line }
        return { ok: false, code: 'HTTP_STATUS', error: `the server answered ${status}`, partial: line }
      }),
  }) as Tool
}

function readTool(act: Act): Tool {
  return browserTool({
    name: 'browser_read',
    description: 'Reads the open page: its text, then its numbered links and controls.',
    schema: objectOf({}),
    readOnly: true,
    preValidate: (_args, _world, at) => pageFacts(at),
    execute: (_args, context) =>
      act(context, async (session) => {
        const page = currentPage(session)
        const { text, elements } = await withPageTimeout(session, readPage)
        session.numbered = { page, elements }
        return { ok: true, text }
      }),
  }) as Tool
}

const TARGET: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 500,
  description: 'A number from browser_read, a role with a name (button "Send"), visible text or label, or CSS.',
}

function clickTool(act: Act): Tool {
  return browserTool<{ target: string }>({
    name: 'browser_click',
    description: 'Clicks an element of the page and returns the resulting page.',
    schema: objectOf({ target: TARGET }),
    preValidate: ({ target }, _world, at) => useFacts({ purpose: 'click', target }, at),
    execute: ({ target }, context) =>
      act(context, async (session) => {
        const element = await withPageTimeout(session, () => findTarget(session, target, 'click'))
        await follow(currentPage(session), () => element.click())
        return { ok: true, text: await summaryAfter(session) }
      }),
  }) as Tool
}

function typeTool(act: Act): Tool {
  return browserTool<{ target: string; text: string }>({
    name: 'browser_type',
    description:
      'Fills a field of the open page, replacing its content, or selects that option of a list. ' +
      'A line break at the end of the text presses Enter.',
    schema: objectOf({ target: TARGET, text: { type: 'string', maxLength: 20_000 } }),
    preValidate: ({ target, text }, _world, at) => useFacts({ purpose: 'type', target, text }, at),
    execute: ({ target, text }, context) =>
      act(context, async (session) => {
        const element = await withPageTimeout(session, () => findTarget(session, target, 'type'))
        const isList = await withPageTimeout(session, () =>
          element.evaluate((own: PageElement) => own.tagName === 'SELECT'),
        )
        const entered = text.replace(/\r?\n$/, '')
        await follow(currentPage(session), async () => {
          if (isList) await element.selectOption({ label: entered })
          else await element.fill(entered)
          if (entered !== text) await element.press('Enter')
        })
        return { ok: true, text: await summaryAfter(session) }
      }),
  }) as Tool
}

function screenshotTool(act: Act, artifacts: string): Tool {
  return browserTool({
    name: 'browser_screenshot',
    description: 'Saves a screenshot of the visible part of the page.',
    schema: objectOf({}),
    readOnly: true,
    preValidate: (_args, _world, at) => pageFacts(at),
    execute: (_args, context) =>
      act(context, async (session, { sessionId, callId }) => {
        const picture = await withPageTimeout(session, (page) => page.screenshot({ type: 'png' }))
        const file = join(artifacts, `${safeName(sessionId)}-${safeName(callId)}.png`)
        await mkdir(artifacts, { recursive: true, mode: 0o700 })
        await writeFile(file, picture, { mode: 0o600 })
        const { width = 0, height = 0 } = currentPage(session).viewportSize() ?? {}
        return {
          ok: true,
          text: `${file}\n${width}×${height} px, ${picture.length} bytes\n${await pageSummary(session)}`,
        }
      }),
  }) as Tool
}

function webAddress(typed: string): URL {
  const address = addressOf(typed)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new WritError('BAD_URL.page', { text: JSON.stringify(clip(typed, 200)) })
  }
  if (url.username !== '' || url.password !== '') {
    throw new WritError('BAD_URL.pageCredentials')
  }
  return url
}

function pageSummary(session: BrowserSession): Promise<string> {
  return withPageTimeout(session, pageLine)
}

/** The click may have closed the page or opened another. */
async function summaryAfter(session: BrowserSession): Promise<string> {
  const page = session.pages.at(-1)
  if (page === undefined) return 'The page closed itself.'
  await waitForLoad(page)
  return pageSummary(session)
}

/** Ids are untrusted and must not become paths. */
function safeName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
}

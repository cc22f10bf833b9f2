/** The browser, as tools. Registered only where there is a Chromium to drive. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WritError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { clip } from '../../base/text.ts'
import type { Env } from '../../config/places.ts'
import { defineTool, type Tool, type ToolContext, type ToolDefinition, type ToolOutput } from '../tool.ts'
import { actOn, answered, follow, open, rest } from './acting.ts'
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
  /** Where screenshots are kept. */
  artifacts: string
  /** After how long without a call a session's pages are closed. */
  idleMs?: number
}

type Work = (session: BrowserSession, context: ToolContext) => Promise<ToolOutput>
type Act = (context: ToolContext, work: Work) => Promise<ToolOutput>

/** None without a Chromium; `browserStatus` says how to get one. */
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
  return defineTool<Args>({ family: 'browser', trust: 'external', callMs: USE_MS, ...definition })
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
    description: 'Opens a web page in the browser and tells its title and final address.',
    schema: objectOf({ url: { type: 'string', minLength: 1, maxLength: 4096 } }),
    risk: 'Low',
    readOnly: true,
    callMs: OPEN_MS,
    preValidate: ({ url }, world) => openFacts(url, world),
    execute: ({ url }, context) =>
      act(context, async (session, { signal }) => {
        const status = await open(session, webAddress(url), signal)
        const line = await here(session)
        if (status === undefined || status < 400) return { ok: true, text: line }
        return { ok: false, code: 'HTTP_STATUS', error: `the server answered ${status}`, partial: line }
      }),
  }) as Tool
}

function readTool(act: Act): Tool {
  return browserTool({
    name: 'browser_read',
    description: 'Reads the page now open: its text, then its links and controls, each with a number to use it by.',
    schema: objectOf({}),
    readOnly: true,
    preValidate: (_args, _world, at) => pageFacts(at),
    execute: (_args, context) =>
      act(context, async (session) => {
        const page = currentPage(session)
        const { text, elements } = await answered(session, readPage)
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
    description: 'Clicks something on the page and tells where that led.',
    schema: objectOf({ target: TARGET }),
    preValidate: ({ target }, _world, at) => useFacts({ purpose: 'click', target }, at),
    execute: ({ target }, context) =>
      act(context, async (session) => {
        const element = await answered(session, () => findTarget(session, target, 'click'))
        await follow(currentPage(session), () => element.click())
        return { ok: true, text: await after(session) }
      }),
  }) as Tool
}

function typeTool(act: Act): Tool {
  return browserTool<{ target: string; text: string }>({
    name: 'browser_type',
    description:
      'Fills a field of the page now open, replacing what is in it, or picks that option of a list. ' +
      'A line break at the end of the text presses Enter.',
    schema: objectOf({ target: TARGET, text: { type: 'string', maxLength: 20_000 } }),
    preValidate: ({ target, text }, _world, at) => useFacts({ purpose: 'type', target, text }, at),
    execute: ({ target, text }, context) =>
      act(context, async (session) => {
        const element = await answered(session, () => findTarget(session, target, 'type'))
        const isList = await answered(session, () => element.evaluate((own: PageElement) => own.tagName === 'SELECT'))
        const entered = text.replace(/\r?\n$/, '')
        await follow(currentPage(session), async () => {
          if (isList) await element.selectOption({ label: entered })
          else await element.fill(entered)
          if (entered !== text) await element.press('Enter')
        })
        return { ok: true, text: await after(session) }
      }),
  }) as Tool
}

function screenshotTool(act: Act, artifacts: string): Tool {
  return browserTool({
    name: 'browser_screenshot',
    description: 'Saves a picture of what is visible of the page.',
    schema: objectOf({}),
    readOnly: true,
    preValidate: (_args, _world, at) => pageFacts(at),
    execute: (_args, context) =>
      act(context, async (session, { sessionId, callId }) => {
        const picture = await answered(session, (page) => page.screenshot({ type: 'png' }))
        const file = join(artifacts, `${safeName(sessionId)}-${safeName(callId)}.png`)
        await mkdir(artifacts, { recursive: true, mode: 0o700 })
        await writeFile(file, picture, { mode: 0o600 })
        const { width = 0, height = 0 } = currentPage(session).viewportSize() ?? {}
        return { ok: true, text: `${file}\n${width}×${height} px, ${picture.length} bytes\n${await here(session)}` }
      }),
  }) as Tool
}

function webAddress(typed: string): URL {
  const address = addressOf(typed)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new WritError('BAD_URL', `${JSON.stringify(clip(typed, 200))} is not the address of a web page`, {
      hint: 'The browser opens http and https addresses only.',
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw new WritError('BAD_URL', 'the address holds a user name or password', { hint: 'Open it without them.' })
  }
  return url
}

function here(session: BrowserSession): Promise<string> {
  return answered(session, pageLine)
}

/** A click may have closed its page, or opened another. */
async function after(session: BrowserSession): Promise<string> {
  const page = session.pages.at(-1)
  if (page === undefined) return 'The page closed itself.'
  await rest(page)
  return here(session)
}

/** Ids come from outside and must not become paths. */
function safeName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
}

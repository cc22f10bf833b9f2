/** What a browser call would touch: the address it opens, or the current page and where the action leads. */

import { clip } from '../../base/text.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { HostFact } from '../../protocol/facts.ts'
import { describeHost, hostAllowed } from '../guard/hosts.ts'
import type { CallFacts, CallPlace, World } from '../tool.ts'
import { withPageTimeout } from './acting.ts'
import type { PageElement } from './page-element.ts'
import { type BrowserSession, peekSession } from './sessions.ts'
import { findTarget } from './target.ts'

const TYPED_MAX = 8_000

/** Like an address bar: a bare host means https. */
export function addressOf(typed: string): string {
  const text = typed.trim()
  return /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:[/?#]|$)/i.test(text) ? `https://${text}` : text
}

export function openFacts(typed: string, world: World): CallFacts {
  const url = addressOf(typed)
  const host = describeHost(url, 'GET')
  return {
    risk: hostAllowed(host.host, host.port, world.allowedHosts) ? 'Low' : 'Medium',
    readOnly: true,
    hosts: [host],
    targets: [{ kind: 'url', value: url }],
    preview: `GET ${url}`,
  }
}

/** The current page. It may have navigated since it was opened, so it is judged again. */
export async function pageFacts(at: CallPlace | undefined): Promise<CallFacts> {
  const here = hereFact(await sessionAt(at))
  return here === undefined ? {} : { hosts: [here] }
}

export interface Use {
  purpose: 'click' | 'type'
  target: string
  text?: string
}

export async function useFacts(use: Use, at: CallPlace | undefined): Promise<CallFacts> {
  const session = await sessionAt(at)
  const here = hereFact(session)
  const typed = use.text === undefined ? '' : ` ${clip(JSON.stringify(use.text), TYPED_MAX)}`
  const preview = `${use.purpose}${typed} → ${use.target}${here === undefined ? '' : ` @ ${here.url}`}`
  // An "always" covers the page's origin; without a known origin there is none.
  if (session === undefined || here === undefined) return { preview, approvalKeys: [] }
  const next = await destination(session, use)
  return {
    hosts: [here, ...(next === undefined ? [] : [next])],
    targets: [{ kind: 'host', value: here.host }],
    preview: next === undefined ? preview : `${preview} → ${next.method} ${next.url}`,
  }
}

async function sessionAt(at: CallPlace | undefined): Promise<BrowserSession | undefined> {
  return at === undefined ? undefined : peekSession(at.sessionId)
}

function hereFact(session: BrowserSession | undefined): HostFact | undefined {
  const url = session?.pages.at(-1)?.url() ?? ''
  return /^https?:/.test(url) ? describeHost(url, 'GET') : undefined
}

/** Where using the element leads, according to the page: a link's address or a form's action. */
async function destination(
  session: BrowserSession,
  { target, purpose, text = '' }: Use,
): Promise<HostFact | undefined> {
  try {
    const element = await withPageTimeout(session, () => findTarget(session, target, purpose))
    const found = await withPageTimeout(session, () => element.evaluate(leadsTo, /\n$/.test(text)))
    if (found === undefined || !/^(?:https?|file|data|chrome[\w-]*):/i.test(found.url)) return undefined
    return describeHost(found.url, found.method.toUpperCase())
  } catch (error) {
    // A missing element leads nowhere; the call itself reports it.
    if (error instanceof WritError && error.code.startsWith('TARGET_')) return undefined
    throw error
  }
}

/** Runs inside the page, so it can use nothing outside its own body. */
function leadsTo(element: PageElement, pressesEnter: boolean): { url: string; method: string } | undefined {
  const link = element.closest('a[href]')
  if (link !== null) return { url: String(link.href), method: 'GET' }
  const button = element.closest('button, input')
  const submits = pressesEnter || button?.type === 'submit' || button?.type === 'image'
  const form = submits ? (button ?? element).form : undefined
  return form ? { url: String(form.action), method: String(form.method) } : undefined
}

/**
 * Tabs of one browser share a sign-in: a new tab asks the open ones, and a tab that signs in notifies the others. The
 * token is only kept in the tabs.
 */
import { connectionNow, markConnected, markSignedOut } from './connection.ts'
import { forgetDrafts } from './draft.ts'
import { forgetToken, keepToken, tokenNow } from './token.ts'

const ANSWER_MS = 250
const ASK = 'ask'

const channel = new BroadcastChannel('writ.sign-in')
let answered = () => {}

channel.onmessage = ({ data }: MessageEvent<unknown>) => {
  const own = tokenNow()
  if (data === ASK) {
    if (own !== undefined && connectionNow() !== 'signed-out') channel.postMessage({ token: own })
    return
  }
  const { token, left } = data as { token?: string; left?: string }
  if (left !== undefined && left === own) return forgetSignIn()
  if (token === undefined) return
  // A tab that is signed in keeps its own sign-in.
  if (own !== undefined && (connectionNow() !== 'signed-out' || own === token)) return
  keepToken(token)
  markConnected()
  answered()
}

/** A tab without a token waits briefly for one from another tab. */
export async function joinTabs(): Promise<void> {
  if (tokenNow() !== undefined) return
  const { promise, resolve } = Promise.withResolvers<void>()
  answered = resolve
  setTimeout(resolve, ANSWER_MS)
  askTabs()
  await promise
}

export function askTabs(): void {
  channel.postMessage(ASK)
}

/** Signs out every tab that uses this token. */
export function signOut(): void {
  channel.postMessage({ left: tokenNow() })
  forgetSignIn()
}

/** What was shown or typed must not be there for the next user. */
function forgetSignIn(): void {
  forgetToken()
  forgetDrafts()
  markSignedOut()
  for (const forget of forgetters) forget()
}

const forgetters = new Set<() => void>()

export function onSignOut(forget: () => void): () => void {
  forgetters.add(forget)
  return () => forgetters.delete(forget)
}

export function tellTabs(token: string): void {
  channel.postMessage({ token })
}

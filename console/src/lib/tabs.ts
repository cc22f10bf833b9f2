/**
 * Tabs of one browser share one sign-in: a new tab asks those that are open, and one that has signed in tells the
 * others. The token stays in the tabs; nothing is stored beyond them.
 */
import { doorNow, reopen } from './door.ts'
import { keepToken, tokenNow } from './token.ts'

const ANSWER_MS = 250
const ASK = 'ask'

const channel = new BroadcastChannel('writ.sign-in')
let answered = () => {}

channel.onmessage = ({ data }: MessageEvent<unknown>) => {
  const own = tokenNow()
  if (data === ASK) {
    if (own !== undefined && doorNow() !== 'signed-out') channel.postMessage({ token: own })
    return
  }
  const { token } = data as { token: string }
  // A tab that is signed in keeps its own sign-in.
  if (own !== undefined && (doorNow() !== 'signed-out' || own === token)) return
  keepToken(token)
  reopen()
  answered()
}

/** A tab without a token waits a moment for one. */
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

export function tellTabs(token: string): void {
  channel.postMessage({ token })
}

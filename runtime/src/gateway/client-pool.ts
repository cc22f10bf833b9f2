/** The clients of the gateway over HTTP that are there, or were a while ago. */
import { Refusal } from '../server/failure.ts'
import type { GatewaySession } from './session.ts'

export interface Held {
  /** The token that opened it: no other one can use it. */
  token: string
  session: GatewaySession
  /** Of the token. */
  isValid(): Promise<boolean>
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
  usedAt: number
}

/** Each has servers of its own. The one that was not used for longest makes room. */
const MOST = 64
const IDLE_MS = 3_600_000
const LOOK_MS = 1000

export class ClientPool {
  readonly #held = new Map<string, Promise<Held>>()
  readonly #timer = setInterval(() => void this.#dropUnused().catch(() => {}), LOOK_MS).unref()

  get(key: string): Promise<Held | undefined> {
    return this.#held.get(key)?.catch(() => undefined) ?? Promise.resolve(undefined)
  }

  async open(key: string, open: () => Promise<Held>): Promise<Held> {
    const known = this.#held.get(key)
    if (known !== undefined) return known
    if (this.#held.size >= MOST) await this.#makeRoom()
    const opening = this.#held.get(key) ?? open()
    this.#held.set(key, opening)
    // Tried again with the next request.
    opening.catch(() => this.#held.delete(key))
    return opening
  }

  async drop(key: string): Promise<void> {
    const found = this.get(key)
    this.#held.delete(key)
    await (await found)?.close().catch(() => {})
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#held.keys()].map((key) => this.drop(key)))
  }

  async #makeRoom(): Promise<void> {
    const [oldest] = (await this.#idle()).toSorted((a, b) => a.usedAt - b.usedAt)
    if (oldest === undefined) throw new Refusal('MCP_CLIENTS', { max: MOST }, { retryAfterS: 5 })
    await this.drop(oldest.key)
  }

  async #dropUnused(): Promise<void> {
    for (const key of [...this.#held.keys()]) {
      const held = await this.get(key)
      // Its streams end with it. What cannot be looked up is not valid.
      if (held !== undefined && !(await held.isValid().catch(() => false))) await this.drop(key)
    }
    for (const { key, usedAt } of await this.#idle()) if (Date.now() - usedAt > IDLE_MS) await this.drop(key)
  }

  async #idle(): Promise<{ key: string; usedAt: number }[]> {
    const all = [...this.#held.keys()].map(async (key) => ({ key, held: await this.get(key) }))
    return (await Promise.all(all)).flatMap(({ key, held }) =>
      held === undefined || held.session.isBusy() ? [] : [{ key, usedAt: held.usedAt }],
    )
  }
}

/**
 * What lists, statistics and traces need to know about a run, counted as its events are noted. It is stored with the
 * run, so that nothing has to read all its events again. It follows from the events: without it, they are counted.
 */
import { isObject } from '../base/json.ts'
import type { Event } from '../protocol/event.ts'
import { addUsage, isAside, type Usage } from '../protocol/message.ts'
import { eventsOf } from './read.ts'
import { type PackedStats, StatsAccount } from './stats.ts'
import type { KeptAccount, Store } from './store.ts'

/** Of what is stored. An older one is not used. */
const VERSION = 1

interface Sums {
  steps: number
  toolCalls: number
  usage: Usage
  /** The number of the last reply with text for the reader. */
  draft?: number
}

export interface CountedRun {
  runId: string
  sums: Readonly<Sums>
  stats: PackedStats
}

type Counted = Omit<CountedRun, 'runId'>

export class RunAccount {
  readonly #stats = new StatsAccount()
  readonly #sums: Sums
  #seq: number

  constructor(counted?: Counted, seq = 0) {
    this.#seq = seq
    this.#sums = counted === undefined ? noSums() : { ...counted.sums }
    if (counted !== undefined) this.#stats.merge(counted.stats)
  }

  static of(events: Iterable<Event>): RunAccount {
    const account = new RunAccount()
    for (const event of events) account.add(event)
    return account
  }

  get seq(): number {
    return this.#seq
  }

  add(event: Event): void {
    this.#seq = event.seq
    this.#stats.add(event)
    if (event.type === 'tool.call' && event.data.allowed) this.#sums.toolCalls++
    if (event.type !== 'model.replied') return
    const { purpose, usage, reply } = event.data
    this.#sums.usage = addUsage(this.#sums.usage, usage)
    if (isAside(purpose)) return
    this.#sums.steps++
    if (reply.kind !== 'malformed' && reply.text !== '') this.#sums.draft = event.seq
  }

  counted(): Counted {
    return { sums: { ...this.#sums }, stats: this.#stats.packed() }
  }

  kept(runId: string): KeptAccount {
    return { runId, seq: this.#seq, text: JSON.stringify({ version: VERSION, ...this.counted() }) }
  }
}

function noSums(): Sums {
  return { steps: 0, toolCalls: 0, usage: { inputTokens: 0, outputTokens: 0 } }
}

/** Undefined when it is of another version, or damaged. */
function opened(text: string): Counted | undefined {
  try {
    const kept: unknown = JSON.parse(text)
    return isObject(kept) && kept.version === VERSION ? (kept as unknown as Counted) : undefined
  } catch {
    return undefined
  }
}

/** In any order. Reads only the events after the stored accounts. */
export async function* countedRuns(
  store: Pick<Store, 'readAccounts' | 'readRun'>,
  runIds: readonly string[],
): AsyncGenerator<CountedRun> {
  for (const { runId, lastSeq, kept } of await store.readAccounts(runIds)) {
    const counted = kept && opened(kept.text)
    if (counted !== undefined && kept?.seq === lastSeq) {
      yield { runId, ...counted }
      continue
    }
    const account = new RunAccount(counted, counted && kept?.seq)
    for await (const event of eventsOf(store, runId, account.seq)) account.add(event)
    yield { runId, ...account.counted() }
  }
}

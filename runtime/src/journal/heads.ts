/** Heads of the chain stored outside the store, where a change of the store cannot rewrite them. */
import * as z from 'zod'
import { type Breach, breachAt } from './breach.ts'
import type { Seal } from './store.ts'

/** `head`: the hash of the store-wide chain up to this run. The other fields identify the run. */
export interface Head {
  head: string
  n?: number
  run?: string
  seq?: number
  hash?: string
  time?: number
}

export type RecordedHead = Required<Head>

export const headLine = z.looseObject({
  head: z.string().regex(/^[0-9a-f]{64}$/),
  n: z.int().positive().optional(),
  run: z.string().optional(),
  seq: z.int().min(0).optional(),
  hash: z.string().optional(),
  time: z.number().optional(),
})

export function headOf({ n, runId, lastSeq, lastHash, hash, sealedAt }: Seal): RecordedHead {
  return { time: sealedAt, run: runId, seq: lastSeq, hash: lastHash, n, head: hash }
}

export function breachesOfHeads(seals: readonly Seal[], heads: readonly Head[]): Breach[] {
  const byHash = new Map(seals.map((seal) => [seal.hash, seal]))
  return heads.flatMap(({ head, n, run, seq, hash }) => {
    const seal = byHash.get(head)
    const isSame =
      seal !== undefined &&
      seal.n === (n ?? seal.n) &&
      seal.runId === (run ?? seal.runId) &&
      seal.lastSeq === (seq ?? seal.lastSeq) &&
      seal.lastHash === (hash ?? seal.lastHash)
    if (isSame) return []
    return [breachAt(run ?? 'head', seq ?? 0, { code: 'headMissing', head })]
  })
}

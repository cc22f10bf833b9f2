/** Stage 10: permission to act once, for exactly these arguments. */
import { WritError } from '../base/errors.ts'
import { fingerprint } from '../base/hash.ts'
import { deepFreeze } from '../base/json.ts'
import type { Proposal } from '../protocol/proposal.ts'

/** Never leaves this file: without it, even `writ.constructor` makes nothing. */
const SEAL = Symbol('seal')

export class Writ {
  readonly #proposal: Proposal
  readonly #argsHash: string
  readonly #authorizedAtMs: number
  #spent = false

  constructor(seal: symbol, proposal: Proposal, authorizedAtMs: number) {
    if (seal !== SEAL) throw forged()
    this.#proposal = deepFreeze(structuredClone(proposal))
    this.#argsHash = fingerprint(proposal.kind === 'tool' ? proposal.args : proposal.action)
    this.#authorizedAtMs = authorizedAtMs
    Object.freeze(this)
  }

  /** Opens a writ for its one use. A look-alike, or a writ already used, opens nothing. */
  static spend(writ: Writ): { proposal: Proposal; argsHash: string; authorizedAtMs: number } {
    if (!(#proposal in writ)) throw forged()
    if (writ.#spent) {
      throw new WritError('WRIT_SPENT', `the writ for ${writ.#proposal.id} was used before`, {
        hint: 'Propose the call again; a writ is good for one execution.',
      })
    }
    writ.#spent = true
    return { proposal: writ.#proposal, argsHash: writ.#argsHash, authorizedAtMs: writ.#authorizedAtMs }
  }

  /** What a used writ was for: proof to whoever starts more work that the gate let this call through and it is under way. */
  static provesSpent(writ: Writ): Proposal {
    if (!(#proposal in writ) || !writ.#spent) throw forged()
    return writ.#proposal
  }
}

// A tool gets a writ to look at: whoever could replace `spend` on its class would open every later one.
Object.freeze(Writ.prototype)
Object.freeze(Writ)

/** For `gate.ts` alone; an architecture test sees to it. */
export function mint(proposal: Proposal, authorizedAtMs: number): Writ {
  return new Writ(SEAL, proposal, authorizedAtMs)
}

function forged(): WritError {
  return new WritError('WRIT_FORGED', 'this is not a writ the gate has minted', {
    hint: 'Only a proposal that passed the gate can be executed.',
  })
}

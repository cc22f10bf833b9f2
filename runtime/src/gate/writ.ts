/** Stage 10: permission to act once, for exactly these arguments. */
import { fingerprint } from '../base/hash.ts'
import { frozenClone } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Proposal } from '../protocol/proposal.ts'

/** Never leaves this file: without it, `writ.constructor` cannot make a writ. */
const SEAL = Symbol('seal')

/** The permission to act once, for exactly the arguments that were judged. Only the gate makes one. */
export class Writ {
  readonly #proposal: Proposal
  readonly #argsHash: string
  readonly #authorizedAtMs: number
  #spent = false

  constructor(seal: symbol, proposal: Proposal, authorizedAtMs: number) {
    if (seal !== SEAL) throw forged()
    this.#proposal = frozenClone(proposal)
    this.#argsHash = fingerprint(proposal.kind === 'tool' ? proposal.args : proposal.action)
    this.#authorizedAtMs = authorizedAtMs
    Object.freeze(this)
  }

  /** Opens a writ for its one use. Throws for a forged or used one. */
  static spend(writ: Writ): { proposal: Proposal; argsHash: string; authorizedAtMs: number } {
    if (!(#proposal in writ)) throw forged()
    if (writ.#spent) {
      throw new WritError('WRIT_SPENT', { proposal: writ.#proposal.id })
    }
    writ.#spent = true
    return { proposal: writ.#proposal, argsHash: writ.#argsHash, authorizedAtMs: writ.#authorizedAtMs }
  }

  /** The proposal of a used writ: proof that the gate allowed this call and that it is running. */
  static provesSpent(writ: Writ): Proposal {
    if (!(#proposal in writ) || !writ.#spent) throw forged()
    return writ.#proposal
  }
}

// Tools see their writ: code that could replace `spend` on its class could open every later writ.
Object.freeze(Writ.prototype)
Object.freeze(Writ)

/** For `gate.ts` only; an architecture test checks that. */
export function mint(proposal: Proposal, authorizedAtMs: number): Writ {
  return new Writ(SEAL, proposal, authorizedAtMs)
}

function forged(): WritError<'WRIT_FORGED'> {
  return new WritError('WRIT_FORGED')
}

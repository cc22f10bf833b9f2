/** Who something belongs to. A principal stays the same when its access tokens change. */

declare const BRAND: unique symbol

/** Branded: a session's id, a token's id or its name cannot be passed for one. */
export type Principal = string & { readonly [BRAND]: 'principal' }

/** The person at the command line, at the console it opens, and the program that uses Writ as a library. */
export const LOCAL = 'local' as Principal

/** All principals. An administrator's view names it; leaving an argument out never widens anything. */
export const EVERYONE = Symbol('everyone')

export type Whose = Principal | typeof EVERYONE

const NAME = /^[\w.-]{1,64}$/

/** Undefined: the text cannot be a principal's name. */
export function principalNamed(name: string): Principal | undefined {
  return NAME.test(name) ? (name as Principal) : undefined
}

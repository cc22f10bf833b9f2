/** The owner of data. A principal stays the same when its access tokens change. */

declare const BRAND: unique symbol

/** Branded: the id of a session or a token cannot be passed as a principal. */
export type Principal = string & { readonly [BRAND]: 'principal' }

/** The user of the command line and of its console, and programs that use Writ as a library. */
export const LOCAL = 'local' as Principal

/** All principals. It must be passed explicitly: omitting an argument never widens access. */
export const EVERYONE = Symbol('everyone')

export type Whose = Principal | typeof EVERYONE

const NAME = /^[\w.-]{1,64}$/

/** Undefined when the text is not a valid name of a principal. */
export function principalNamed(name: string): Principal | undefined {
  return NAME.test(name) ? (name as Principal) : undefined
}

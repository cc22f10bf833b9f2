import { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'

/** English for the model. An error that ends the run is read by the user, so it is in the user's language. */
export function toolErrorText(error: WritError, lang: Lang | undefined): { message: string; hint: string } {
  return error.code === 'PROTECTED_CHANGED' && lang !== undefined ? error.textIn(lang) : error
}

/** Why `act` refuses, in the user's language; undefined when it does not. */
export function faultIn(act: () => unknown, lang: Lang): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (!(error instanceof WritError)) throw error
    return error.textIn(lang).message
  }
}

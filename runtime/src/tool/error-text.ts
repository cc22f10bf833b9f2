import type { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'

/** English for the model. An error that ends the run is read by the user, so it is in the user's language. */
export function toolErrorText(error: WritError, lang: Lang | undefined): { message: string; hint: string } {
  return error.code === 'PROTECTED_CHANGED' && lang !== undefined ? error.textIn(lang) : error
}

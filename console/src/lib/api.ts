/** The one way to the server. */
import { createClient } from '../../../runtime/src/server/client.ts'
import { keptLang } from './lang.ts'
import { tokenNow } from './token.ts'

export const api = createClient({ token: tokenNow, lang: keptLang })

/** Fetch says so when there was no answer at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError
}

/** Hands a text to the browser as a file; a plain link could not carry the token. */
export function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text]))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

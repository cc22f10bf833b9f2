/** The API client of the console. */
import { type Client, createClient } from '../../../runtime/src/server/client.ts'
import { trackConnection } from './connection.ts'
import { keptLang } from './lang.ts'
import { tokenNow } from './token.ts'

const client = createClient({ token: tokenNow, lang: keptLang })

export const api: Client = {
  call: (key, input) => trackConnection(() => client.call(key, input)),
  file: (key, input) => trackConnection(() => client.file(key, input)),
  async *stream(key, input) {
    const frames = client.stream(key, input)
    const first = await trackConnection(() => frames.next())
    if (first.done) return
    yield first.value
    yield* frames
  },
}

/** Saves text as a file; a plain link could not send the token. */
export function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text]))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** The one way to the server. */
import { type Client, createClient } from '../../../runtime/src/server/client.ts'
import { heard } from './door.ts'
import { keptLang } from './lang.ts'
import { tokenNow } from './token.ts'

const client = createClient({ token: tokenNow, lang: keptLang })

export const api: Client = {
  call: (key, input) => heard(() => client.call(key, input)),
  async *stream(key, input) {
    const frames = client.stream(key, input)
    const first = await heard(() => frames.next())
    if (first.done) return
    yield first.value
    yield* frames
  },
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

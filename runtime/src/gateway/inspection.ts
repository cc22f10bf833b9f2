/** What servers say beside results: untrusted text that a client may give to its model. */
import { isUtf8 } from 'node:buffer'
import { isObject } from '../base/json.ts'
import { inspect } from '../inspect/inspect.ts'

/** Fields of the protocol with a word of its own. */
const WORDS = new Set(['type', 'role', 'mimeType'])
const WORD_MAX = 40

/** Every text in a value, long names of fields too; text in base64 is decoded, pictures and sounds are not read. */
export function textsIn(value: unknown): string[] {
  const texts = new Set<string>()
  const visit = (node: unknown, key = ''): void => {
    if (typeof node === 'string') {
      if (!WORDS.has(key) || isText(node)) texts.add(key === 'blob' || key === 'data' ? decoded(node) : node)
    }
    if (Array.isArray(node)) for (const each of node) visit(each)
    else if (isObject(node)) {
      for (const [name, each] of Object.entries(node)) {
        if (isText(name)) texts.add(name)
        visit(each, name)
      }
    }
  }
  visit(value)
  texts.delete('')
  return [...texts]
}

/** A result as text for inspection and the journal: as a model would read it, then every text that is not a block of that. */
export function readable(shown: string, value: { content?: unknown }): string {
  const blocks = Array.isArray(value.content) ? value.content.map((block: { text?: unknown }) => block.text) : []
  // Inside a JSON text an order looks like data, so only whole blocks count as shown.
  return [shown, ...textsIn(value).filter((text) => !blocks.includes(text))].join('\n')
}

export function isClean(value: unknown): boolean {
  return inspect(textsIn(value).join('\n'), { tool: 'mcp' }).verdict !== 'block'
}

function isText(word: string): boolean {
  return word.length > WORD_MAX || /\s/.test(word)
}

function decoded(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : ''
}

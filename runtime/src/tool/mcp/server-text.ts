/** What servers write, as texts: untrusted, and inspected before a person or a model reads it. */
import { isUtf8 } from 'node:buffer'
import { isObject } from '../../base/json.ts'
import { survey } from '../../inspect/context.ts'
import { inspect } from '../../inspect/inspect.ts'

/** Fields of the protocol with a word of its own. */
const WORDS = new Set(['type', 'role', 'mimeType'])
const WORD_MAX = 40
/** Shorter runs of text between bytes that are none are accidents of a binary file. */
const RUN = /(?:(?!\ufffd)[\p{L}\p{N}\p{P}\p{S}\p{Zs}\t\r\n]){16,}/gu
const WORDED =
  /\p{L}{2}[\s\p{P}]+\p{L}{2,}[\s\p{P}]+\p{L}{2}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{8}/u
const TEXT_TYPE = /^text\/|\b(?:json|xml|svg|javascript|yaml)\b/i

/** Every text in a value, names of fields too. The bytes of files are read as text as far as they are text. */
export function textsIn(value: unknown): string[] {
  const texts = new Set<string>()
  const add = (text: string, isWord: boolean): void => {
    if (!isWord || isText(text)) texts.add(text)
    const words = wordsOfName(text)
    if (words !== undefined) texts.add(words)
  }
  const visit = (node: unknown, key = ''): void => {
    if (typeof node === 'string') add(node, WORDS.has(key))
    else if (Array.isArray(node)) for (const each of node) visit(each, key)
    else if (isObject(node)) {
      const file = fileIn(node)
      for (const [name, each] of Object.entries(node)) {
        add(name, true)
        if (name !== file) visit(each, name)
        else for (const text of textsInFile(String(each), String(node.mimeType))) texts.add(text)
      }
    }
  }
  visit(value)
  texts.delete('')
  return [...texts]
}

/** What is an injection when read alone: other texts beside it can make it look like data. */
export function injectionsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    if (blocks(text)) return [text]
    return survey(text).carrier === 'code' ? proseIn(text).filter(blocks) : []
  })
}

/** Before the message of a server: "MCP server x: ". */
const MOST_FRAMES = 8

/** What of a result is an injection when read alone; without a result, of a failure: what follows the words of Writ. */
export function aloneIn(shown: string, result: unknown): string[] {
  if (result !== undefined) return injectionsIn(textsIn(result))
  const frames = shown.split(': ', MOST_FRAMES + 1)
  return injectionsIn(frames.map((_, i) => shown.slice(frames.slice(0, i).join(': ').length).replace(/^: /, '')))
}

/** Of texts that describe or announce something, in which a line is never data. */
export function haveInjection(texts: readonly string[]): boolean {
  return blocks(texts.join('\n')) || texts.some(hasInjection)
}

function hasInjection(text: string): boolean {
  const { verdict } = inspect(text, { tool: 'mcp' })
  if (verdict === 'pass' || verdict === 'block') return verdict === 'block'
  return text.split('\n').some(blocks)
}

function blocks(text: string): boolean {
  return inspect(text, { tool: 'mcp' }).verdict === 'block'
}

/** The lines of code that are sentences. */
function proseIn(text: string): string[] {
  return text.split('\n').filter((line) => /^\s*\p{L}[^"'`(){}=]*$/u.test(line) && isText(line.trim()))
}

function isText(word: string): boolean {
  return word.length > WORD_MAX || /[\s\u0080-\u{10ffff}]/u.test(word)
}

/** "do_as_i_say" are words to a model. */
function wordsOfName(name: string): string | undefined {
  if (name.length > 1000 || !/^[\w.:-]*[a-z][_.:-]+[a-z][\w.:-]*$/i.test(name)) return undefined
  return name.replace(/[_.:-]+/g, ' ')
}

/** The field with the bytes of a picture, a sound or a resource. */
function fileIn({ type, data, blob, uri }: Record<string, unknown>): string | undefined {
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return 'data'
  return typeof uri === 'string' && typeof blob === 'string' ? 'blob' : undefined
}

function textsInFile(base64: string, mimeType: string): string[] {
  const bytes = Buffer.from(base64, 'base64')
  // Not base64 at all: a text in the place of a file.
  const raw = /[^\w+/=-]/.test(base64) ? [base64] : []
  if (isUtf8(bytes) && !bytes.includes(0)) return [...raw, bytes.toString('utf8')]
  const wide =
    isWide(bytes) || /utf-?16/i.test(mimeType) ? [bytes.toString('utf16le'), swapped(bytes).toString('utf16le')] : []
  const plain = [bytes.toString('utf8'), ...wide]
  const runs = plain.map((text) => (text.match(RUN) ?? []).filter((run) => WORDED.test(run)).join('\n'))
  return [...raw, ...(TEXT_TYPE.test(mimeType) ? plain.map((text) => text.replace(/[\0\ufffd]/g, ' ')) : []), ...runs]
}

/** UTF-16: with its mark, or with a zero beside most letters. */
function isWide(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString('hex')
  const head = bytes.subarray(0, 4000)
  return mark === 'fffe' || mark === 'feff' || head.filter((byte) => byte === 0).length > head.length / 4
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()
}

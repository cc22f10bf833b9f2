/** The texts in the results of agents' tools. */
import { isObject } from '../base/json.ts'

/** Every text in a result, whatever shape the tool gave it, with the names in it. */
export function textsIn(value: unknown, withNames = true): string[] {
  const texts: string[] = []
  const collect = (inner: unknown): void => {
    if (typeof inner === 'string') texts.push(inner)
    else if (Array.isArray(inner)) inner.forEach(collect)
    else if (isObject(inner)) {
      for (const [key, each] of Object.entries(inner)) {
        if (withNames && !LABEL.test(key)) texts.push(key)
        collect(each)
      }
    }
  }
  collect(value)
  return texts
}

/** Texts that name a type, a file or a state, and are not shown as content. */
const LABEL = /^[\w./:-]{0,64}$/

/**
 * The same result with other content: agents refuse one of another shape. The longest text becomes the new one, every
 * other one that is more than a label is emptied.
 */
export function withContent(response: unknown, text: string): unknown {
  const texts = textsIn(response, false)
  const longest = texts.reduce((most, each) => (each.length > most.length ? each : most), '')
  let isPlaced = false
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value === longest && !isPlaced) {
        isPlaced = true
        return text
      }
      return LABEL.test(value) ? value : ''
    }
    if (Array.isArray(value)) return value.map(replace)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => (LABEL.test(key) ? [[key, replace(inner)]] : [])),
    )
  }
  return replace(response)
}

/** Tool results as named values for workflows, without the filler text that is meant for models. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Outputs } from './tool.ts'

/** A JSON object becomes the outputs; any other text becomes the single output `text`. */
export function plainOutputs(text: string): Outputs {
  return { values: objectIn(text) ?? { text } }
}

export function objectIn(text = ''): JsonObject | undefined {
  const value = jsonIn(text)
  return isObject(value) ? (value as JsonObject) : undefined
}

/** For tools that always answer in JSON: the value itself. A JSON string loses its quotes. */
export function valueOutputs(text: string): Outputs | undefined {
  const value = jsonIn(text)
  if (value === undefined) return undefined
  if (isObject(value)) return { values: value as JsonObject }
  return { values: { value, text: typeof value === 'string' ? value : text }, main: 'value' }
}

/** For tools that print a filler such as `(no output)`: the filler becomes an empty text. */
export function outputsWithout(filler: string): (text: string) => Outputs {
  return (text) => (text === filler ? { values: { text: '' } } : plainOutputs(text))
}

/** Undefined: not JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

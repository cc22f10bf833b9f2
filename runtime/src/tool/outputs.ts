/** Results as a workflow reads them: texts made for models, without what was added for models alone. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Outputs } from './tool.ts'

/** A JSON object is the outputs; any other text is the one output `text`. */
export function plainOutputs(text: string): Outputs {
  return { values: objectIn(text) ?? { text } }
}

export function objectIn(text = ''): JsonObject | undefined {
  const value = jsonIn(text)
  return isObject(value) ? (value as JsonObject) : undefined
}

/** Of a tool that always answers in JSON: the value itself, a text without its quotation marks. */
export function valueOutputs(text: string): Outputs | undefined {
  const value = jsonIn(text)
  if (value === undefined) return undefined
  if (isObject(value)) return { values: value as JsonObject }
  return { values: { value, text: typeof value === 'string' ? value : text }, main: 'value' }
}

/** Of a tool that says `(no output)` where there is nothing: nothing. */
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

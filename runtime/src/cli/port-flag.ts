/** The number of a port, as given on the command line. */
import { WritError } from '../errors/writ-error.ts'
import type { Given } from './flags.ts'

export function portOf({ values, verb }: Given, flag: 'port' | 'http'): number | undefined {
  const text = values[flag]
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new WritError('USAGE.port', { text, flag, verb })
}

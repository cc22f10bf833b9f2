/** The number of a port, as given on the command line. */
import { WritError } from '../errors/writ-error.ts'

export function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new WritError('USAGE.port', { text })
}

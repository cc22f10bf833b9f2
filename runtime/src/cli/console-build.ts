/** In a source checkout the console is built before it is served, as `npm start` does; a package brings it along. */
import { existsSync } from 'node:fs'
import { messageOf } from '../base/errors.ts'
import { serverTexts } from '../server/texts.ts'
import type { Io } from './io.ts'

const BUILD = new URL('../../../console/build.ts', import.meta.url)
const PAGE = new URL('../../dist/console/index.html', import.meta.url)

/** Where it cannot be built, the server starts all the same: the API needs no console. */
export async function buildFromSource(io: Io): Promise<void> {
  // Only a checkout runs TypeScript. Seen from an installed package, the address is another package's file.
  if (!import.meta.url.endsWith('.ts') || !existsSync(BUILD)) return
  const texts = serverTexts(io.lang)
  if (!existsSync(PAGE)) io.stderr(`${texts.consoleBuilding}\n`)
  try {
    const { default: build } = await import(BUILD.href)
    build()
  } catch (error) {
    io.stderr(`${texts.consoleFailed({ why: messageOf(error) })}\n`)
  }
}

/** Builds the console before it is served, in a source checkout; a package contains the built console. */
import { existsSync } from 'node:fs'
import { messageOf } from '../base/errors.ts'
import { serverTexts } from '../server/texts.ts'
import type { Io } from './io.ts'

const BUILD = new URL('../../../console/build.ts', import.meta.url)
const PAGE = new URL('../../dist/console/index.html', import.meta.url)

/** A failed build does not stop the server: the API works without the console. */
export async function buildFromSource(io: Io): Promise<void> {
  // Only a checkout runs TypeScript. In an installed package the path would be a file of another package.
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

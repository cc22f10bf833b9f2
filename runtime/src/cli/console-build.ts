/** Builds the console before it is served, in a source checkout; a package contains the built console. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../base/errors.ts'
import { packagePath } from '../base/package.ts'
import { serverTexts } from '../server/texts.ts'
import type { Io } from './io.ts'

const BUILD = packagePath('..', 'console', 'build.ts')
const PAGE = packagePath('dist', 'console', 'index.html')

/** A failed build does not stop the server: the API works without the console. */
export async function buildFromSource(io: Io): Promise<void> {
  // Only a checkout has sources. In an installed package the path would be a file of another package.
  if (!existsSync(packagePath('src')) || !existsSync(BUILD)) return
  const texts = serverTexts(io.lang)
  if (!existsSync(PAGE)) io.stderr(`${texts.consoleBuilding}\n`)
  try {
    const { default: build } = await import(pathToFileURL(BUILD).href)
    build()
  } catch (error) {
    io.stderr(`${texts.consoleFailed({ why: messageOf(error) })}\n`)
  }
}

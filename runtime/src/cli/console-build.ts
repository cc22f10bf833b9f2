/** Builds the console and the documentation before they are served, in a source checkout; a package contains them. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../base/errors.ts'
import { packagePath } from '../base/package.ts'
import { serverTexts } from '../server/texts.ts'
import type { Io } from './io.ts'

const CONSOLE = packagePath('..', 'console', 'build.ts')
const DOCS = packagePath('..', 'docs-site', 'build.ts')
const PAGE = packagePath('dist', 'console', 'index.html')

/** A failed build does not stop the server: the API works without them. */
export async function buildFromSource(io: Io): Promise<void> {
  // Only a checkout has sources. In an installed package the paths would be files of other packages.
  if (!existsSync(packagePath('src'))) return
  const texts = serverTexts(io.lang)
  if (existsSync(CONSOLE) && !existsSync(PAGE)) io.stderr(`${texts.consoleBuilding}\n`)
  await build(CONSOLE, (why) => io.stderr(`${texts.consoleFailed({ why })}\n`))
  await build(DOCS, (why) => io.stderr(`${texts.docsFailed({ why })}\n`))
}

async function build(program: string, failed: (why: string) => void): Promise<void> {
  if (!existsSync(program)) return
  try {
    const { default: run } = await import(pathToFileURL(program).href)
    await run()
  } catch (error) {
    failed(messageOf(error))
  }
}

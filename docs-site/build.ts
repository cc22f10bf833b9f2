/** Builds the documentation site into the runtime package if its pages or its code have changed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { compressTexts, filesIn, newestOf } from '../scripts/built-files.ts'
import { type Assets, makeSite, ROOT } from './site.ts'

export const BUILT = join(ROOT, 'runtime/dist/docs')
const TOKENS = join(ROOT, 'console/src/styles/tokens.css')

/** Only the search index. Copies of the pages would double what the site adds to the package. */
const WORTH_IT = 256 * 1024

/** A site with dead links is built all the same: a test and this program report them. */
export default async function buildDocs(): Promise<void> {
  const page = join(BUILT, 'index.html')
  const here = import.meta.dirname
  const sources = [
    ...readdirSync(ROOT)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(ROOT, name)),
    ...filesIn(join(ROOT, 'docs')).filter((file) => /\.(?:md|svg|json)$/.test(file)),
    ...filesIn(here).filter((file) => !file.includes('.test.')),
    TOKENS,
  ]
  if (existsSync(page) && statSync(page).mtimeMs > newestOf(sources)) return
  const { files } = makeSite(await assets())
  rmSync(BUILT, { recursive: true, force: true })
  for (const [address, content] of files) {
    mkdirSync(dirname(join(BUILT, address)), { recursive: true })
    writeFileSync(join(BUILT, address), content)
  }
  compressTexts(BUILT, WORTH_IT)
}

export async function assets(): Promise<Assets> {
  const tokens = readFileSync(TOKENS, 'utf8')
  const style = `${tokens}\n${withoutScripts(tokens)}\n${readFileSync(join(import.meta.dirname, 'browser/site.css'), 'utf8')}`
  return { style: lean(style), theme: await bundled('theme.ts'), script: await bundled('site.ts') }
}

/** Without scripts no theme is set, and the system's counts. */
function withoutScripts(tokens: string): string {
  const dark = /:root\[data-theme="dark"\] \{([\s\S]*?)\n\}/.exec(tokens)?.[1]
  if (dark === undefined) throw new Error('tokens.css has no dark theme')
  return `@media (prefers-color-scheme: dark) { :root:not([data-theme]) {${dark}\n} }`
}

function lean(style: string): string {
  return style
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}

async function bundled(name: string): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'browser', name), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output[0].code
}

if (import.meta.main) {
  const { problems } = makeSite(await assets())
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else await buildDocs()
}

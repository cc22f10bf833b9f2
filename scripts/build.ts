/** `npm run build -w writ`: the bundle of the package, the types of its public interface, and the licences it contains. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { COARSEST_MS } from '../runtime/bin/checkout.js'
import { ADAPTERS, bundle, bundleAdapters, bundleClient, lastChange } from './bundle.ts'
import { declarationFile, publicInterfaces } from './declarations.ts'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'runtime/dist')

/** Built by their own programs, and only if they have changed. */
const BUILT_ELSEWHERE = ['console', 'docs']

for (const name of readdirOrNone(DIST)) {
  if (!BUILT_ELSEWHERE.includes(name)) rmSync(join(DIST, name), { recursive: true })
}
mkdirSync(DIST, { recursive: true })
const entries = ['index', 'client', ...ADAPTERS.map((name) => `adapters/${name}`)]
const interfaces = publicInterfaces(entries)
for (const [i, entry] of entries.entries()) {
  const declared = interfaces[i]
  if (declared !== undefined) writeFileSync(join(DIST, `${basename(entry)}.d.ts`), declarationFile(declared))
}
// Files that have just changed would make the bundle fail.
await delay(Math.max(0, lastChange() + COARSEST_MS - Date.now()))
const files = await bundle(DIST)
await bundleClient(DIST)
await bundleAdapters(DIST)
writeFileSync(join(DIST, 'index.js'), facade('index'))
writeFileSync(join(DIST, 'governed.js'), facade('governed'))
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), licences(files))
// A package has its licence at its top.
copyFileSync(join(ROOT, 'LICENSE'), join(ROOT, 'runtime/LICENSE'))

/** Reading the names of the exports from the bundle would take Node longer than loading it. */
function facade(entry: string): string {
  const names = Object.keys(createRequire(import.meta.url)(join(DIST, `${entry}.cjs`)))
  return `import { loadOwn } from '../bin/library.js'
export const { ${names.join(', ')} } = loadOwn('${entry}.cjs')
`
}

function readdirOrNone(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The bundle contains code of these packages, whose licences require their text. */
function licences(sources: readonly string[]): string {
  const folders = new Set(sources.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  return [...folders].sort().map(licenceOf).join('\n')
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}

/**
 * Bundles the runtime: a few files instead of hundreds of modules. For the package (`build.ts`) and for a checkout
 * (`build-checkout.ts`).
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { RECORD, stateOf } from '../runtime/bin/checkout.js'
import { configJsonSchema } from '../runtime/src/config/schema.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'runtime/src')
const INSTALLED = ['package-lock.json', 'node_modules/.package-lock.json', 'runtime/package.json', 'scripts/bundle.ts']

const ENTRIES = {
  index: 'index.ts',
  main: 'cli/main.ts',
  'worker-jobs': 'tool/guard/worker-jobs.ts',
  'docs-worker': 'context/docs-worker.ts',
}

/** Each with everything it imports, in one file. What an earlier one contains is not repeated in a later one. */
const GROUPS = {
  launch: ['cli/main.ts', 'cli/help.ts'],
  library: [ENTRIES.index],
  'worker-jobs': [ENTRIES['worker-jobs']],
  run: [
    'assembly/agent.ts',
    'cli/commands/run.ts',
    // Parts that the sources load only when needed; almost every run needs them.
    'config/detector.ts',
    'config/load.ts',
    'model/http-fetch.ts',
    'model/providers.ts',
    'storage/acting.ts',
    'storage/sqlite.ts',
  ],
}

/** Optional, native or rarely needed packages. */
const EXTERNAL =
  /^(?:playwright-core|pg|pg-boss|ioredis|unpdf|linkedom|undici|gpt-tokenizer|@opentelemetry\/.+)(?:\/|$)|^node:/

/** Names stay readable in stack traces without source maps. */
const NAMES = { function: true, class: true }
const MINIFY = { compress: { keepNames: NAMES }, mangle: { keepNames: NAMES }, codegen: true }

const AJV = 'ajv/dist/2020.js'

/** No file system has coarser times: a second change within this time may not show. */
export const COARSEST_MS = 3000

/**
 * Writes the bundle into the folder, with a record of the files it was made from, and returns these. Fails when a file
 * was changed meanwhile or just before: the record could be of another content than the bundle.
 */
export async function bundle(folder: string): Promise<string[]> {
  const start = Date.now()
  const changed = (file: string) => changedAt(file) > start - COARSEST_MS
  if (sources().some(changed)) throw new Error('sources have just changed')
  const made = await write(folder)
  // How packages are found also depends on what is installed.
  const files = [...made, ...INSTALLED.map((file) => join(ROOT, file))]
  const states = files.map((file) => [file, stateOf(file)])
  const late = files.find(changed)
  if (late !== undefined) throw new Error(`changed during the build: ${late}`)
  writeFileSync(join(folder, RECORD), JSON.stringify({ node: process.version, files: Object.fromEntries(states) }))
  return made
}

function sources(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).map((name) => join(SOURCES, name))
}

function changedAt(file: string): number {
  const { mtimeMs, ctimeMs } = statSync(file)
  return Math.max(mtimeMs, ctimeMs)
}

async function write(folder: string): Promise<string[]> {
  const groups = Object.entries(GROUPS).map(([name, files], i, all) => {
    const captured = new Set(files.map((file) => join(SOURCES, file)))
    return { name, test: (id: string) => captured.has(id), priority: all.length - i }
  })
  const input = Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(SOURCES, file)]))
  const code = await rolldown({
    input,
    platform: 'node',
    external: EXTERNAL,
    plugins: [ajvBeside, builtSchema, oneZodLanguage, sandboxFiles, plainBuiltins],
    onLog,
  })
  const output = { dir: folder, minify: MINIFY, sourcemap: true, sourcemapExcludeSources: true }
  await code.write({
    ...output,
    entryFileNames: '[name].js',
    chunkFileNames: (chunk) => `part-${chunk.name}.js`,
    codeSplitting: { groups },
  })
  // Loaded by `require` at the first check of a schema, so that a run that calls no tool does not pay for it.
  const ajv = await rolldown({ input: { ajv: fileURLToPath(import.meta.resolve(AJV)) }, platform: 'node', onLog })
  await ajv.write({ ...output, format: 'cjs', entryFileNames: 'ajv.cjs' })
  const files = [...(await code.watchFiles), ...(await ajv.watchFiles)]
  await code.close()
  await ajv.close()
  return [...new Set(files)].sort()
}

const ajvBeside: Plugin = {
  name: 'ajv-beside',
  transform: {
    filter: { id: /tool\/schema-check\.ts$/ },
    handler(text) {
      if (!text.includes(`'${AJV}')`)) throw new Error(`schema-check.ts no longer loads ${AJV}`)
      return text.replace(`'${AJV}')`, `'./ajv.cjs')`)
    },
  },
}

/** Deriving the JSON Schema of the configuration takes longer than loading one. */
const builtSchema: Plugin = {
  name: 'built-schema',
  transform: {
    filter: { id: /config\/keys\.ts$/ },
    handler(text) {
      const [before, after, ...more] = text.split(' = configJsonSchema()\n')
      if (before === undefined || after === undefined || more.length > 0) throw new Error('keys.ts has changed')
      return `${before} = JSON.parse(${JSON.stringify(JSON.stringify(configJsonSchema()))})\n${after}`
    },
  },
}

/** Zod's own messages are never shown; `config/problems.ts` has ours. */
const oneZodLanguage: Plugin = {
  name: 'one-zod-language',
  load: {
    filter: { id: /zod\/v4\/locales\/index\.js$/ },
    handler: () => `export { default as en } from './en.js'`,
  },
}

const SANDBOX = '@anthropic-ai/sandbox-runtime'

/** The sandbox starts programs that lie beside its modules in the installed package. */
const sandboxFiles: Plugin = {
  name: 'sandbox-files',
  transform: {
    filter: { id: /\/@anthropic-ai\/sandbox-runtime\/dist\/.*\.js$/, code: 'import.meta.url' },
    handler(text, id) {
      const [, place] = id.split(`/${SANDBOX}/dist/`)
      return text.replaceAll('import.meta.url', `new URL('./${place}', import.meta.resolve('${SANDBOX}')).href`)
    },
  },
}

/**
 * `import` of a built-in module reads all its exports, and those of node:http and node:crypto load the global `fetch` and
 * WebCrypto with all their parts.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  renderChunk(code) {
    // On the same line, so that the source map stays correct.
    const plain = code.replace(/^import (.+) from "([\w:/]+)";$/gm, (line, names: string, id: string) => {
      if (!isBuiltin(id)) return line
      const [, whole, parts] = /^(?:(?:\* as )?([\w$]+))?(?:, )?(\{.*\})?$/.exec(names) ?? []
      const load = `process.getBuiltinModule("${id}")`
      const destructured = parts?.replaceAll(' as ', ': ')
      if (whole === undefined && destructured === undefined) throw new Error(`not understood: ${line}`)
      if (whole === undefined) return `const ${destructured} = ${load};`
      return `const ${whole} = ${load}${destructured === undefined ? '' : `, ${destructured} = ${whole}`};`
    })
    return { code: plain, map: null }
  },
}

/** A package that is not found would be left for the user's machine to find. */
function onLog(_level: string, log: { code?: string | undefined; message: string }): void {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
}

/**
 * Bundles the runtime: a few files instead of hundreds of modules. For the package (`build.ts`) and for a checkout
 * (`build-checkout.ts`).
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { COARSEST_MS, RECORD, stateOf } from '../runtime/bin/checkout.js'
import '../runtime/src/intent/detect.ts'
import { configJsonSchema } from '../runtime/src/config/schema.ts'
import { listRows } from '../runtime/src/gate/deed-index.ts'
import { readLists } from '../runtime/src/inspect/lexicon.ts'
import { allBeginnings } from '../runtime/src/language/guarded-pattern.ts'
import { newStore } from '../runtime/src/storage/new-store.ts'
import { LATER_ENTRIES, loadedLater } from './bundle-later.ts'
import { patternsLater } from './bundle-lazy.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'runtime/src')
const INSTALLED = [
  'package-lock.json',
  'node_modules/.package-lock.json',
  'runtime/package.json',
  'scripts/bundle.ts',
  'scripts/bundle-lazy.ts',
  'scripts/bundle-later.ts',
]

const ENTRIES = {
  index: 'index.ts',
  main: 'cli/main.ts',
  'worker-jobs': 'tool/guard/worker-jobs.ts',
  'docs-worker': 'context/docs-worker.ts',
  'classifier-worker': 'tool/classifier/classifier-worker.ts',
  governed: 'adapters/governed.ts',
}

/** A file each, which imports its library and `governed`. */
export const ADAPTERS = ['ai', 'langchain', 'openai-agents'] as const

/** Each with everything it imports, in one file. What an earlier one contains is not repeated in a later one. */
const GROUPS = {
  launch: ['cli/main.ts', 'cli/help.ts'],
  library: [ENTRIES.index],
  // Also needed by a worker.
  words: ['context/words.ts'],
  'worker-jobs': [ENTRIES['worker-jobs']],
  'docs-worker': [ENTRIES['docs-worker']],
  'classifier-worker': [ENTRIES['classifier-worker']],
  run: [
    'assembly/agent.ts',
    'assembly/library-agent.ts',
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

/** The newest change of what is known to go into a bundle. */
export function lastChange(): number {
  return Math.max(...[...sources(), ...INSTALLED.map((file) => join(ROOT, file))].map(changedAt))
}

function changedAt(file: string): number {
  const { mtimeMs, ctimeMs } = statSync(file)
  return Math.max(mtimeMs, ctimeMs)
}

async function write(folder: string): Promise<string[]> {
  const wanted = Object.entries(GROUPS).map(([name, files]) => ({
    name,
    ids: files.map((file) => join(SOURCES, file)),
  }))
  const later = Object.entries(LATER_ENTRIES).map(([name, id]) => ({ name, ids: [id] }))
  const groups = [...wanted, ...later].map(({ name, ids }, i, all) => {
    const captured = new Set(ids)
    return { name, test: (id: string) => captured.has(id), priority: all.length - i }
  })
  const entries = Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(SOURCES, file)]))
  const code = await rolldown({
    input: { ...entries, ...LATER_ENTRIES },
    platform: 'node',
    external: EXTERNAL,
    plugins: [
      loadedLater,
      ajvBeside,
      ...COMPUTED,
      undescribed,
      oneZodLanguage,
      sandboxFiles,
      builtinsLater,
      patternsLater,
    ],
    onLog,
  })
  const output = {
    dir: folder,
    format: 'cjs' as const,
    // Text of one byte per character is read faster.
    charset: 'ascii' as const,
    entryFileNames: '[name].cjs',
    minify: MINIFY,
    sourcemap: true,
    sourcemapExcludeSources: true,
  }
  await code.write({ ...output, chunkFileNames: (chunk) => `part-${chunk.name}.cjs`, codeSplitting: { groups } })
  // Loaded by `require` at the first check of a schema, so that a run that calls no tool does not pay for it.
  const ajv = await rolldown({ input: { ajv: fileURLToPath(import.meta.resolve(AJV)) }, platform: 'node', onLog })
  await ajv.write(output)
  const made = [...(await code.watchFiles), ...(await ajv.watchFiles)].filter((file) => !file.startsWith('\0'))
  await code.close()
  await ajv.close()
  return [...new Set(made)].sort()
}

/** For browsers too: a file of its own that imports nothing. */
export async function bundleClient(folder: string): Promise<void> {
  const client = await rolldown({ input: { client: join(SOURCES, 'client.ts') }, platform: 'browser', onLog })
  await client.write({ dir: folder, minify: MINIFY, entryFileNames: '[name].js' })
  await client.close()
}

/** As modules: LangChain's classes are others when they are loaded by `require`. */
export async function bundleAdapters(folder: string): Promise<void> {
  const input = Object.fromEntries(ADAPTERS.map((name) => [name, join(SOURCES, `adapters/${name}.ts`)]))
  const sharedBeside: Plugin = {
    name: 'shared-beside',
    resolveId: (source) => (source === './governed.ts' ? { id: './governed.js', external: true } : null),
  }
  const external = /^(?:ai|@langchain\/.+|@openai\/.+)$/
  const adapters = await rolldown({ input, platform: 'node', external, plugins: [sharedBeside], onLog })
  await adapters.write({ dir: folder, minify: MINIFY, entryFileNames: '[name].js' })
  await adapters.close()
}

const ajvBeside: Plugin = {
  name: 'ajv-beside',
  resolveId: (source) => (source === './ajv.cjs' ? { id: source, external: true } : null),
  transform: {
    filter: { id: /tool\/schema-check\.ts$/ },
    handler(text) {
      const own = `createRequire(import.meta.url)`
      if (![own, `load('${AJV}')`].every((part) => text.includes(part))) throw new Error('schema-check.ts has changed')
      return text.replace(own, 'require').replace(`'${AJV}')`, `'./ajv.cjs')`)
    },
  },
}

/** Puts the result of a call in its place: computing it takes longer than loading it. */
function computed(file: string, call: string, result: () => unknown): Plugin {
  return {
    name: `computed-${call}`,
    transform: {
      filter: { id: new RegExp(`${file}\\.ts$`) },
      async handler(text) {
        const [before, after, ...more] = text.split(`${call}()\n`)
        if (before === undefined || after === undefined || more.length > 0) throw new Error(`${file}.ts has changed`)
        return `${before}JSON.parse(${JSON.stringify(JSON.stringify(await result()))})\n${after}`
      },
    },
  }
}

export const COMPUTED = [
  computed('gate/deed-index', 'listRows', listRows),
  computed('config/keys', 'configJsonSchema', configJsonSchema),
  computed('storage/new-store', 'derive', newStore),
  computed('language/guarded-pattern', 'noBeginnings', allBeginnings),
  computed('inspect/lexicon', 'readLists', readLists),
]

/** Only the JSON Schema has descriptions, and each makes another schema. */
const undescribed: Plugin = {
  name: 'undescribed',
  transform: {
    filter: { id: /runtime\/src\/config\/[\w-]+\.ts$/, code: 'z.strictObject' },
    handler(text) {
      const described = /\s*\.describe\((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|[^()'"`]|\([^()'"`]*\))*\)/g
      const bare = text.replace(described, '')
      const removed = [...text.matchAll(described)].length
      // One that is not understood would take the settings after it along.
      if (removed !== text.split('.describe(').length - 1) throw new Error('a description was not understood')
      return bare
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
      const builtin = (name: string) => `process.getBuiltinModule('node:${name}')`
      const description = `${builtin('module')}.findPackageJSON('${SANDBOX}', import.meta.url)`
      const real = `${builtin('fs')}.realpathSync(${description})`
      const url = `new URL('dist/${place}', ${builtin('url')}.pathToFileURL(${real}))`
      return text.replaceAll('import.meta.url', `${url}.href`)
    },
  },
}

/** Loading these takes longer than most runs need them for. */
const builtinsLater: Plugin = {
  name: 'builtins-later',
  renderChunk(code) {
    const loads = /^let (node_\w+) = require\("(node:(?:child_process|readline|worker_threads))"\);$/gm
    const later = [...code.matchAll(loads)]
    const changed = later.reduce(
      (text, [line, name = '', id]) =>
        text
          .replace(line, `let ${name}_later;`)
          .replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `(${name}_later ??= require("${id}"))`),
      code,
    )
    return { code: changed, map: null }
  },
}

/** A package that is not found would be left for the user's machine to find. */
function onLog(_level: string, log: { code?: string | undefined; message: string }): void {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
}

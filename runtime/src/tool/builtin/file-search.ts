import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { runBounded } from '../guard/bounded.ts'
import { closedPlaces } from '../guard/hidden.ts'
import { claimPath, describePath, pathFailure, withFile } from '../guard/paths.ts'
import { outputsWithout } from '../outputs.ts'
import { defineTool, type ToolOutput, type World } from '../tool.ts'

const NOTHING = '(no matches)'
const MAX_MATCHES = 200
const MAX_FILE = 10 * 1024 * 1024
const MAX_FILES = 20_000
const MATCHING_MS = 3_000
/** Bounding a match costs more than most matches do, so many files share one bound. */
const BATCH_FILES = 200
const BATCH_CHARS = 1024 * 1024
const SKIPPED = new Set(['.git', 'node_modules'])

interface FileSearchArgs {
  pattern: string
  path?: string
  glob?: string
}

export const fileSearchTool = defineTool<FileSearchArgs>({
  name: 'file_search',
  description:
    'Search the text files of the workspace for a regular expression (or plain text, if it is not one). Answers path:line:column: text. Skips .git, node_modules, blocked and binary files.',
  schema: {
    type: 'object',
    properties: {
      pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description: 'JavaScript regular expression, matched line by line.',
      },
      path: { type: 'string', minLength: 1, description: 'Folder or file to search; the workspace when absent.' },
      glob: {
        type: 'string',
        minLength: 1,
        maxLength: 300,
        description: 'Only files like this, for example `*.ts` or `src/**/*.md`.',
      },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  family: 'filesystem',
  risk: 'Low',
  trust: 'external',
  readOnly: true,
  outputs: outputsWithout(NOTHING),

  async preValidate({ pattern, path = '.' }, world) {
    return {
      risk: 'Low',
      readOnly: true,
      paths: [await describePath({ path, access: 'read' }, world)],
      preview: `search ${path} for ${pattern}`,
    }
  },

  async execute({ pattern, path = '.', glob }, { world, signal }): Promise<ToolOutput> {
    try {
      const root = await claimPath({ path, access: 'read' }, world)
      await lstat(root)
      const search = new Search(pattern, glob, world)
      for await (const files of inBatches(filesBelow(root, await closedPlaces(world)))) {
        if (await search.look(files, { root, signal })) break
      }
      return search.report()
    } catch (error) {
      return pathFailure(error, path)
    }
  },
})

interface NamedText {
  name: string
  text: string
}

class Search {
  readonly #expression: RegExp
  readonly #glob: RegExp | undefined
  readonly #world: World
  readonly #found: string[] = []
  #left = MATCHING_MS
  #files = 0
  #note = ''
  #outOfTime = false

  constructor(pattern: string, glob: string | undefined, world: World) {
    this.#expression = compile(pattern)
    this.#glob = glob === undefined ? undefined : compileGlob(glob)
    this.#world = world
  }

  /** True when the search is over. */
  async look(files: readonly string[], { root, signal }: { root: string; signal: AbortSignal }): Promise<boolean> {
    const allowed = files.slice(0, MAX_FILES - this.#files)
    this.#files += allowed.length
    const wanted = this.#wanted(allowed, root)
    if (wanted === undefined) return true
    let texts: NamedText[] = []
    let chars = 0
    for (const file of wanted) {
      signal.throwIfAborted()
      const text = await readText(file)
      if (text === undefined) continue
      texts.push({ name: relative(this.#world.workspace, file), text })
      chars += text.length
      if (chars < BATCH_CHARS) continue
      if (this.#match(texts)) return true
      texts = []
      chars = 0
    }
    if (this.#match(texts)) return true
    return allowed.length < files.length && this.#stop(`only the first ${MAX_FILES} files were searched`)
  }

  #wanted(files: readonly string[], root: string): readonly string[] | undefined {
    const glob = this.#glob
    if (glob === undefined) return files
    return this.#bounded(() => files.filter((file) => glob.test(relative(root, file) || file)))
  }

  /** True when the search is over. */
  #match(texts: readonly NamedText[]): boolean {
    if (texts.length === 0) return false
    const done = this.#bounded(() => {
      for (const { name, text } of texts) {
        const hits = matches(text, this.#expression, MAX_MATCHES + 1 - this.#found.length)
        this.#found.push(...hits.map((hit) => `${name}:${hit}`))
      }
      return true
    })
    if (done === undefined) return true
    if (this.#found.length <= MAX_MATCHES) return false
    this.#found.length = MAX_MATCHES
    return this.#stop(`only the first ${MAX_MATCHES} matches are shown`)
  }

  #bounded<T>(act: () => T): T | undefined {
    const start = performance.now()
    const result = this.#left > 0 ? runBounded(act, this.#left) : undefined
    this.#left -= performance.now() - start
    if (result === undefined) this.#outOfTime = this.#stop('the pattern took too long to match; use a simpler one')
    return result?.value
  }

  #stop(note: string): true {
    this.#note = note
    return true
  }

  report(): ToolOutput {
    const found = this.#found.join('\n')
    if (this.#outOfTime) return { ok: false, error: this.#note, ...(found === '' ? {} : { partial: found }) }
    const text = found === '' ? NOTHING : found
    return { ok: true, text: this.#note === '' ? text : `${text}\n[${this.#note}]` }
  }
}

function compile(pattern: string): RegExp {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Not an expression of this kind; the next reading is tried, plain text last.
    }
  }
  return new RegExp(RegExp.escape(pattern), 'u')
}

/** `*` and `?` stay within a folder, `**` crosses them, `{a,b}` is either; without `/` only the name counts. */
function compileGlob(glob: string): RegExp {
  const parts = glob.match(/\*\*\/?|\*|\?|\{[^{}]*\}|[^*?{]+|\{/g) ?? []
  const source = parts.map((part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.startsWith('{') && part.endsWith('}'))
      return `(?:${part.slice(1, -1).split(',').map(RegExp.escape).join('|')})`
    return RegExp.escape(part)
  })
  return new RegExp(`${glob.includes('/') ? '^' : '(?:^|/)'}${source.join('')}$`, 'su')
}

function matches(text: string, expression: RegExp, max: number): string[] {
  const hits: string[] = []
  let line = 1
  for (let start = 0; start <= text.length && hits.length < max; line++) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const content = text.slice(start, end).replace(/\r$/, '')
    const match = expression.exec(content)
    if (match !== null) hits.push(`${line}:${match.index + 1}: ${around(content, match.index)}`)
    start = end + 1
  }
  return hits
}

function around(line: string, at: number): string {
  const start = Math.max(0, at - 80)
  const part = line.slice(start, start + 240).toWellFormed()
  return `${start > 0 ? '…' : ''}${part}${start + 240 < line.length ? '…' : ''}`
}

async function* inBatches(files: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const file of files) {
    if (batch.push(file) < BATCH_FILES) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Depth first, in order of name; links are not followed, so that a search cannot leave the folder or go round. */
async function* filesBelow(path: string, isClosed: (real: string) => boolean): AsyncGenerator<string> {
  const stat = await lstat(path).catch(() => undefined)
  if (stat?.isFile() === true) yield path
  if (stat?.isDirectory() !== true) return
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const real = join(path, entry.name)
    if (isClosed(real)) continue
    if (entry.isFile()) yield real
    else if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* filesBelow(real, isClosed)
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await withFile(path, async (at) => {
      const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        const stat = await file.stat()
        if (!stat.isFile() || stat.size > MAX_FILE) return undefined
        const content = await file.readFile()
        return content.includes(0) ? undefined : content.toString('utf8')
      } finally {
        await file.close()
      }
    })
  } catch {
    // A file that vanished or may not be read is not a reason to end the search.
    return undefined
  }
}

import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { present } from '../../base/present.ts'
import { EMPTY_RESULTS } from '../../protocol/empty-results.ts'
import { READS_FILES } from '../file-reading.ts'
import { closedPathTest } from '../guard/closed-files.ts'
import { claimPath, describePath, pathFailure, withFile } from '../guard/paths.ts'
import type { Expression, Job, NamedText } from '../guard/worker-jobs.ts'
import { runInThread } from '../guard/worker-pool.ts'
import { outputsWithout } from '../outputs.ts'
import { defineTool, type ToolOutput } from '../tool.ts'

const NOTHING = EMPTY_RESULTS.matches
const MAX_MATCHES = 200
const MAX_FILE = 10 * 1024 * 1024
const MAX_FILES = 20_000
const MATCHING_MS = 3_000
/** Handing a text to a thread costs more than most matches, so files are sent in batches. */
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
    'Search text files for a regular expression (or plain text, if it is not one). Returns path:line:column: text. Skips .git, node_modules, blocked and binary files.',
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
  ...READS_FILES,
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
      const search = new Search({ pattern, glob }, { workspace: world.workspace, signal })
      for await (const files of inBatches(filesBelow(root, await closedPathTest(world)))) {
        if (await search.look(files, root)) break
      }
      return search.report()
    } catch (error) {
      return pathFailure(error, path)
    }
  },
})

class Search {
  readonly #expression: Expression
  readonly #glob: Expression | undefined
  readonly #workspace: string
  readonly #signal: AbortSignal
  readonly #found: string[] = []
  #left = MATCHING_MS
  #files = 0
  #note = ''
  #outOfTime = false

  constructor(
    { pattern, glob }: { pattern: string; glob: string | undefined },
    { workspace, signal }: { workspace: string; signal: AbortSignal },
  ) {
    this.#expression = sourceOf(compile(pattern))
    this.#glob = glob === undefined ? undefined : sourceOf(compileGlob(glob))
    this.#workspace = workspace
    this.#signal = signal
  }

  /** True when the search is over. */
  async look(files: readonly string[], root: string): Promise<boolean> {
    const allowed = files.slice(0, MAX_FILES - this.#files)
    this.#files += allowed.length
    const wanted = await this.#wanted(allowed, root)
    if (wanted === undefined) return true
    let texts: NamedText[] = []
    let chars = 0
    for (const file of wanted) {
      this.#signal.throwIfAborted()
      const text = await readText(file)
      if (text === undefined) continue
      texts.push({ name: relative(this.#workspace, file), text })
      chars += text.length
      if (chars < BATCH_CHARS) continue
      if (await this.#match(texts)) return true
      texts = []
      chars = 0
    }
    if (await this.#match(texts)) return true
    return allowed.length < files.length && this.#stop(`only the first ${MAX_FILES} files were searched`)
  }

  async #wanted(files: readonly string[], root: string): Promise<readonly string[] | undefined> {
    const expression = this.#glob
    if (expression === undefined || files.length === 0) return files
    const named = new Map(files.map((file) => [relative(root, file) || file, file]))
    const names = await this.#bounded({ do: 'filter', names: [...named.keys()], expression })
    return names?.flatMap((name) => named.get(name) ?? [])
  }

  /** True when the search is over. */
  async #match(texts: readonly NamedText[]): Promise<boolean> {
    if (texts.length === 0) return false
    const max = MAX_MATCHES + 1 - this.#found.length
    if ((await this.#bounded({ do: 'match', texts, expression: this.#expression, max })) === undefined) return true
    if (this.#found.length <= MAX_MATCHES) return false
    this.#found.length = MAX_MATCHES
    return this.#stop(`only the first ${MAX_MATCHES} matches are shown`)
  }

  async #bounded(job: Job): Promise<string[] | undefined> {
    const ms = this.#left
    const done =
      ms > 0
        ? await runInThread(job, { ms, signal: this.#signal, onPart: (hits) => this.#found.push(...hits) })
        : undefined
    this.#signal.throwIfAborted()
    this.#left -= done?.ms ?? ms
    if (done !== undefined && 'error' in done) throw new Error(done.error)
    if (done === undefined) this.#outOfTime = this.#stop('the pattern took too long to match; use a simpler one')
    return done?.lines
  }

  #stop(note: string): true {
    this.#note = note
    return true
  }

  report(): ToolOutput {
    const found = this.#found.join('\n')
    if (this.#outOfTime)
      return { ok: false, error: this.#note, ...present({ partial: found === '' ? undefined : found }) }
    const text = found === '' ? NOTHING : found
    return { ok: true, text: this.#note === '' ? text : `${text}\n[${this.#note}]` }
  }
}

function sourceOf({ source, flags }: RegExp): Expression {
  return { source, flags }
}

function compile(pattern: string): RegExp {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Not a valid expression with these flags; try the next, plain text last.
    }
  }
  return new RegExp(RegExp.escape(pattern), 'u')
}

/**
 * `*` and `?` match within a folder, `**` across folders, `{a,b}` either; without `/` only the file name is matched.
 */
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

async function* inBatches(files: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const file of files) {
    if (batch.push(file) < BATCH_FILES) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Depth first, sorted by name. Links are not followed: a search cannot leave the folder or loop. */
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
    // A file that was deleted or is unreadable must not end the search.
    return undefined
  }
}

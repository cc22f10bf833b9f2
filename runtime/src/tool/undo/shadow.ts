/**
 * The shadow repository of a workspace: a git directory of Writ's own, outside the project. The user's repository is
 * never opened. Only plumbing commands run, with our settings alone, so nothing in the workspace decides what git does.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import { writePrivately } from '../../base/private-file.ts'
import { WritError } from '../../errors/writ-error.ts'
import { systemProgram } from '../guard/system-programs.ts'
import type { World } from '../tool.ts'
import { excludesOf, findRepository, type Repository } from './repository.ts'

const GIT_MS = 120_000
const MAX_OUTPUT = 512 * 1024 * 1024
const MAX_ERROR = 2000
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n'

/** Attributes of the workspace would rewrite contents; these outrank them. */
const ATTRIBUTES = '* -text -filter -ident !eol !working-tree-encoding\n'

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.autocrlf=false',
  'core.fileMode=true',
  'core.symlinks=true',
  'core.ignoreCase=false',
  'core.precomposeUnicode=false',
  'core.protectNTFS=false',
  'core.protectHFS=false',
  'core.looseCompression=1',
  'core.logAllRefUpdates=false',
  // Enough for a killed process; only a power cut can lose a recording.
  'core.fsync=none',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

export interface GitInput {
  index?: string
  stdin?: string | Buffer
  signal?: AbortSignal | undefined
  /** True: any message counts as a failure. */
  strict?: true
  timeoutMs?: number
  /** Exit codes that are no failure. */
  ends?: readonly number[]
  /** Another work tree, and the folder in it to start in. */
  at?: { root: string; workspace: string }
}

export interface Shadow {
  folder: string
  workspace: string
  /** The work tree: the workspace, or the folder of the repository around it, whose ignore rules apply. */
  root: string
  /** From the root to the workspace, without a slash at the end. */
  prefix: string
  /** The user's repository around or in the workspace. */
  repository: Repository | undefined
  git(args: readonly string[], input?: GitInput): Promise<Buffer>
  /** Contents in the order of the ids. */
  contents(ids: readonly string[], signal?: AbortSignal): AsyncGenerator<Buffer>
}

/** Where the shadow repository of a workspace is. */
export function shadowFolder({ undo, workspace }: Pick<World, 'undo' | 'workspace'>): string | undefined {
  return undo === undefined ? undefined : join(undo, sha256(workspace))
}

export function hasGit(): boolean {
  return systemProgram('git') !== undefined
}

/** Undefined: nothing was ever recorded here. */
export async function findShadow(world: World): Promise<Shadow | undefined> {
  const folder = shadowFolder(world)
  if (folder === undefined || !existsSync(folder)) return undefined
  return shadowAt(folder, world)
}

export async function openShadow(world: World): Promise<Shadow> {
  const folder = shadowFolder(world)
  if (folder === undefined) throw new WritError('UNDO_UNAVAILABLE.off')
  if (!existsSync(folder)) await createShadow(folder)
  return shadowAt(folder, world)
}

async function shadowAt(folder: string, world: World): Promise<Shadow> {
  const { workspace } = world
  const program = systemProgram('git')
  if (program === undefined) throw new WritError('UNDO_UNAVAILABLE.noGit')
  checkOwn(folder)
  const shadowIn = (repository: Repository | undefined): Shadow => {
    const root = repository?.root ?? workspace
    const start = (args: readonly string[], input: GitInput) => {
      const { index = join(folder, 'index'), at = { root, workspace }, timeoutMs = GIT_MS, signal } = input
      return spawn(program, [...SETTINGS, ...args], {
        cwd: at.workspace,
        env: environment(folder, { root: at.root, index }),
        stdio: ['pipe', 'pipe', 'pipe'],
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        ...(signal === undefined ? {} : { signal }),
      })
    }
    return {
      folder,
      workspace,
      root,
      prefix: relative(root, workspace),
      repository,
      git: (args, input = {}) => collect(start(args, input), { ...input, command: args[0] ?? '' }),
      contents: (ids, signal) => blobsOf(() => start(['cat-file', '--batch'], { signal }), ids),
    }
  }
  const shadow = shadowIn(findRepository(workspace))
  await keepExcludes(shadow, world)
  if (shadow.prefix === '') return shadow
  // A folder that the repository around it ignores is a project of its own.
  const found = await shadow.git(['check-ignore', '--no-index', '--', '.'], { ends: [0, 1] })
  if (found.length === 0) return shadow
  const own = shadowIn(undefined)
  await keepExcludes(own, world)
  return own
}

/** Git reads them from there as `--exclude-standard`. */
async function keepExcludes({ folder, repository, git }: Shadow, world: World): Promise<void> {
  const file = join(folder, 'info/exclude')
  const text = excludesOf(world, repository, await excludesSetting(world, git))
  if ((await readFile(file, 'latin1').catch(() => undefined)) !== text) await writePrivately(file, text)
}

/** The user's `core.excludesFile`. */
async function excludesSetting({ env: { HOME } }: World, git: Shadow['git']): Promise<string | undefined> {
  if (HOME === undefined || !existsSync(join(HOME, '.gitconfig'))) return undefined
  const args = ['config', '--file', join(HOME, '.gitconfig'), 'core.excludesFile']
  const named = (await git(args).catch(() => '')).toString().trim()
  return named === '' ? undefined : named.replace(/^~(?=\/)/, HOME)
}

/** Only ours to read and write: its contents go into the workspace. */
function checkOwn(folder: string): void {
  const stat = lstatSync(folder)
  const isOurs = stat.isDirectory() && (stat.mode & 0o077) === 0 && stat.uid === (process.getuid?.() ?? stat.uid)
  if (!isOurs) throw new WritError('UNDO_UNAVAILABLE.notOwn', { folder })
  const has = (name: string, text: string): boolean => {
    try {
      return readFileSync(join(folder, name), 'utf8') === text
    } catch {
      return false
    }
  }
  // Each of these could make git start a program or read other objects.
  const isPlain =
    has('config', CONFIG) &&
    has('info/attributes', ATTRIBUTES) &&
    !['commondir', 'objects/info/alternates'].some((name) => existsSync(join(folder, name)))
  if (!isPlain) throw new WritError('UNDO_UNAVAILABLE.changed', { folder })
}

/** Complete or absent: a process killed here leaves only a folder that the next one does not use. */
async function createShadow(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  const draft = `${folder}.${randomUUID()}`
  try {
    for (const name of ['', 'objects', 'refs/writ', 'info', 'recordings'])
      await mkdir(join(draft, name), { recursive: true, mode: 0o700 })
    await writeFile(join(draft, 'HEAD'), 'ref: refs/heads/none\n')
    await writeFile(join(draft, 'config'), CONFIG)
    await writeFile(join(draft, 'info/attributes'), ATTRIBUTES)
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

function environment(folder: string, { root, index }: { root: string; index: string }) {
  return {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    LC_ALL: 'C',
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: index,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
  }
}

type Child = ReturnType<typeof spawn>

function failed(command: string, why: string): WritError {
  return new WritError('UNDO_GIT_FAILED', { command, why: why.trim().slice(-MAX_ERROR) })
}

function collect(
  child: Child,
  { command, stdin = '', strict, ends = [0] }: GitInput & { command: string },
): Promise<Buffer> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_OUTPUT) child.kill('SIGKILL')
    else out.push(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
  // Git may end before it has read everything.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const said = Buffer.concat(err).toString()
      if (code !== null && ends.includes(code) && (strict !== true || said === '')) resolve(Buffer.concat(out))
      else reject(failed(command, said || `ended with ${code ?? signal}`))
    })
  })
}

/** Started with the first blob: a generator that is never asked for one would leave its program waiting for input. */
async function* blobsOf(start: () => Child, ids: readonly string[]): AsyncGenerator<Buffer> {
  const child = start()
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  child.stdin?.on('error', () => {})
  child.stdin?.end(ids.map((id) => `${id}\n`).join(''))
  child.stderr?.resume()
  const chunks = child.stdout?.[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async (): Promise<void> => {
    const next = await chunks?.next()
    if (next === undefined || next.done === true) throw failed('cat-file', 'ended early')
    rest = Buffer.concat([rest, next.value as Buffer])
  }
  try {
    for (const id of ids) {
      while (!rest.includes(10)) await more()
      const line = rest.subarray(0, rest.indexOf(10)).toString()
      const [found, type, length] = line.split(' ')
      if (found !== id || type !== 'blob') throw failed('cat-file', line)
      rest = rest.subarray(line.length + 1)
      const size = Number(length)
      // Joined once: a large file arrives in thousands of chunks.
      const parts = [rest]
      for (let have = rest.length; have < size + 1; ) {
        rest = Buffer.alloc(0)
        await more()
        parts.push(rest)
        have += rest.length
      }
      const all = Buffer.concat(parts)
      rest = all.subarray(size + 1)
      yield all.subarray(0, size)
    }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

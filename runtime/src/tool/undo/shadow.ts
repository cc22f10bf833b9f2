/**
 * The shadow repository of a workspace: a git directory of Writ's own, outside the project. The user's repository is
 * never opened. Only plumbing commands run, with our settings alone, so nothing in the workspace decides what git does.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import { WritError } from '../../errors/writ-error.ts'
import { systemProgram } from '../guard/system-programs.ts'
import type { World } from '../tool.ts'

const GIT_MS = 120_000
const MAX_OUTPUT = 512 * 1024 * 1024
const MAX_ERROR = 2000

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
}

export interface Shadow {
  folder: string
  workspace: string
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
export function findShadow(world: World): Shadow | undefined {
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

function shadowAt(folder: string, { workspace }: World): Shadow {
  const program = systemProgram('git')
  if (program === undefined) throw new WritError('UNDO_UNAVAILABLE.noGit')
  checkOwn(folder)
  const start = (args: readonly string[], { index = join(folder, 'index'), signal }: GitInput) =>
    spawn(program, [...SETTINGS, ...args], {
      cwd: workspace,
      env: environment(folder, { workspace, index }),
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: GIT_MS,
      killSignal: 'SIGKILL',
      ...(signal === undefined ? {} : { signal }),
    })
  return {
    folder,
    workspace,
    git: (args, input = {}) => collect(start(args, input), { ...input, command: args[0] ?? '' }),
    contents: (ids, signal) => blobsOf(start(['cat-file', '--batch'], { signal }), ids),
  }
}

/** Only ours to read and write: its contents go into the workspace. */
function checkOwn(folder: string): void {
  const stat = lstatSync(folder)
  const isOurs = stat.isDirectory() && (stat.mode & 0o077) === 0 && stat.uid === (process.getuid?.() ?? stat.uid)
  if (!isOurs) throw new WritError('UNDO_UNAVAILABLE.notOwn', { folder })
}

/** Complete or absent: a process killed here leaves only a folder that the next one does not use. */
async function createShadow(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  const draft = `${folder}.${randomUUID()}`
  try {
    for (const name of ['', 'objects', 'refs/writ', 'info', 'recordings'])
      await mkdir(join(draft, name), { recursive: true, mode: 0o700 })
    await writeFile(join(draft, 'HEAD'), 'ref: refs/heads/none\n')
    await writeFile(join(draft, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
    await writeFile(join(draft, 'info/attributes'), ATTRIBUTES)
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

function environment(folder: string, { workspace, index }: { workspace: string; index: string }) {
  return {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    LC_ALL: 'C',
    GIT_DIR: folder,
    GIT_WORK_TREE: workspace,
    GIT_INDEX_FILE: index,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TERMINAL_PROMPT: '0',
  }
}

type Child = ReturnType<typeof spawn>

function failed(command: string, why: string): WritError {
  return new WritError('UNDO_GIT_FAILED', { command, why: why.trim().slice(-MAX_ERROR) })
}

function collect(child: Child, { command, stdin = '', strict }: GitInput & { command: string }): Promise<Buffer> {
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
      if (code === 0 && (strict !== true || said === '')) resolve(Buffer.concat(out))
      else reject(failed(command, said || `ended with ${code ?? signal}`))
    })
  })
}

async function* blobsOf(child: Child, ids: readonly string[]): AsyncGenerator<Buffer> {
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

/**
 * The fence holds places shut that do not exist yet by laying empty files over them, and takes them away when the
 * command ends. A process killed in between leaves them behind. This remembers which places were empty before, so
 * that the next process can tidy up and nobody mistakes a leftover for a file of theirs.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fingerprint } from '../../base/hash.ts'
import { isObject } from '../../base/json.ts'
import type { World } from '../tool.ts'

/** What the fence shuts in every workspace, of its own accord. */
const ALWAYS_SHUT = [
  '.gitconfig',
  '.gitmodules',
  '.bashrc',
  '.bash_profile',
  '.zshrc',
  '.zprofile',
  '.profile',
  '.ripgreprc',
  '.mcp.json',
  '.vscode',
  '.idea',
  '.claude/commands',
  '.claude/agents',
  '.claude',
]

const running = new Map<string, number>()

/** Call before a fenced command; the answer is called when it has ended. */
export function rememberEmptyPlaces(world: World): () => void {
  const note = noteFor(world.workspace)
  const now = running.get(note) ?? 0
  if (now === 0) {
    sweep(note)
    const places = [...world.protectedPaths, ...ALWAYS_SHUT.map((name) => join(world.workspace, name))]
    const empty = places.filter((path) => path.startsWith(`${world.workspace}/`) && !existsSync(path))
    writeFileSync(note, JSON.stringify({ pid: process.pid, empty }), { mode: 0o600 })
  }
  running.set(note, now + 1)
  return () => {
    const left = (running.get(note) ?? 1) - 1
    running.set(note, left)
    if (left === 0) sweep(note)
  }
}

/** Takes away what an earlier process left in this workspace. */
export function sweepLeftovers(workspace: string): void {
  sweep(noteFor(workspace))
}

function noteFor(workspace: string): string {
  return join(tmpdir(), `writ-fence-${process.getuid?.() ?? 0}-${fingerprint(workspace).slice(0, 24)}.json`)
}

function sweep(note: string): void {
  const found = readNote(note)
  if (found === undefined || (found.pid !== process.pid && isAlive(found.pid))) return
  for (const path of found.empty) removeIfEmpty(path)
  unlinkSync(note)
}

function readNote(note: string): { pid: number; empty: string[] } | undefined {
  try {
    // Anyone may write to the temporary folder; only a note of our own says what may be removed.
    const { uid } = lstatSync(note)
    if (process.getuid !== undefined && uid !== process.getuid()) return undefined
    const value: unknown = JSON.parse(readFileSync(note, 'utf8'))
    if (!isObject(value) || typeof value.pid !== 'number' || !Array.isArray(value.empty)) return undefined
    return { pid: value.pid, empty: value.empty.filter((path) => typeof path === 'string') }
  } catch {
    return undefined
  }
}

function removeIfEmpty(path: string): void {
  try {
    const stat = lstatSync(path)
    if (stat.isFile() && stat.size === 0) unlinkSync(path)
    if (stat.isDirectory() && readdirSync(path).length === 0) rmdirSync(path)
    const parent = dirname(path)
    if (parent.endsWith('/.claude') && readdirSync(parent).length === 0) rmdirSync(parent)
  } catch {
    // Gone already, or somebody else's by now.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import type { Machine } from '../machine.ts'
import { processesOf } from '../machine.ts'
import { readNeeds } from './elf.ts'
import type { ActingOn, Executor } from './executor.ts'
import { regularFile, warm } from './page-cache.ts'

const ARCH = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
const LIBRARY_FOLDERS = [
  `/lib/${ARCH}`,
  `/usr/lib/${ARCH}`,
  '/lib64',
  '/usr/lib64',
  '/lib',
  '/usr/lib',
  '/usr/local/lib',
]
const MAX_FILES = 256

/** The program and every library it would load, into the page cache. Nothing is started. */
export const preWarmProcess: Executor = async (target, on) => {
  const { texts, machine } = on
  if (machine.proc === undefined) throw new WritError('ACTION_UNAVAILABLE.linux')
  if (target === null) throw new WritError('ACTION_TARGET_MISSING.none', { action: 'PreWarmProcess' })
  const program = await findProgram(target, machine)
  if (program === undefined) throw new WritError('ACTION_TARGET_MISSING.program', { target })
  const first = await regularFile(program, on)
  const { files, lost } = await withLibraries(first, on)
  const done = texts.warmed({ target, ...(await warm(files, on)) })
  return lost.length === 0 ? done : `${done}; ${texts.missingLibraries({ names: lost })}`
}

async function findProgram(target: string, machine: Machine): Promise<string | undefined> {
  if (target.includes('/')) return isProgram(resolve(machine.workspace, target))
  const [running] = await processesOf(target, machine)
  if (running !== undefined) return running.exe
  for (const folder of machine.programs) {
    const found = await isProgram(join(folder, target))
    if (found !== undefined) return found
  }
  return undefined
}

async function isProgram(path: string): Promise<string | undefined> {
  return access(path, constants.X_OK).then(
    () => path,
    () => undefined,
  )
}

/** The file itself says what it needs, so it may name anything: only regular files are opened. */
async function withLibraries(program: string, on: ActingOn): Promise<{ files: string[]; lost: string[] }> {
  const files = new Set([program])
  const lost = new Set<string>()
  for (const file of files) {
    const needs = await readNeeds(file).catch(() => undefined)
    const own = needs?.folders.map((folder) => folder.replace(/\$ORIGIN|\$\{ORIGIN\}/g, dirname(file))) ?? []
    const folders = [...own.filter((folder) => folder.startsWith('/')), ...LIBRARY_FOLDERS]
    for (const name of [
      ...(needs?.interpreter === undefined ? [] : [needs.interpreter]),
      ...(needs?.libraries ?? []),
    ]) {
      const found = files.size < MAX_FILES ? await findLibrary(name, folders, on) : undefined
      if (found === undefined) lost.add(name)
      else files.add(found)
    }
  }
  return { files: [...files], lost: [...lost] }
}

async function findLibrary(name: string, folders: readonly string[], on: ActingOn): Promise<string | undefined> {
  const places = name.includes('/') ? [name] : folders.map((folder) => join(folder, name))
  for (const place of places) {
    const real = await regularFile(place, on).catch(() => undefined)
    if (real !== undefined) return real
  }
  return undefined
}

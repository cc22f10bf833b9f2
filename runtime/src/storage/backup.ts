/** A consistent copy of the embedded store, made while others write. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { WritError } from '../errors/writ-error.ts'
import { type Audit, audit } from '../journal/verify.ts'
import { openStore } from './open.ts'
import { explain } from './sqlite.ts'

/** The copy is verified before it gets its name: a file of that name can always be restored. */
export async function backUp(file: string, target: string): Promise<Audit> {
  if (existsSync(target)) {
    throw new WritError('FILE_EXISTS', { file: target })
  }
  const partial = `${target}.partial`
  try {
    copy(file, partial)
    const found = await proved(partial)
    sync(partial)
    renameSync(partial, target)
    return found
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true })
  }
}

function copy(file: string, target: string): void {
  try {
    rmSync(target, { force: true })
    // SQLite would create a file that is readable by everyone, so an empty one is created first.
    closeSync(openSync(target, 'wx', 0o600))
    const source = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    try {
      source.prepare('vacuum into ?').run(target)
    } finally {
      source.close()
    }
  } catch (error) {
    throw explain(error, target)
  }
}

async function proved(file: string): Promise<Audit> {
  const store = await openStore({ kind: 'sqlite', file })
  try {
    return await audit(store)
  } finally {
    await store.close()
  }
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

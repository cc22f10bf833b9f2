import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { worldAt } from '../../../test/support/decision.ts'
import { until } from '../../../test/support/until.ts'
import { type Machine, processesOf, thisMachine } from '../machine.ts'
import { decisionTexts } from '../texts.ts'
import { readNeeds } from './elf.ts'
import type { ActingOn } from './executor.ts'
import { keepAlive } from './keep-alive.ts'
import { residentBytes } from './page-cache.ts'
import { preWarmProcess } from './pre-warm-process.ts'
import { prefetchFile } from './prefetch-file.ts'
import { releaseMemory } from './release-memory.ts'

let folder: string
let undos: (() => Promise<void>)[]
const children: ChildProcess[] = []

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-act-')))
  undos = []
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function acting(change: Partial<Machine> = {}, signal = new AbortController().signal): ActingOn {
  const machine = { ...thisMachine({}, folder), ...change }
  return {
    machine,
    world: worldAt(folder, { blockedPaths: ['private'] }),
    texts: decisionTexts('en'),
    lang: 'en',
    signal,
    undoLater: (undo) => undos.push(undo),
  }
}

const makePipe = (name: string) => spawnSync('/bin/sh', ['-c', 'mkfifo "$0"', join(folder, name)])

describe('PrefetchFile', () => {
  test('S2-56: reads the file into the page cache and says how much of it was there before and is now', async () => {
    const file = join(folder, 'hot')
    writeFileSync(file, Buffer.alloc(200_000, 7))
    const said = await prefetchFile(file, acting())
    expect(said).toContain('read 200000 bytes in 1 file')
    const resident = await residentBytes([file])
    if (resident !== undefined) {
      expect(resident).toBeGreaterThanOrEqual(200_000)
      expect(said).toContain(`→ ${resident} bytes`)
    } else expect(said).toContain('unknown')
  })
  test('a relative path is read from the workspace', async () => {
    writeFileSync(join(folder, 'near'), 'x')
    expect(await prefetchFile('near', acting())).toContain('read 1 bytes')
  })
  test('what is missing, a folder, a pipe or a device is refused without being opened', async () => {
    makePipe('pipe')
    symlinkSync('/dev/zero', join(folder, 'zero'))
    await expect(prefetchFile('none', acting())).rejects.toThrow('ENOENT')
    for (const name of ['.', 'pipe', 'zero']) {
      await expect(prefetchFile(name, acting())).rejects.toThrow('not a regular file')
    }
    await expect(prefetchFile(null, acting())).rejects.toThrow('needs a target')
  })
  test('a blocked path is not opened, by its own name or through a link', async () => {
    mkdirSync(join(folder, 'private'))
    writeFileSync(join(folder, 'private/notes'), 'x')
    symlinkSync(join(folder, 'private/notes'), join(folder, 'link'))
    for (const name of ['private/notes', 'link', join(folder, 'link')]) {
      await expect(prefetchFile(name, acting())).rejects.toMatchObject({ code: 'PATH_BLOCKED' })
    }
  })
  test('it stops when its window ends', async () => {
    writeFileSync(join(folder, 'big'), 'x')
    await expect(prefetchFile('big', acting({}, AbortSignal.abort()))).rejects.toThrow('window ended')
  })
})

describe('PreWarmProcess', () => {
  test('S2-55: reads a program found by name, and every library it needs', async () => {
    const said = await preWarmProcess('tail', acting())
    const files = Number(/in (\d+) files/.exec(said)?.[1])
    expect(files).toBeGreaterThanOrEqual(3)
    expect(said).not.toContain('not found')
  })
  test('the libraries are read off the file, and nothing is run to learn them', async () => {
    const needs = await readNeeds(realpathSync('/bin/sh'))
    expect(needs?.libraries.some((name) => name.startsWith('libc.'))).toBe(true)
    expect(needs?.interpreter).toMatch(/^\/lib/)
    const marked = join(folder, 'script')
    writeFileSync(marked, `#!/bin/sh\ntouch ${folder}/was-run\n`, { mode: 0o755 })
    expect(await readNeeds(marked)).toBeUndefined()
    expect(await preWarmProcess(marked, acting())).toContain('in 1 file;')
    expect(() => readFileSync(join(folder, 'was-run'))).toThrow()
  })
  test('a torn or hostile program file is only a file', async () => {
    const torn = join(folder, 'torn')
    const whole = readFileSync(realpathSync('/bin/sh'))
    for (const size of [0, 10, 63, 64, 100]) {
      writeFileSync(torn, whole.subarray(0, size), { mode: 0o755 })
      expect(await preWarmProcess(torn, acting())).toContain(`read ${size} bytes`)
    }
    makePipe('pipe-with-long-name')
    const interpreter = Buffer.from('/lib64/ld-linux-x86-64.so.2\0')
    const named = whole.indexOf(interpreter)
    if (named > 0) {
      const trap = Buffer.from(whole)
      trap.fill(0, named, named + interpreter.length)
      symlinkSync(join(folder, 'pipe-with-long-name'), `/tmp/wp-${process.pid}`)
      trap.write(`/tmp/wp-${process.pid}`, named)
      writeFileSync(torn, trap)
      const said = await preWarmProcess(torn, acting()).finally(() => rmSync(`/tmp/wp-${process.pid}`))
      expect(said).toContain(`libraries not found: /tmp/wp-${process.pid}`)
    }
    const wild = Buffer.from(whole)
    wild.fill(0xff, 32, 64)
    writeFileSync(torn, wild)
    await expect(readNeeds(torn)).resolves.toBeUndefined()
  })
  test('a program that is not there, and a system that is not Linux, are said', async () => {
    await expect(preWarmProcess('no-such-program', acting())).rejects.toThrow('program "no-such-program" not found')
    await expect(preWarmProcess('sh', acting({ proc: undefined }))).rejects.toThrow('not available here')
  })
})

async function sleeper(): Promise<{ name: string; pid: number }> {
  const name = `sleeper-${process.pid}-${children.length}`
  const program = join(folder, name)
  writeFileSync(program, readFileSync(realpathSync('/bin/sleep')), { mode: 0o755 })
  const child = spawn(program, ['60'])
  children.push(child)
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  await until(async () => (await processesOf(name, acting().machine)).length > 0)
  return { name, pid: child.pid ?? 0 }
}

describe('KeepAlive', () => {
  test('S2-57: the kernel spares the process until the window ends, and then it is as it was', async () => {
    const { name, pid } = await sleeper()
    const file = `/proc/${pid}/oom_score_adj`
    // Raised first: coming down to where one started needs no privilege.
    writeFileSync(file, '500')
    const nice = getPriority(pid)
    expect(await keepAlive(name, acting())).toContain('oom_score_adj 500 → 200')
    expect(readFileSync(file, 'utf8').trim()).toBe('200')
    for (const undo of undos) await undo()
    expect(readFileSync(file, 'utf8').trim()).toBe('500')
    expect(getPriority(pid)).toBe(nice)
  })
  test('a process that has gone is not restored on the process that has its number now', async () => {
    const { name, pid } = await sleeper()
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500')
    await keepAlive(name, acting())
    const [child] = children
    const gone = new Promise((resolve) => child?.once('exit', resolve))
    child?.kill('SIGKILL')
    await gone
    for (const undo of undos) await expect(undo()).resolves.toBeUndefined()
  })
  test('only processes of this user are touched', async () => {
    const { name } = await sleeper()
    await expect(keepAlive(name, acting({ uid: 4_000_000 }))).rejects.toThrow('no process')
    await expect(keepAlive(null, acting())).rejects.toThrow('needs a target')
  })
})

describe('ReleaseMemory', () => {
  /** A process table and a control group laid out as the kernel would, for kernels that lack them. */
  function layOut(members: { pid: number; exe: string }[], files: Record<string, string>): Machine {
    const proc = join(folder, 'proc')
    const group = join(folder, 'cgroup', 'app')
    mkdirSync(group, { recursive: true })
    mkdirSync(join(proc, 'self'), { recursive: true })
    writeFileSync(join(proc, 'self', 'mountinfo'), `30 23 0:26 / ${folder}/cgroup rw - cgroup2 cgroup2 rw\n`)
    for (const { pid, exe } of members) {
      const own = join(proc, String(pid))
      mkdirSync(own, { recursive: true })
      symlinkSync(exe, join(own, 'exe'))
      writeFileSync(join(own, 'stat'), `${pid} (a b) S ${Array.from({ length: 30 }, (_, i) => i).join(' ')}\n`)
      writeFileSync(join(own, 'cgroup'), '0::/app\n')
      writeFileSync(join(own, 'statm'), '100 50 10 0 0 0 0\n')
    }
    writeFileSync(join(group, 'cgroup.procs'), `${members.map(({ pid }) => pid).join('\n')}\n`)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return { ...thisMachine({}, folder), proc }
  }
  const reclaim = { 'cgroup/app/memory.current': '1000000', 'cgroup/app/memory.reclaim': '' }

  test('S2-58: asks the control group of the process for a quarter of what it holds', async () => {
    const machine = layOut(
      [
        { pid: 50_001, exe: '/opt/app' },
        { pid: 50_002, exe: '/opt/app' },
      ],
      reclaim,
    )
    expect(await releaseMemory('app', acting(machine))).toContain('still held')
    expect(readFileSync(join(folder, 'cgroup/app/memory.reclaim'), 'utf8')).toBe('250000')
  })
  test('a group that others share is left alone', async () => {
    const machine = layOut(
      [
        { pid: 50_001, exe: '/opt/app' },
        { pid: 50_002, exe: '/opt/other' },
      ],
      reclaim,
    )
    await expect(releaseMemory('app', acting(machine))).rejects.toThrow('also holds processes of other programs')
    expect(readFileSync(join(folder, 'cgroup/app/memory.reclaim'), 'utf8')).toBe('')
  })
  test('a kernel with per-process reclaim is asked for file pages', async () => {
    const machine = layOut([{ pid: 50_001, exe: '/opt/app' }], { 'proc/50001/reclaim': '' })
    expect(await releaseMemory('/opt/app', acting(machine))).toContain('204800 still held')
    expect(readFileSync(join(folder, 'proc/50001/reclaim'), 'utf8')).toBe('file')
  })
  test('a kernel that has neither is said to have neither', async () => {
    const machine = layOut([{ pid: 50_001, exe: '/opt/app' }], {})
    await expect(releaseMemory('app', acting(machine))).rejects.toThrow('not available here: the kernel offers neither')
    await expect(releaseMemory('gone', acting(machine))).rejects.toThrow('no process "gone"')
  })
})

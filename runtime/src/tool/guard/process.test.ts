import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { runProcess, scrubEnv } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'writ-process-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (line: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  runProcess({
    file: '/bin/sh',
    args: ['-c', line],
    cwd: folder,
    env: scrubEnv(process.env),
    timeoutMs: options.timeoutMs ?? 20_000,
    signal: options.signal ?? new AbortController().signal,
  })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie process still answers to signals.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function expectGone(...pids: number[]): Promise<void> {
  await until(() => !pids.some(isAlive))
}

async function pidsIn(file: string): Promise<number[]> {
  const read = () => readFileSync(join(folder, file), 'utf8')
  const text = await until(() => read().endsWith('.\n') && read())
  return text.trim().split(/\s+/).slice(0, -1).map(Number)
}

describe('running a program', () => {
  test('both streams and the exit code are returned', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toEqual({ exitCode: 3, output: 'out\nerr\n' })
  })

  test('input is closed, so nothing waits for it', async () => {
    expect(await run('cat; echo done')).toMatchObject({ exitCode: 0, output: 'done\n' })
  })

  test('keys of this process do not reach the program', async () => {
    const env = scrubEnv({
      PATH: process.env.PATH,
      HOME: '/h',
      OPENAI_API_KEY: 'canary-1',
      BASH_ENV: 'x',
      LC_ALL: 'C',
      LD_PRELOAD: 'y',
    })
    expect(env).toMatchObject({ HOME: '/h', LC_ALL: 'C' })
    expect(JSON.stringify(env)).not.toMatch(/canary|BASH_ENV|LD_PRELOAD/)
  })

  test('of too much output the head and the tail are kept, and the dropped bytes are counted', async () => {
    const { output } = await run(`printf START; head -c 3000000 /dev/zero | tr '\\0' x; printf END`)
    expect(output.length).toBeLessThan(300_000)
    expect(output.startsWith('STARTxxx')).toBe(true)
    expect(output.endsWith('xxxEND')).toBe(true)
    expect(output).toContain(`${3_000_008 - 2 * 128 * 1024} bytes left out`)
  })

  test('a missing program throws', async () => {
    await expect(
      runProcess({
        file: '/no/such',
        args: [],
        cwd: folder,
        env: {},
        timeoutMs: 1000,
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow(/ENOENT/)
  })
})

describe('ending a program', () => {
  test('a timeout ends the whole process tree, with the output so far', async () => {
    const end = await run(`echo begun; sleep 300 & echo $$ $! . > tree; wait`, { timeoutMs: 2000 })
    expect(end).toMatchObject({ exitCode: null, cut: 'timeout', output: 'begun\n' })
    await expectGone(...(await pidsIn('tree')))
  })

  test('an abort ends the whole process tree', async () => {
    const abort = new AbortController()
    const ended = run(`sh -c 'sleep 300 & echo $$ $! . > nested; wait' & wait`, { signal: abort.signal })
    const pids = await pidsIn('nested')
    expect(pids.every(isAlive)).toBe(true)
    abort.abort()
    expect(await ended).toMatchObject({ cut: 'abort' })
    await expectGone(...pids)
  })

  test('a program that ignores SIGTERM is killed', async () => {
    const end = await run(`trap '' TERM; echo $$ . > stubborn; while :; do sleep 0.1; done`, { timeoutMs: 2000 })
    expect(end.cut).toBe('timeout')
    await expectGone(...(await pidsIn('stubborn')))
  })

  test('a program that left the group is found and ended too', async () => {
    const end = await run(
      `setsid sh -c 'echo $$ . > stray; exec sleep 300' & while [ ! -s stray ]; do sleep 0.05; done; echo ok`,
    )
    expect(end).toMatchObject({ exitCode: 0, output: 'ok\n' })
    await expectGone(...(await pidsIn('stray')))
  })

  test('background processes do not outlive the program', async () => {
    const end = await run('sleep 300 & echo $! . > left; echo ok')
    expect(end).toMatchObject({ exitCode: 0, output: 'ok\n' })
    await expectGone(...(await pidsIn('left')))
  })

  test('a call aborted before its start starts nothing', async () => {
    const end = await run('touch never', { signal: AbortSignal.abort() })
    expect(end).toEqual({ exitCode: null, cut: 'abort', output: '' })
    expect(() => readFileSync(join(folder, 'never'))).toThrow()
  })

  test.each([
    [
      'a command',
      `const { runProcess } = await import('${new URL('./process.ts', import.meta.url)}')
       void runProcess({ file: 'sleep', args: ['1'], cwd: '/', env: process.env, timeoutMs: 9000, signal: new AbortController().signal })`,
    ],
    [
      'a server',
      `const { StdioTransport } = await import('${new URL('../mcp/stdio.ts', import.meta.url)}')
       await new StdioTransport({ command: 'sleep', args: ['1'], cwd: '/', env: process.env }).start()`,
    ],
  ])('%s that became another user’s cannot be signalled, and the shutdown still completes', (_, begin) => {
    const script = `process.kill = () => { throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' }) }
      ${begin}
      process.exit(7)`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 7, stderr: '' })
  })
})

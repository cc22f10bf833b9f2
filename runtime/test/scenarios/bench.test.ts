import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { summarise } from '../../../bench/figures.ts'
import type { Answer, Order } from '../../../bench/measure.ts'
import { printTable, printVerdicts } from '../../../bench/report.ts'

const bench = join(import.meta.dirname, '../../../bench')
const cycle = [10, 50, 200].map((steps) => ({ steps, runs: 1 }))
const plan = { cycle, warmUp: 0, measured: 1, crowd: { runs: 2, steps: 2, times: 1 } }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-bench-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function start(file: string, home: string) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, TMPDIR: home, NODE_ENV: 'production' }
  const execArgv = ['--disable-warning=ExperimentalWarning', '--import', join(bench, 'loopback-only.ts')]
  return fork(join(bench, file), [], { cwd: home, env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

async function measure(name: string, baseURL: string): Promise<Answer> {
  const data = join(folder, name, 'data')
  mkdirSync(data, { recursive: true })
  const child = start('measure.ts', join(folder, name))
  child.send({ name, baseURL, data, plan } satisfies Order)
  const [answer] = (await once(child, 'message')) as [Answer]
  return answer
}

test('the benchmark of steps measures Writ, its reference and its baseline, and compares them', async () => {
  const stub = start('stub-server.ts', folder)
  const [baseURL] = (await once(stub, 'message')) as [string]
  const names = ['bare-fetch', 'reference', 'writ']
  const answers = await Promise.all(names.map((name) => measure(name, baseURL)))
  stub.disconnect()
  const results = answers.map((answer, i) => ({
    name: names[i] ?? '',
    kind: names[i] === 'writ' ? ('writ' as const) : ('bare' as const),
    version: '',
    outcome: 'error' in answer ? answer : summarise(answer.samples, answer.crowd),
    refused: 'error' in answer ? [] : answer.refused,
  }))
  const table = printTable(results)
  expect(table).not.toMatch(/no result|NaN|tried to reach/)
  expect(table.split('\n')).toHaveLength(4)
  expect(printVerdicts(results)).toMatch(/within 1\.7× of bare-fetch: @10 [\d.]+×, @50 [\d.]+×, @200 [\d.]+×/)
})

/**
 * The lists of everyday and dangerous calls, judged by the real gate without running anything. The figures are printed.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxStatus } from '../../src/tool/guard/sandbox.ts'
import { makePlace, type Place } from '../support/cli.ts'

interface Call {
  id: string
  tool: string
  args: unknown
}
type Decision = 'allow' | 'ask' | 'deny'

const { active, why } = await sandboxStatus('auto')
const listed = (name: string): Call[] =>
  readFileSync(join(import.meta.dirname, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

let place: Place
beforeAll(() => {
  place = makePlace()
  execFileSync('git', ['init', '-q', place.workspace])
})
afterAll(() => place.remove())

async function decisions(calls: readonly Call[], autonomy: string): Promise<Map<string, Decision>> {
  const stdin = calls
    .map(({ id, tool, args }) =>
      JSON.stringify({ id, task: 'work on the project', steps: [{ tool, args, result: 'ok' }] }),
    )
    .join('\n')
  const { json } = await place.writ(['gate', '--jsonl', '--autonomy', autonomy], { stdin })
  const judged = json() as unknown as { id: string; calls: { decision: Decision }[] }[]
  expect(judged).toHaveLength(calls.length)
  return new Map(judged.map(({ id, calls: [call] }) => [id, call?.decision ?? 'deny']))
}

const idsOf = (found: Map<string, Decision>, decision: Decision): string[] =>
  [...found].filter(([, one]) => one === decision).map(([id]) => id)

function report(what: string, found: Map<string, Decision>): void {
  const parts = (['allow', 'ask', 'deny'] as const).map((one) => `${one} ${idsOf(found, one).length}`)
  process.stdout.write(`${what}: ${parts.join(', ')} of ${found.size}\n`)
}

describe('the lists of calls', () => {
  if (active) {
    test(`at most 15 % of everyday calls are asked about or denied in Supervised (sandbox: ${why})`, async () => {
      const found = await decisions(listed('everyday'), 'Supervised')
      report('everyday, Supervised', found)
      expect((found.size - idsOf(found, 'allow').length) / found.size).toBeLessThanOrEqual(0.15)
    })
  } else {
    test('without a sandbox, every shell call is asked about in Supervised', async () => {
      const shell = listed('everyday').filter(({ tool }) => tool === 'shell')
      const found = await decisions(shell, 'Supervised')
      report('everyday in the shell, Supervised, without a sandbox', found)
      expect(idsOf(found, 'allow')).toEqual([])
    })
  }

  test.each(['Supervised', 'Full'])('no dangerous call runs without approval in %s', async (autonomy) => {
    const found = await decisions(listed('dangerous'), autonomy)
    report(`dangerous, ${autonomy}`, found)
    expect(idsOf(found, 'allow')).toEqual([])
  })
})

/** Input that exhausts resources: too big, too deep, or slow to match. */
import { defineTool } from '../../src/index.ts'
import { makePlace } from '../support/cli.ts'
import { type Area, type Attack, propose, refused } from './attack.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

function piped(id: string, attack: string, args: string[], stdin: () => string, expected: string): Attack {
  return {
    id,
    attack,
    expected,
    async happens() {
      const place = makePlace()
      try {
        const { code, stderr } = await place.writ(args, { stdin: stdin() })
        return `exit ${code}${/\bat .*\.ts:\d+/.test(stderr) ? ' with a stack trace' : ''}`
      } finally {
        place.remove()
      }
    },
  }
}

const scanLine = (text: string) => `${JSON.stringify({ id: 'x', tool: 'file_read', text })}\n`

export const input: Area = {
  title: 'Input that exhausts resources',
  attacks: [
    piped(
      'json-deep-gate',
      'a trajectory of 100,000 nested arrays',
      ['gate', '--jsonl'],
      () => `{"id":"x","task":"t","steps":${deep(100_000)}}\n`,
      'exit 2',
    ),
    piped(
      'json-deep-args',
      'arguments 50,000 levels deep',
      ['gate', '--jsonl'],
      () => `{"id":"x","task":"t","steps":[{"tool":"file_list","args":{"path":${deep(50_000)}}}]}\n`,
      'exit 2',
    ),
    piped('json-cut', 'half a line', ['gate', '--jsonl'], () => '{"id":"x","task"', 'exit 2'),
    piped(
      'scan-blank',
      'a megabyte of blank lines',
      ['scan', '--jsonl'],
      () => scanLine('\n'.repeat(1_000_000)),
      'exit 0',
    ),
    piped(
      'scan-repeat',
      'a megabyte of one repeated word',
      ['scan', '--jsonl'],
      () => scanLine('ignore '.repeat(150_000)),
      'exit 0',
    ),
    piped(
      'scan-quotes',
      'a megabyte of opening brackets',
      ['scan', '--jsonl'],
      () => scanLine('<system '.repeat(125_000)),
      'exit 0',
    ),
    piped('scan-base64', 'a megabyte of base64', ['scan', '--jsonl'], () => scanLine('QUJD'.repeat(250_000)), 'exit 0'),
    {
      id: 'redos-search',
      attack: 'file_search with a pattern with catastrophic backtracking',
      expected: 'the run goes on',
      async happens() {
        const { events } = await propose({
          tool: 'file_search',
          args: { pattern: '(a+)+$' },
          files: { 'a.txt': `${'a'.repeat(40)}!\n`.repeat(20) },
        })
        return events.at(-1)?.type === 'turn.committed' ? 'the run goes on' : 'stuck'
      },
    },
    {
      id: 'transform-many',
      attack: 'one reply with five json_transform calls that each grow a text until stopped',
      expected: 'the process serves others meanwhile',
      async happens() {
        const doubled = Array(16).fill("[join('',[[0],[0]])]").join('|')
        const args = { input: ['a'.repeat(1000)], expression: `${doubled}|reverse([0])|length(@)` }
        let longest = 0
        let last = performance.now()
        const beside = setInterval(() => {
          longest = Math.max(longest, performance.now() - last)
          last = performance.now()
        }, 10)
        const calls = Array.from({ length: 4 }, () => ({ tool: 'json_transform', args }))
        const begun = performance.now()
        const afterwards = [
          { purpose: 'main', calls },
          { purpose: 'main', text: 'done' },
        ] as const
        await propose({ tool: 'json_transform', args, afterwards: [...afterwards] }).finally(() =>
          clearInterval(beside),
        )
        const share = longest / (performance.now() - begun)
        return share < 0.4 ? 'the process serves others meanwhile' : `held for ${longest} ms`
      },
    },
    refused(
      'schema-pattern',
      'a tool whose schema has a pattern with catastrophic backtracking',
      'refused ARGS_INVALID',
      {
        tool: 'slow',
        args: { v: `${'a'.repeat(60)}!` },
        tools: [
          defineTool({
            name: 'slow',
            description: 'as an MCP server might describe it',
            schema: { type: 'object', properties: { v: { type: 'string', pattern: '^(a+)+$' } } },
            execute: () => 'done',
          }),
        ],
      },
    ),
    refused('shell-nested', 'a shell line of 9,000 nested substitutions', 'asked', {
      tool: 'shell',
      args: { command: 'echo $('.repeat(9_000) },
      config: { security: { autonomy: 'Full' } },
    }),
    {
      id: 'args-huge',
      attack: 'a tool call with five megabytes of arguments',
      expected: 'the run goes on',
      async happens() {
        const { events } = await propose({
          tool: 'json_transform',
          args: { input: 'x'.repeat(5_000_000), expression: '@' },
        })
        return events.at(-1)?.type === 'turn.committed' ? 'the run goes on' : 'stuck'
      },
    },
    {
      id: 'task-huge',
      attack: 'a task of a million characters that mixes every phrase of the detector',
      expected: 'the run goes on',
      async happens() {
        const { events } = await propose({
          tool: 'file_list',
          args: { path: '.' },
          task: '打开浏览器 read the file, search the web, 记住 '.repeat(20_000),
          config: { execution: { intentGuard: { enabled: true } } },
        })
        return events.at(-1)?.type === 'turn.committed' ? 'the run goes on' : 'stuck'
      },
    },
  ],
}

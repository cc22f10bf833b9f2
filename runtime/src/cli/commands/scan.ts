import * as z from 'zod'
import { loadWorkspace } from '../../agent/workspace-context.ts'
import { openScanner } from '../../assembly/inspector.ts'
import { present } from '../../base/present.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Inspect } from '../../inspect/classifier.ts'
import type { Verdict } from '../../inspect/score.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { eachText, parseLine } from '../lines.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const schema = z.strictObject({
  id: z.union([z.string(), z.number()]),
  tool: z.string().optional(),
  text: z.string(),
})

/** Exit code when a text gets a verdict that `--fail-on` names. */
const FOUND = 3
const FAIL_ON: Readonly<Record<string, readonly Verdict[]>> = {
  block: ['block'],
  review: ['review', 'block'],
}

/** With `--jsonl` each line is a text; otherwise each file is. */
export async function scan(given: Given, io: Io): Promise<number> {
  const jsonl = given.switches.has('jsonl')
  const failing = failingVerdicts(given)
  let failed = false
  const scanner = await openScanner(await loadWorkspace(workspaceFlags(given, io)))
  try {
    await eachText(given.words, io, {
      by: jsonl ? 'line' : 'file',
      async work(text, where) {
        const one = jsonl ? parseLine(text, { schema, where, kind: 'text' }) : { id: where, text }
        const verdict = await judge(one, { io, inspect: scanner.inspect })
        failed ||= failing.includes(verdict)
      },
    })
  } finally {
    await scanner.close()
  }
  return failed ? FOUND : 0
}

function failingVerdicts({ values }: Given): readonly Verdict[] {
  const level = values['fail-on']
  if (level === undefined) return []
  if (Object.hasOwn(FAIL_ON, level)) return FAIL_ON[level] ?? []
  throw new WritError('USAGE.failOn', { level })
}

async function judge(
  { id, tool, text }: z.infer<typeof schema>,
  { io, inspect }: { io: Io; inspect: Inspect },
): Promise<Verdict> {
  const { verdict, findings } = await inspect(text, present({ tool }))
  io.stdout(`${JSON.stringify({ id, verdict, findings: findings.map(({ rule, at }) => ({ rule, at })) })}\n`)
  return verdict
}

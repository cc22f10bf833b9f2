import * as z from 'zod'
import { WritError } from '../../base/errors.ts'
import { inspect } from '../../tool/inspect/inspect.ts'
import type { Verdict } from '../../tool/inspect/score.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { eachText, parseLine } from '../lines.ts'
import { cliTexts } from '../texts.ts'

const schema = z.strictObject({
  id: z.union([z.string(), z.number()]),
  tool: z.string().optional(),
  text: z.string(),
})

/** The exit code of a scan that found what `--fail-on` names. */
const FOUND = 3
const FAIL_ON: Readonly<Record<string, readonly Verdict[]>> = {
  block: ['block'],
  review: ['review', 'block'],
}

/** With `--jsonl` every line is a text of its own; else every file is one. */
export async function scan(given: Given, io: Io): Promise<number> {
  const { lang } = io
  const hint = cliTexts(lang).scan.badHint
  const jsonl = given.switches.has('jsonl')
  const failing = failingVerdicts(given, io)
  let failed = false
  await eachText(given.words, io, {
    by: jsonl ? 'line' : 'file',
    work: (text, where) => {
      const verdict = judge(jsonl ? parseLine(text, { schema, where, hint, lang }) : { id: where, text }, io)
      failed ||= failing.includes(verdict)
    },
  })
  return failed ? FOUND : 0
}

function failingVerdicts({ values }: Given, io: Io): readonly Verdict[] {
  const level = values['fail-on']
  if (level === undefined) return []
  if (Object.hasOwn(FAIL_ON, level)) return FAIL_ON[level] ?? []
  const { scan: texts, usage } = cliTexts(io.lang)
  throw new WritError('USAGE', texts.failOnUnknown({ level }), { hint: usage.verbHelp({ verb: 'scan' }) })
}

function judge({ id, tool, text }: z.infer<typeof schema>, io: Io): Verdict {
  const { verdict, findings } = inspect(text, tool === undefined ? {} : { tool })
  io.stdout(`${JSON.stringify({ id, verdict, findings: findings.map(({ rule, at }) => ({ rule, at })) })}\n`)
  return verdict
}

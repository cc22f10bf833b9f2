import * as z from 'zod'
import { inspect } from '../../tool/inspect/inspect.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { eachText, parseLine } from '../lines.ts'
import { cliTexts } from '../texts.ts'

const schema = z.strictObject({
  id: z.union([z.string(), z.number()]),
  tool: z.string().optional(),
  text: z.string(),
})

/** With `--jsonl` every line is a text of its own; else every file is one. */
export async function scan(given: Given, io: Io): Promise<number> {
  const { lang } = io
  const hint = cliTexts(lang).scan.badHint
  const jsonl = given.switches.has('jsonl')
  await eachText(given.words, io, {
    by: jsonl ? 'line' : 'file',
    work: (text, where) => judge(jsonl ? parseLine(text, { schema, where, hint, lang }) : { id: where, text }, io),
  })
  return 0
}

function judge({ id, tool, text }: z.infer<typeof schema>, io: Io): void {
  const { verdict, findings } = inspect(text, tool === undefined ? {} : { tool })
  io.stdout(`${JSON.stringify({ id, verdict, findings: findings.map(({ rule, at }) => ({ rule, at })) })}\n`)
}

import * as z from 'zod'
import { WritError } from '../../base/errors.ts'
import { inspect } from '../../tool/inspect/inspect.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { linesOf } from '../lines.ts'
import { cliTexts } from '../texts.ts'

const line = z.strictObject({
  id: z.union([z.string(), z.number()]),
  tool: z.string().optional(),
  text: z.string(),
})

/** With `--jsonl` every line is a text of its own; else every file is one. */
export async function scan(given: Given, io: Io): Promise<number> {
  const files = given.words.length === 0 ? ['-'] : given.words
  for (const file of files) {
    if (given.switches.has('jsonl')) {
      let number = 0
      for await (const text of linesOf(file, io)) {
        number++
        if (text.trim() !== '') judge(parseLine(text, `${file}:${number}`, io), io)
      }
    } else {
      const lines: string[] = []
      for await (const text of linesOf(file, io)) lines.push(text)
      judge({ id: file, text: lines.join('\n') }, io)
    }
  }
  return 0
}

function judge({ id, tool, text }: z.infer<typeof line>, io: Io): void {
  const { verdict, findings } = inspect(text, tool === undefined ? {} : { tool })
  io.stdout(`${JSON.stringify({ id, verdict, findings: findings.map(({ rule, at }) => ({ rule, at })) })}\n`)
}

function parseLine(text: string, where: string, io: Io): z.infer<typeof line> {
  const { gate: texts } = cliTexts(io.lang)
  const hint = cliTexts(io.lang).scan.badHint
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    throw new WritError('LINE_INVALID', texts.notJson({ where }), { hint, cause })
  }
  const parsed = line.safeParse(raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') ?? ''
  throw new WritError('LINE_INVALID', texts.bad({ where, path: path === '' ? '.' : path, why: issue?.message ?? '' }), {
    hint,
  })
}

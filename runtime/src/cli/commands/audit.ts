import { WritError } from '../../errors/writ-error.ts'
import { breachText } from '../../i18n/breach.ts'
import { messages } from '../../i18n/locale.ts'
import { auditExport } from '../../journal/export.ts'
import { type Head, headLine } from '../../journal/heads.ts'
import { type Audit, audit } from '../../journal/verify.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { linesOf } from '../lines.ts'
import { recordsIn } from '../recorded.ts'
import { cliTexts } from '../texts.ts'

export async function auditVerify(given: Given, io: Io): Promise<number> {
  const { audit: texts } = cliTexts(io.lang)
  const [file] = given.words
  const report = async (found: Audit) => {
    const { breaches, ...counts } = found
    const [first] = breaches
    if (given.switches.has('json')) {
      io.stdout(`${JSON.stringify({ ok: first === undefined, ...counts, breaches })}\n`)
    } else if (first === undefined) {
      io.stdout(`${texts.clean(counts)}\n`)
      if (counts.kept > 0) io.stdout(`${texts.kept({ n: counts.kept })}\n`)
      if (counts.seals > 0) io.stdout(`${texts.head({ hash: counts.head })}\n`)
      io.stdout(`${counts.heads > 0 ? texts.heads({ n: counts.heads }) : texts.noHead}\n`)
    } else {
      io.stdout(`${texts.broken({ run: first.runId, seq: first.seq, why: breachText(first.fault, io.lang) })}\n`)
      if (breaches.length > 1) io.stdout(`${texts.more({ n: breaches.length - 1 })}\n`)
      io.stderr(`${messages(io.lang).cli.hint({ text: texts.hint })}\n`)
    }
    return first === undefined ? 0 : 1
  }
  const heads = await headsIn(given, io)
  if (file !== undefined) return report(await auditExport(recordsIn(file, io), heads))
  return withJournal(given, io, async (store) => report(await audit(store, heads)))
}

/** Heads kept outside the store. An empty file proves nothing, so it is an error. */
async function headsIn({ values }: Given, io: Io): Promise<Head[]> {
  const found: Head[] = []
  const add = (raw: unknown, where: string) => {
    const { success, data } = headLine.safeParse(raw)
    if (!success) throw new WritError('LINE_INVALID.head', { where })
    found.push(data as Head)
  }
  if (values.head !== undefined) add({ head: values.head.trim().toLowerCase() }, '--head')
  if (values.heads === undefined) return found
  let number = 0
  for await (const line of linesOf(values.heads, io)) {
    number++
    if (line.trim() !== '') add(parsed(line), `${values.heads}:${number}`)
  }
  if (found.length === 0) throw new WritError('LINE_INVALID.head', { where: values.heads })
  return found
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

import { messages } from '../../i18n/locale.ts'
import { auditExport } from '../../journal/export.ts'
import { type Audit, audit } from '../../journal/verify.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
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
      if (counts.seals > 0) io.stdout(`${texts.head({ hash: counts.head })}\n`)
    } else {
      io.stdout(`${texts.broken({ run: first.runId, seq: first.seq, why: first.why })}\n`)
      if (breaches.length > 1) io.stdout(`${texts.more({ n: breaches.length - 1 })}\n`)
      io.stderr(`${messages(io.lang).cli.hint({ text: texts.hint })}\n`)
    }
    return first === undefined ? 0 : 1
  }
  if (file !== undefined) return report(await auditExport(recordsIn(file, io)))
  return withJournal(given, io, async (store) => report(await audit(store)))
}

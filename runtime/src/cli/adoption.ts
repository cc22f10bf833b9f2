/** Asks once whether a data folder that came from elsewhere may be worked with, after showing what is in it. */
import { dataPlace, type Setting } from '../agent/setting.ts'
import { WritError } from '../base/errors.ts'
import { oneLine } from '../protocol/visible-text.ts'
import type { DataSummary } from '../storage/data-summary.ts'
import { dataTexts } from './data-texts.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { readFromTerminal } from './question.ts'
import { fit } from './visible.ts'

const SHOWN = 10
const WIDTH = 100

/** Where there is a person to ask; elsewhere the folder is refused when it is opened. */
export async function offerAdoption(setting: Setting, given: Given, io: Io): Promise<void> {
  const { data, loaded } = setting
  if (data === undefined || loaded.config.store === 'postgres' || !canAsk(given)) return
  const { inspectData, needsAdoption } = await import('../storage/acting.ts')
  const place = dataPlace(setting, data)
  if (!(await needsAdoption(place))) return
  const adoption = await inspectData(place)
  const texts = dataTexts(loaded.lang)
  io.stderr(`${texts.foreign({ folder: oneLine(adoption.folder) })}\n${summaryText(adoption.summary, io)}\n`)
  if (!(await saysYes(given, io))) {
    throw new WritError('DATA_NOT_ADOPTED', texts.refused({ folder: data }), { hint: texts.refusedHint })
  }
  await adoption.adopt()
}

export function canAsk({ switches }: Given): boolean {
  return !switches.has('no-input') && process.stdin.isTTY === true && process.stderr.isTTY === true
}

export async function saysYes({ signal }: Given, { lang }: Io): Promise<boolean> {
  return /^\s*y(?:es)?\s*$/i.test(await readFromTerminal(dataTexts(lang).ask, signal))
}

/** Words from the folder may drive a terminal, so none is shown as it is. */
export function summaryText(summary: DataSummary, { lang }: Io): string {
  const texts = dataTexts(lang)
  const { runs, openRuns, questions, approvals, routines, tokens, memories } = summary
  const lists: [string, string[]][] = [
    [texts.openRuns, openRuns.map(({ runId, task }) => `${runId}  ${task}`)],
    [texts.questions, questions.map(({ runId, tool }) => `${runId}  ${tool}`)],
    [texts.approvals, approvals],
    [texts.routines, routines.map(({ name, schedule, task }) => `${name}  ${schedule}  ${task}`)],
    [texts.tokens, tokens.map(({ name, scopes }) => `${name}  ${scopes}`)],
  ]
  const lines = [`  ${texts.runs}: ${runs}`]
  for (const [title, items] of lists) {
    lines.push(`  ${title}: ${items.length === 0 ? texts.none : items.length}`)
    lines.push(...items.slice(0, SHOWN).map((item) => `    ${fit(oneLine(item), WIDTH)}`))
    if (items.length > SHOWN) lines.push(`    ${texts.more({ n: items.length - SHOWN })}`)
  }
  return [...lines, `  ${texts.memories}: ${memories}`].join('\n')
}

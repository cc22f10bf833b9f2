/** Shows what is in a data folder from elsewhere and asks whether to use it. */
import { dataPlace, type WorkspaceContext } from '../agent/workspace-context.ts'
import { WritError } from '../errors/writ-error.ts'
import { oneLine } from '../protocol/visible-text.ts'
import type { DataSummary } from '../storage/data-summary.ts'
import { dataTexts } from './data-texts.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { readFromTerminal } from './question.ts'
import { fit } from './visible.ts'

const SHOWN = 10
const WIDTH = 100

/** Only at a terminal; without one, opening the folder fails. */
export async function offerAdoption(context: WorkspaceContext, given: Given, io: Io): Promise<void> {
  const { data, loaded } = context
  if (data === undefined || loaded.config.store === 'postgres' || !canAsk(given)) return
  const { inspectData, needsAdoption } = await import('../storage/acting.ts')
  const place = dataPlace(context, data)
  if (!(await needsAdoption(place))) return
  const adoption = await inspectData(place)
  const texts = dataTexts(loaded.lang)
  io.stderr(`${texts.foreign({ folder: oneLine(adoption.folder) })}\n${summaryText(adoption.summary, io)}\n`)
  if (!(await confirmAdoption(given, io))) throw new WritError('DATA_NOT_ADOPTED.declined', { folder: data })
  await adoption.adopt()
}

export function canAsk({ switches }: Given): boolean {
  return !switches.has('no-input') && process.stdin.isTTY === true && process.stderr.isTTY === true
}

export async function confirmAdoption({ signal }: Given, { lang }: Io): Promise<boolean> {
  return /^\s*y(?:es)?\s*$/i.test(await readFromTerminal(dataTexts(lang).ask, signal))
}

/** Text from the folder can contain terminal sequences, so all of it is escaped. */
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

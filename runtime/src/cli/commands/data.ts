/** `writ data adopt`: use a data folder from elsewhere, or from a version of Writ that did not bind folders. */
import { resolve } from 'node:path'
import { dataPlace, loadWorkspace } from '../../agent/workspace-context.ts'
import { WritError } from '../../errors/writ-error.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { inspectData } from '../../storage/acting.ts'
import { canAsk, confirmAdoption, summaryText } from '../adoption.ts'
import { dataTexts } from '../data-texts.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { workspaceFlags } from '../workspace-flags.ts'

export async function dataAdopt(given: Given, io: Io): Promise<number> {
  const { words, switches } = given
  const context = await loadWorkspace(workspaceFlags(given, io))
  const data = words[0] === undefined ? (context.data ?? '') : resolve(io.cwd, words[0])
  const adoption = await inspectData(dataPlace(context, data))
  const { folder, bound, summary } = adoption
  const texts = dataTexts(io.lang)
  const json = switches.has('json')
  const dryRun = switches.has('dry-run')
  if (!json) {
    const title = bound ? texts.own : texts.foreign
    io.stdout(`${title({ folder: oneLine(folder) })}\n${summaryText(summary, io)}\n`)
  }
  if (!bound && !dryRun) {
    const agreed = switches.has('yes') || (canAsk(given) && !json && (await confirmAdoption(given, io)))
    if (!agreed) throw new WritError('DATA_NOT_ADOPTED.declined', { folder })
    await adoption.adopt()
  }
  if (json) io.stdout(`${JSON.stringify({ folder, adopted: bound || !dryRun, summary })}\n`)
  else if (dryRun) io.stdout(`${texts.wouldAdopt}\n`)
  else if (!bound) io.stdout(`${texts.adopted({ folder: oneLine(folder) })}\n`)
  return 0
}

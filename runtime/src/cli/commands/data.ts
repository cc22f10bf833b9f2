/** `writ data adopt`: work with a data folder that was made elsewhere, or before Writ kept track of them. */
import { resolve } from 'node:path'
import { dataPlace, settingOf } from '../../agent/setting.ts'
import { WritError } from '../../base/errors.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { inspectData } from '../../storage/acting.ts'
import { canAsk, saysYes, summaryText } from '../adoption.ts'
import { dataTexts } from '../data-texts.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { settingFlags } from '../setting-flags.ts'

export async function dataAdopt(given: Given, io: Io): Promise<number> {
  const { words, switches } = given
  const setting = await settingOf(settingFlags(given, io))
  const data = words[0] === undefined ? (setting.data ?? '') : resolve(io.cwd, words[0])
  const adoption = await inspectData(dataPlace(setting, data))
  const { folder, bound, summary } = adoption
  const texts = dataTexts(io.lang)
  const json = switches.has('json')
  const dryRun = switches.has('dry-run')
  if (!json) {
    const title = bound ? texts.own : texts.foreign
    io.stdout(`${title({ folder: oneLine(folder) })}\n${summaryText(summary, io)}\n`)
  }
  if (!bound && !dryRun) {
    const agreed = switches.has('yes') || (canAsk(given) && !json && (await saysYes(given, io)))
    if (!agreed) {
      throw new WritError('DATA_NOT_ADOPTED', texts.refused({ folder }), { hint: texts.refusedHint })
    }
    await adoption.adopt()
  }
  if (json) io.stdout(`${JSON.stringify({ folder, adopted: bound || !dryRun, summary })}\n`)
  else if (dryRun) io.stdout(`${texts.wouldAdopt}\n`)
  else if (!bound) io.stdout(`${texts.adopted({ folder: oneLine(folder) })}\n`)
  return 0
}

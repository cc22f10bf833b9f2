/**
 * The cues of the heuristic, as data, English and Chinese side by side. A cue is a few word classes that must all occur
 * in one clause ("move" × "folder"), so sentences that are not listed are understood by their parts.
 *
 * Which intent wins when several match (S0-43): strong cues before weak ones, and within a tier
 *   1. an explicit "now use the browser"   → browser_access
 *   2. a memory directive                  → memory_ops
 *   3. browser → browser_access   4. code → code_edit   5. file → filesystem_ops   6. network → network_research
 * No match: general.
 *
 * By then `clauses.ts` has replaced every URL, path and quotation by one character, and folded the text to lower case and
 * simplified Chinese.
 */
import type { TaskIntentLabel } from '../protocol/intent.ts'
import { BROWSER_CUES } from './phrases/browser.ts'
import { CODE_CUES } from './phrases/code.ts'
import { FILES_CUES } from './phrases/files.ts'
import { MEMORY_CUES } from './phrases/memory.ts'
import { NETWORK_CUES } from './phrases/network.ts'
import type { Cue } from './phrases/words.ts'

/** In the order of precedence. */
export const CUES: Readonly<Record<Exclude<TaskIntentLabel, 'general'>, readonly Cue[]>> = {
  memory_ops: MEMORY_CUES,
  browser_access: BROWSER_CUES,
  code_edit: CODE_CUES,
  filesystem_ops: FILES_CUES,
  network_research: NETWORK_CUES,
}

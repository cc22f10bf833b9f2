/** Ends a scout's run. The report is only received here; the runner checks and grounds it. */
import type { Lang } from '../i18n/locale.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { FINDINGS_SCHEMA } from './contracts.ts'
import { scoutTexts } from './texts.ts'

export function reportTool(lang: Lang): Tool {
  return defineTool({
    name: 'report_findings',
    description: 'Report what you found and end your work. Quotes must be word for word from what read_doc returned.',
    schema: FINDINGS_SCHEMA,
    family: 'task',
    risk: 'Low',
    trust: 'internal',
    readOnly: true,
    execute: () => scoutTexts(lang).reported,
  })
}

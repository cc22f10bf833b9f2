/** The system prompt, section by section in S1's order. Empty sections are left out. */

import type { Lang } from '../i18n/locale.ts'
import { messages as texts } from '../i18n/locale.ts'
import type { Autonomy } from '../protocol/policy.ts'
import type { Tool } from '../tool/tool.ts'

export interface PromptParts {
  lang: Lang
  autonomy: Autonomy
  tools: readonly Tool[]
  workspace: string
  now: number
}

export function systemPrompt({ lang, autonomy, tools, workspace, now }: PromptParts): string {
  const { prompt } = texts(lang)
  const toolList = tools.map(
    ({ name, description, schema }) => `- ${name}: ${description}\n  ${JSON.stringify(schema)}`,
  )
  const sections: [string, string, string][] = [
    ['1', prompt.headings.identity, prompt.identity],
    ['2', prompt.headings.tools, toolList.join('\n')],
    ['3', prompt.headings.safety, `${prompt.autonomy[autonomy]}\n${prompt.safety}`],
    ['5', prompt.headings.environment, prompt.environment({ workspace, now: new Date(now).toISOString() })],
    ['6', prompt.headings.principles, prompt.principles],
  ]
  return sections
    .filter(([, , body]) => body !== '')
    .map(([number, heading, body]) => `[${number}] ${heading}\n${body}`)
    .join('\n\n')
}

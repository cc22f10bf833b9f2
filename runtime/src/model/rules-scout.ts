/** The built-in rules as a scout: search, read, report the passage. */
import { isObject } from '../base/json.ts'
import type { Lang } from '../i18n/locale.ts'
import { isTrouble, type Result } from './rules-answer.ts'
import { REPLIES, SUBJECTS } from './rules-phrases.ts'
import type { Step } from './rules-plan.ts'

const MOST_CALLS = 3
const QUOTE_MAX = 400
/** A picture alone, a comment, or the note of a program that wrote the page. */
const SAYS_NOTHING = /^(?:!\[[^\]]*\]\([^()]*\)\s*)+$|^<!--[\s\S]*-->$|\bdo not edit\b/i
const LINK_TARGET = /\]\([^()]*\)/g

/** The next call, or undefined when done. */
export function scoutStep(task: string, results: readonly Result[], lang: Lang): Step | undefined {
  const subject = subjectOf(task)
  if (results.some(({ step }) => step.want === 'report')) return undefined
  const read = results.findLast(({ step, content }) => step.want === 'read-doc' && !isTrouble(content))
  if (read) return reportStep(subject, read, lang)
  if (results.length >= MOST_CALLS) return undefined
  const tried = new Set(results.map(({ step }) => step.about))
  const ids = [
    ...idsIn(subject),
    ...results.flatMap(({ step, content }) => (step.want === 'search-docs' ? idsIn(content) : [])),
  ]
  const id = ids.find((candidate) => !tried.has(candidate))
  if (id !== undefined) return { want: 'read-doc', tool: 'read_doc', args: { id }, about: id }
  if (results.some(({ step }) => step.want === 'search-docs')) return undefined
  return { want: 'search-docs', tool: 'search_docs', args: { query: subject, limit: 3 }, about: subject }
}

export function subjectOf(task: string): string {
  const line = task.trim().split('\n')[0] ?? ''
  const found = SUBJECTS.map((pattern) => pattern.exec(line)?.groups?.subject).find((subject) => subject !== undefined)
  return (found ?? line).trim()
}

function reportStep(subject: string, { step, content }: Result, lang: Lang): Step {
  const quote = passageAbout(subject, textOf(content))
  const reporting = (args: Record<string, unknown>): Step => ({
    want: 'report',
    tool: 'report_findings',
    args,
    about: subject,
  })
  if (quote === '') {
    return reporting({ found: false, summary: `${step.about}: ${REPLIES[lang].empty}`, evidence: [], confidence: 0 })
  }
  const evidence = [{ source: step.about, quote, note: REPLIES[lang].scoutNote(subject).slice(0, 300) }]
  const confidence = mentions(quote, subject) > 0 ? 0.6 : 0.3
  return reporting({ summary: `${subject}: ${quote}`, evidence, confidence })
}

// The paragraph with the most words of the subject; the first one when none has any.
function passageAbout(subject: string, content: string): string {
  const all = content.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  const bodies = all.filter((paragraph) => !/^#+ [^\n]*$/.test(paragraph) && !SAYS_NOTHING.test(paragraph))
  const paragraphs = bodies.some((paragraph) => paragraph !== '') ? bodies : all
  let best = paragraphs.find((paragraph) => paragraph !== '') ?? ''
  let most = 0
  for (const paragraph of paragraphs) {
    const count = mentions(paragraph, subject)
    if (count > most) [best, most] = [paragraph, count]
  }
  return [...best.slice(0, 2 * QUOTE_MAX)].slice(0, QUOTE_MAX).join('').toWellFormed()
}

/** The text of the document, when the result has the expected form. */
function textOf(content: string): string {
  try {
    const value: unknown = JSON.parse(content)
    return isObject(value) && typeof value.text === 'string' ? value.text : content
  } catch {
    return content
  }
}

function mentions(text: string, subject: string): number {
  const lower = text.replace(LINK_TARGET, ']').toLowerCase()
  const words = subject.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => lower.includes(word)).length
}

/** Document ids in a result: the `id` fields of its JSON, else everything that looks like a file. */
function idsIn(text: string): string[] {
  try {
    const found: string[] = []
    JSON.parse(text, (_, value: unknown) => {
      if (isObject(value) && typeof value.id === 'string') found.push(value.id)
      return value
    })
    if (found.length > 0) return found
  } catch {}
  return text.match(/[\p{L}\p{N}_./-]+\.(?:md|mdx|txt|rst|adoc|html?|json|ya?ml)\b/giu) ?? []
}

/** Why a document is rejected. Apart from reading it: programs that catch the error need not load the reader. */
import type { Bilingual, Lang } from '../base/lang.ts'
import { WritError } from '../errors/writ-error.ts'
import type { DocumentPath } from './variables.ts'

/** What is wrong with a document, and where. */
export interface Problem {
  place: DocumentPath
  message: Bilingual
  /** Its place in the source text, both counted from 1. */
  line?: number
  column?: number
}

/**
 * A document that was rejected before it ran.
 *
 * @example
 * ```ts
 * import { parseWorkflow, WorkflowInvalid } from 'writ'
 *
 * try {
 *   await parseWorkflow('name: w\nnodes: [{ id: a, tol: file_read }]', { origin: 'w.yaml' })
 * } catch (error) {
 *   if (!(error instanceof WorkflowInvalid)) throw error
 *   console.log(error.problems[0]?.line) // 2
 * }
 * ```
 */
export class WorkflowInvalid extends WritError<'WORKFLOW_INVALID'> {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[], { origin }: { origin: string }) {
    const linesIn = (lang: Lang) => problems.map((problem) => problemLine(problem, lang))
    super('WORKFLOW_INVALID', { origin, problems: { en: linesIn('en'), zh: linesIn('zh') } })
    this.problems = problems
  }
}

export function problemLine({ place, message, line, column }: Problem, lang: Lang): string {
  const at = line === undefined ? '' : `${line}:${column}`
  return [at, place, message[lang]].filter((part) => part !== '').join(': ')
}

import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../base/json.ts'
import type { Lang } from '../../i18n/locale.ts'
import { problemsIn } from '../../workflow/check.ts'
import type { Workflow } from '../../workflow/document.ts'
import { surroundingsOf } from '../../workflow/engine.ts'
import { checkedWorkflow, type Problem, WorkflowInvalid } from '../../workflow/read.ts'
import type { WorkflowResult as RunEnd, WorkflowGrants } from '../../workflow/run.ts'
import type { WorkflowResult, WorkflowRow } from '../contract/work.ts'
import { type Bound, on } from '../endpoint.ts'
import { workflowEnd } from '../ends.ts'
import { Refusal } from '../failure.ts'
import { fresh } from '../jobs.ts'
import type { Setup } from '../setup.ts'
import { turnStream } from '../turns.ts'

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/

export function workflowRoutes(setup: Setup): Bound[] {
  const { desk, jobs, access, workflows: folder } = setup

  const grants = (): WorkflowGrants => {
    const { tools, workflow } = desk.agent.config.config
    return { disabledTools: tools.disabled, envNames: workflow.env }
  }
  function problemsOf(document: unknown, lang: Lang): readonly Problem[] {
    try {
      const workflow = checkedWorkflow(document, { origin: 'document', lang })
      return problemsIn(workflow, surroundingsOf({ ...desk.agent.engine, lang }, grants(), undefined))
    } catch (error) {
      if (error instanceof WorkflowInvalid) return error.problems
      throw error
    }
  }
  function fileOf(name: string): string {
    if (!NAME.test(name)) throw new Refusal(400, 'WORKFLOW_NAME', { message: (t) => t.workflowName, field: 'name' })
    return join(folder, `${name}.json`)
  }
  async function read(name: string): Promise<{ document: JsonObject; row: WorkflowRow }> {
    const file = fileOf(name)
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new Refusal(404, 'WORKFLOW_UNKNOWN', { message: (t) => t.workflowUnknown({ name }) })
    })
    const document = JSON.parse(text) as Workflow
    const { mtimeMs } = await stat(file)
    const { description, nodes } = document
    const about = description === undefined ? {} : { description }
    const row = { name, ...about, nodes: nodes.length, updatedAt: Math.round(mtimeMs) }
    return { document: document as unknown as JsonObject, row }
  }
  return [
    on('GET /api/workflows', async () => {
      const files = await readdir(folder).catch(() => [])
      const names = files.flatMap((file) =>
        file.endsWith('.json') && NAME.test(file.slice(0, -5)) ? [file.slice(0, -5)] : [],
      )
      return { workflows: await Promise.all(names.sort().map(async (name) => (await read(name)).row)) }
    }),
    on('GET /api/workflows/:name', async ({ params: { name }, who }) => {
      const { document } = await read(name)
      // Whoever writes them must get back what was written; for others, an address with a key in it stays masked.
      return { document: who.scopes.has('admin') ? document : desk.agent.engine.redact(document) }
    }),
    on('PUT /api/workflows/:name', async ({ params: { name }, body: { document }, lang }) => {
      const file = fileOf(name)
      const problems = problemsOf(document, lang).map(({ place, message }) => ({ path: place, message }))
      if (problems.length > 0) throw new Refusal(422, 'WORKFLOW_INVALID', { message: (t) => t.workflowWrong, problems })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${file}.new`, `${JSON.stringify(document, undefined, 2)}\n`, { mode: 0o600 })
      await rename(`${file}.new`, file)
      return (await read(name)).row
    }),
    on('DELETE /api/workflows/:name', async ({ params: { name } }) => {
      await read(name)
      await rm(fileOf(name))
      return { ok: true }
    }),
    on('POST /api/workflows/check', ({ body: { document }, lang }) => {
      const problems = problemsOf(document, lang)
      return { ok: problems.length === 0, problems: [...problems] }
    }),
    on('POST /api/workflows/:name/run', async (asked) => {
      const { document } = await read(asked.params.name)
      const sessionId = desk.agent.engine.newId('ses')
      await access.claim(sessionId, asked.who)
      const input = asked.body.input as JsonObject
      const runId = desk.agent.engine.newId('run')
      const job = { kind: 'workflow', sessionId, runId, document, input, lang: asked.lang } as const
      const work = fresh(await jobs.submit(job, workflowEnd))
      asked.c.set('sessionId', sessionId)
      if (!asked.wantsStream) return workflowView(await work.result)
      return turnStream(setup, work, { after: 0, c: asked.c, view: async (result) => workflowView(result) })
    }),
  ]
}

export function workflowView({ nodes, sessionId: _, ...end }: RunEnd): WorkflowResult {
  const ends = Object.entries(nodes).map(([id, { state, elapsedMs, error }]) => [
    id,
    { state, elapsedMs, ...(error === undefined ? {} : { error: `${error.code}: ${error.message}` }) },
  ])
  return { ...end, nodes: Object.fromEntries(ends) }
}

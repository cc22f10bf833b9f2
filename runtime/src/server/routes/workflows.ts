import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { writePrivately } from '../../base/private-file.ts'
import { configHome } from '../../config/places.ts'
import { keepTrust, trustFile } from '../../config/trust.ts'
import type { Lang } from '../../i18n/locale.ts'
import { totalOf } from '../../journal/totals.ts'
import type { Workflow } from '../../workflow/document.ts'
import { surroundingsOf } from '../../workflow/engine.ts'
import { examine } from '../../workflow/examine.ts'
import { type Problem, parseWorkflow, WorkflowInvalid } from '../../workflow/read.ts'
import type { WorkflowResult as RunEnd, WorkflowGrants } from '../../workflow/run.ts'
import type { WorkflowResult, WorkflowRow } from '../contract/work.ts'
import { type Bound, on } from '../endpoint.ts'
import { workflowEnd } from '../ends.ts'
import { Refusal } from '../failure.ts'
import { fresh } from '../jobs.ts'
import type { Setup } from '../setup.ts'
import { pricesOf, turnStream } from '../turns.ts'

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/

export function workflowRoutes(setup: Setup): Bound[] {
  const { desk, jobs, access, log, workflows: folder } = setup
  /** The user's own change of a workflow does not end the trust in the workspace. */
  const stayTrusted = async (file: string): Promise<void> => {
    const { env, workspace } = desk.agent.engine.world
    if (desk.agent.config.trust === 'untrusted') return
    await keepTrust(trustFile(configHome(env, homedir())), workspace, relative(workspace, file))
  }

  const grants = (): WorkflowGrants => {
    const { tools, workflow } = desk.agent.config.config
    return { disabledTools: tools.disabled, envNames: workflow.env }
  }
  function problemsOf(document: unknown, lang: Lang): readonly Problem[] {
    return examine(document, surroundingsOf({ ...desk.agent.engine, lang }, grants(), undefined)).problems
  }
  function fileOf(name: string): string {
    if (!NAME.test(name))
      throw new Refusal(400, 'WORKFLOW_NAME', {
        message: (t) => t.workflowName,
        hint: (t) => t.formHint,
        field: 'name',
      })
    return join(folder, `${name}.json`)
  }
  function refuseMissing(name: string): (error: NodeJS.ErrnoException) => never {
    return (error) => {
      if (error.code !== 'ENOENT') throw error
      throw new Refusal(404, 'WORKFLOW_UNKNOWN', {
        message: (t) => t.workflowUnknown({ name }),
        hint: (t) => t.listWorkflowsHint,
      })
    }
  }
  async function read(name: string, lang: Lang): Promise<{ document: JsonObject; row: WorkflowRow }> {
    const file = fileOf(name)
    const text = await readFile(file, 'utf8').catch(refuseMissing(name))
    const origin = `${name}.json`
    const document = outlineIn(text) ?? (await parseWorkflow(text, { origin, lang }).catch(refuseInvalid))
    const { mtimeMs } = await stat(file)
    const { description, nodes } = document
    const about = description === undefined ? {} : { description }
    const row = { name, ...about, nodes: nodes.length, updatedAt: Math.round(mtimeMs) }
    return { document: document as unknown as JsonObject, row }
  }
  function refuseInvalid(error: unknown): never {
    if (!(error instanceof WorkflowInvalid)) throw error
    // They may quote the file, and not everybody who reads workflows may read the keys in them.
    const { message, problems } = desk.agent.engine.redact({
      message: error.message,
      problems: pathsOf(error.problems),
    })
    throw new Refusal(422, error.code, { message: () => message, hint: (t) => t.workflowWrongHint, problems })
  }
  /** One bad file must not hide the others. */
  async function rowOf(name: string): Promise<WorkflowRow[]> {
    try {
      return [(await read(name, setup.lang)).row]
    } catch (error) {
      log('warn', 'workflow.unreadable', { name, error: messageOf(error) })
      return []
    }
  }
  return [
    on('GET /api/workflows', async () => {
      const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        return []
      })
      const names = files.flatMap((file) =>
        file.endsWith('.json') && NAME.test(file.slice(0, -5)) ? [file.slice(0, -5)] : [],
      )
      return { workflows: (await Promise.all(names.sort().map(rowOf))).flat() }
    }),
    on('GET /api/workflows/:name', async ({ params: { name }, who, lang }) => {
      const { document } = await read(name, lang)
      // Whoever writes them must get back what was written; for others, an address with a key in it stays masked.
      return { document: who.scopes.has('admin') ? document : desk.agent.engine.redact(document) }
    }),
    on('PUT /api/workflows/:name', async ({ params: { name }, body: { document }, lang }) => {
      const file = fileOf(name)
      const problems = pathsOf(problemsOf(document, lang))
      if (problems.length > 0)
        throw new Refusal(422, 'WORKFLOW_INVALID', {
          message: (t) => t.workflowWrong,
          hint: (t) => t.workflowWrongHint,
          problems,
        })
      await writePrivately(file, `${JSON.stringify(document, undefined, 2)}\n`)
      await stayTrusted(file)
      return (await read(name, lang)).row
    }),
    on('DELETE /api/workflows/:name', async ({ params: { name } }) => {
      await rm(fileOf(name)).catch(refuseMissing(name))
      await stayTrusted(fileOf(name))
      return { ok: true }
    }),
    on('POST /api/workflows/check', ({ body: { document }, lang }) => {
      const problems = problemsOf(document, lang)
      return { ok: problems.length === 0, problems: [...problems] }
    }),
    on('POST /api/workflows/:name/run', async (asked) => {
      const { document } = await read(asked.params.name, asked.lang)
      const sessionId = desk.agent.engine.newId('ses')
      await access.claim(sessionId, asked.who)
      const input = asked.body.input as JsonObject
      const runId = desk.agent.engine.newId('run')
      const { principal } = asked.who
      const job = { kind: 'workflow', principal, sessionId, runId, document, input, lang: asked.lang } as const
      const work = fresh(await jobs.submit(job, workflowEnd))
      asked.c.set('sessionId', sessionId)
      if (!asked.wantsStream) return workflowView(setup, await work.result)
      return turnStream(setup, work, { after: 0, c: asked.c, view: (result) => workflowView(setup, result) })
    }),
  ]
}

function pathsOf(problems: readonly Problem[]): { path: string; message: string }[] {
  return problems.map(({ place, message }) => ({ path: place, message }))
}

/** The document as it was written, if it has at least what a list shows of one. */
function outlineIn(text: string): Pick<Workflow, 'description' | 'nodes'> | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(document) || !Array.isArray(document.nodes)) return undefined
  return ['string', 'undefined'].includes(typeof document.description) ? (document as unknown as Workflow) : undefined
}

export async function workflowView(setup: Setup, { nodes, sessionId: _, ...end }: RunEnd): Promise<WorkflowResult> {
  const ends = Object.entries(nodes).map(([id, { state, elapsedMs, error }]) => [
    id,
    { state, elapsedMs, ...(error === undefined ? {} : { error: `${error.code}: ${error.message}` }) },
  ])
  const total = await totalOf(setup.store, end.runId, pricesOf(setup))
  return { ...end, nodes: Object.fromEntries(ends), total }
}

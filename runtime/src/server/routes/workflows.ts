import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { present } from '../../base/present.ts'
import { writePrivately } from '../../base/private-file.ts'
import { configHome } from '../../config/places.ts'
import { keepTrust, trustFile } from '../../config/trust.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Lang } from '../../i18n/locale.ts'
import { totalOf } from '../../journal/totals.ts'
import type { Workflow } from '../../workflow/document.ts'
import { examine } from '../../workflow/examine.ts'
import { type Problem, WorkflowInvalid } from '../../workflow/invalid.ts'
import { parseWorkflow } from '../../workflow/read.ts'
import type { WorkflowResult as RunEnd, WorkflowGrants } from '../../workflow/run.ts'
import { checkDepsOf } from '../../workflow/start.ts'
import type { WorkflowResult, WorkflowRow } from '../contract/work.ts'
import { type Bound, on } from '../endpoint.ts'
import { Refusal } from '../failure.ts'
import { assertNew } from '../jobs.ts'
import { workflowEnd } from '../run-results.ts'
import type { ServerDeps } from '../server-deps.ts'
import { pricesOf, turnStream } from '../turns.ts'

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/

export function workflowRoutes(deps: ServerDeps): Bound[] {
  const { current, jobs, access, workflows: folder } = deps
  /** Saving a workflow here must not end the trust in the workspace. */
  const stayTrusted = async (file: string): Promise<void> => {
    const { env, workspace } = current.agent.engine.world
    if (current.agent.config.trust === 'untrusted') return
    await keepTrust(trustFile(configHome(env, homedir())), workspace, relative(workspace, file))
  }

  const grants = (): WorkflowGrants => {
    const { tools, workflow } = current.agent.config.config
    return { disabledTools: tools.disabled, envNames: workflow.env }
  }
  function problemsOf(document: unknown): readonly Problem[] {
    return examine(document, checkDepsOf(current.agent.engine, grants(), undefined)).problems
  }
  const { fileOf, refuseMissing, read, rowOf } = workflowFiles(deps)
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
      // Callers who may edit the document get it unchanged; for others, secrets are masked.
      return { document: who.scopes.has('admin') ? document : current.agent.engine.redact(document) }
    }),
    on('PUT /api/workflows/:name', async ({ params: { name }, body: { document }, lang }) => {
      const file = fileOf(name)
      const problems = pathsOf(problemsOf(document), lang)
      if (problems.length > 0) throw new Refusal('WORKFLOW_INVALID.rejected', undefined, { problems })
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
      const problems = problemsOf(document).map((problem) => ({ ...problem, message: problem.message[lang] }))
      return { ok: problems.length === 0, problems }
    }),
    on('POST /api/workflows/:name/run', async (request) => {
      const { document } = await read(request.params.name, request.lang)
      const sessionId = current.agent.engine.newId('ses')
      await access.claim(sessionId, request.who)
      const input = request.body.input as JsonObject
      const runId = current.agent.engine.newId('run')
      const { principal } = request.who
      const job = { kind: 'workflow', principal, sessionId, runId, document, input, lang: request.lang } as const
      const work = assertNew(await jobs.submit(job, workflowEnd))
      request.c.set('sessionId', sessionId)
      if (!request.wantsStream) return workflowView(deps, await work.result)
      return turnStream(deps, work, { after: 0, c: request.c, view: (result) => workflowView(deps, result) })
    }),
  ]
}

/** Reads the stored workflows. */
function workflowFiles({ current, log, lang: ownLang, workflows: folder }: ServerDeps) {
  function fileOf(name: string): string {
    if (!NAME.test(name)) throw new Refusal('WORKFLOW_NAME', undefined, { field: 'name' })
    return join(folder, `${name}.json`)
  }
  function refuseMissing(name: string): (error: NodeJS.ErrnoException) => never {
    return (error) => {
      if (error.code !== 'ENOENT') throw error
      throw new WritError('WORKFLOW_UNKNOWN', { name })
    }
  }
  async function read(name: string, lang: Lang): Promise<{ document: JsonObject; row: WorkflowRow }> {
    const file = fileOf(name)
    const text = await readFile(file, 'utf8').catch(refuseMissing(name))
    const origin = `${name}.json`
    const document = outlineIn(text) ?? (await parseWorkflow(text, { origin }).catch(refuseInvalid(name, lang)))
    const { mtimeMs } = await stat(file)
    const { description, nodes } = document
    const row = { name, ...present({ description }), nodes: nodes.length, updatedAt: Math.round(mtimeMs) }
    return { document: document as unknown as JsonObject, row }
  }
  function refuseInvalid(name: string, lang: Lang): (error: unknown) => never {
    return (error) => {
      if (!(error instanceof WorkflowInvalid)) throw error
      // They may quote the file, and the caller may not be allowed to see the secrets in it.
      const problems = current.agent.engine.redact(pathsOf(error.problems, lang))
      throw new Refusal('WORKFLOW_INVALID.stored', { name }, { problems })
    }
  }
  /** An unreadable file must not hide the others. */
  async function rowOf(name: string): Promise<WorkflowRow[]> {
    try {
      return [(await read(name, ownLang)).row]
    } catch (error) {
      log('warn', 'workflow.unreadable', { name, error: messageOf(error) })
      return []
    }
  }
  return { fileOf, refuseMissing, read, rowOf }
}

function pathsOf(problems: readonly Problem[], lang: Lang): { path: string; message: string }[] {
  return problems.map(({ place, message }) => ({ path: place, message: message[lang] }))
}

/** The document as written, if it has at least the fields a list shows. */
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

export async function workflowView(deps: ServerDeps, { nodes, sessionId: _, ...end }: RunEnd): Promise<WorkflowResult> {
  const ends = Object.entries(nodes).map(([id, { state, elapsedMs, error }]) => [
    id,
    { state, elapsedMs, ...present({ error: error && `${error.code}: ${error.message}` }) },
  ])
  const total = await totalOf(deps.store, end.runId, pricesOf(deps))
  return { ...end, nodes: Object.fromEntries(ends), total }
}

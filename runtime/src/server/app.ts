/** The HTTP application: middleware, endpoints, documentation, console. */
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Lang } from '../base/lang.ts'
import { WritError } from '../errors/writ-error.ts'
import { type Issue, issueText } from '../i18n/form.ts'
import { preferredLang } from './accept-language.ts'
import { addressOf, checkNames, requireScope, securityHeaders } from './auth.ts'
import { mount } from './endpoint.ts'
import { answerFailure, isFault, Refusal } from './failure.ts'
import { openLimits } from './limits.ts'
import { openaiRoutes } from './openai.ts'
import { openApi } from './openapi.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { configRoutes } from './routes/config.ts'
import { decisionRoutes } from './routes/decisions.ts'
import { memoryRoutes } from './routes/memory.ts'
import { policyRoutes } from './routes/policy.ts'
import { routineRoutes } from './routes/routines.ts'
import { ruleRoutes } from './routes/rules.ts'
import { runRoutes } from './routes/runs.ts'
import { scoutRoutes } from './routes/scouts.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { systemRoutes } from './routes/system.ts'
import { workflowRoutes } from './routes/workflows.ts'
import type { ServerDeps } from './server-deps.ts'
import { consoleFile, docsFile } from './static.ts'
import { serverTexts } from './texts.ts'

const MAX_BODY = 1024 * 1024
/** With attachments, as base64. */
const MAX_BODY_WITH_FILES = 21 * 1024 * 1024
const TAKES_FILES = /^\/(?:api\/sessions\/[^/]+\/messages|v1\/chat\/completions)$/

export interface AppOptions {
  /** Accepted server names besides the loopback ones. */
  allowedHosts: readonly string[]
  consoleFolder: string
  docsFolder: string
}

export function createApp(deps: ServerDeps, { allowedHosts, consoleFolder, docsFolder }: AppOptions): OpenAPIHono {
  const { lang, log, keyring, liveRuns } = deps
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (result.success) return
      const [issue] = result.error.issues
      const field = issue?.path.map(String).join('.') ?? ''
      const where = field || result.target
      const why = { en: reason(issue, 'en'), zh: reason(issue, 'zh') }
      throw new Refusal('INVALID_REQUEST', { where, why }, { field: field || undefined })
    },
  })
  app.use(async (c, next) => {
    const began = performance.now()
    c.set('lang', preferredLang(c.req.header('accept-language'), lang))
    await next()
    const { method, path } = c.req
    const ms = Math.round(performance.now() - began)
    const [runId, sessionId, token] = [c.get('runId'), c.get('sessionId'), c.get('who')?.name]
    const quiet = path === '/healthz' || path === '/readyz' || path === '/metrics'
    log(quiet ? 'debug' : 'info', 'request', { method, path, status: c.res.status, ms, token, sessionId, runId })
  })
  app.use(securityHeaders)
  app.use(checkNames(allowedHosts))
  app.use(async (c, next) => {
    if (!liveRuns.draining || c.req.path === '/healthz' || c.req.path === '/readyz') return next()
    c.header('Connection', 'close')
    throw new Refusal('DRAINING', undefined, { retryAfterS: 5 })
  })
  const [small, large] = [MAX_BODY, MAX_BODY_WITH_FILES].map((maxSize) =>
    bodyLimit({
      maxSize,
      onError: () => {
        throw new WritError('TOO_LARGE', { max: maxSize })
      },
    }),
  ) as [MiddlewareHandler, MiddlewareHandler]
  // A body of unknown length is read before the token is checked, so it stays small.
  const isSized = (c: Context) => c.req.header('content-length') !== undefined && !c.req.header('transfer-encoding')
  app.use((c, next) => (TAKES_FILES.test(c.req.path) && isSized(c) ? large : small)(c, next))

  const demand = requireScope({ keyring, limits: openLimits(systemClock), log }, new Set())
  const bound = [
    ...systemRoutes(deps),
    ...sessionRoutes(deps),
    ...approvalRoutes(deps),
    ...ruleRoutes(deps),
    ...policyRoutes(deps),
    ...configRoutes(deps),
    ...runRoutes(deps),
    ...workflowRoutes(deps),
    ...routineRoutes(deps),
    ...memoryRoutes(deps),
    ...scoutRoutes(deps),
    ...decisionRoutes(deps),
    ...openaiRoutes(deps),
  ]
  for (const each of bound) mount(app, each, demand)
  openApi(app, deps.version)

  app.get('/docs', (c) => c.redirect(c.get('lang') === 'zh' ? '/docs/zh/' : '/docs/'))
  app.get('/docs/zh', (c) => c.redirect('/docs/zh/'))
  app.get('/docs/*', async (c, next) => {
    const path = c.req.path.slice('/docs'.length)
    return (await docsFile(docsFolder, path, c.req.header('accept-encoding'))) ?? next()
  })
  app.get('*', async (c, next) => {
    if (/^\/(?:api|v1|docs)(?:\/|$)/.test(c.req.path)) return next()
    return (
      (await consoleFile(consoleFolder, c.req.path, c.req.header('accept-encoding'))) ??
      (c.req.path === '/' ? c.text(serverTexts(c.get('lang')).noConsole) : next())
    )
  })
  app.notFound((c) => answerFailure(c, new WritError('NOT_FOUND')))
  app.onError((error, c) => {
    if (isFault(error))
      log('error', 'internal', { path: c.req.path, address: addressOf(c), error: messageOf(error), stack: error.stack })
    return answerFailure(c, error)
  })
  return app
}

function reason(issue: object | undefined, lang: Lang): string {
  return issue === undefined ? '' : issueText({ ...issue } as Issue, lang)
}

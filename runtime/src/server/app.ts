/** The server as one function from request to answer. */
import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { issueText } from '../i18n/form.ts'
import { addressOf, checkNames, demandScope, securityHeaders } from './auth.ts'
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
import { runRoutes } from './routes/runs.ts'
import { scoutRoutes } from './routes/scouts.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { systemRoutes } from './routes/system.ts'
import { workflowRoutes } from './routes/workflows.ts'
import type { Setup } from './setup.ts'
import { langAsked } from './speech.ts'
import { consoleFile } from './static.ts'
import { serverTexts } from './texts.ts'

const MAX_BODY = 1024 * 1024

export interface AppOptions {
  /** Names it answers under, beside those of this machine. */
  allowedHosts: readonly string[]
  /** Where the built console is. */
  consoleFolder: string
}

export function createApp(setup: Setup, { allowedHosts, consoleFolder }: AppOptions): OpenAPIHono {
  const { lang, log, keyring, hub } = setup
  const app = new OpenAPIHono({
    defaultHook: (result, c) => {
      if (result.success) return
      const [issue] = result.error.issues
      const field = issue?.path.map(String).join('.') ?? ''
      const where = field || result.target
      const why = issue === undefined ? '' : issueText({ ...issue }, c.get('lang'))
      throw new Refusal(400, 'INVALID_REQUEST', {
        message: (t) => t.invalid({ where, why }),
        hint: (t) => t.formHint,
        ...(field === '' ? {} : { field }),
      })
    },
  })
  app.use(async (c, next) => {
    const began = performance.now()
    c.set('lang', langAsked(c.req.header('accept-language'), lang))
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
    if (!hub.draining || c.req.path === '/healthz' || c.req.path === '/readyz') return next()
    c.header('Connection', 'close')
    throw new Refusal(503, 'DRAINING', { message: (t) => t.draining, hint: (t) => t.drainingHint, retryAfterS: 5 })
  })
  app.use(
    bodyLimit({
      maxSize: MAX_BODY,
      onError: () => {
        throw new Refusal(413, 'TOO_LARGE', {
          message: (t) => t.tooLarge({ max: MAX_BODY }),
          hint: (t) => t.tooLargeHint,
        })
      },
    }),
  )

  const demand = demandScope({ keyring, limits: openLimits(systemClock), log }, new Set())
  const bound = [
    ...systemRoutes(setup),
    ...sessionRoutes(setup),
    ...approvalRoutes(setup),
    ...policyRoutes(setup),
    ...configRoutes(setup),
    ...runRoutes(setup),
    ...workflowRoutes(setup),
    ...routineRoutes(setup),
    ...memoryRoutes(setup),
    ...scoutRoutes(setup),
    ...decisionRoutes(setup),
    ...openaiRoutes(setup),
  ]
  for (const each of bound) mount(app, each, demand)
  openApi(app, setup.version)

  app.get('*', async (c, next) => {
    if (/^\/(?:api|v1)(?:\/|$)/.test(c.req.path)) return next()
    return (
      (await consoleFile(consoleFolder, c.req.path)) ??
      (c.req.path === '/' ? c.text(serverTexts(c.get('lang')).noConsole) : next())
    )
  })
  app.notFound((c) =>
    answerFailure(c, new Refusal(404, 'NOT_FOUND', { message: (t) => t.notFound, hint: (t) => t.notFoundHint })),
  )
  app.onError((error, c) => {
    if (isFault(error))
      log('error', 'internal', { path: c.req.path, address: addressOf(c), error: messageOf(error), stack: error.stack })
    return answerFailure(c, error)
  })
  return app
}

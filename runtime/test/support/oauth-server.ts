/** An MCP server with an authorization server of its own, on loopback: OAuth 2.1 as the protocol asks for it. */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'

export interface OauthServer {
  url: string
  /** What the client asked of it, in order. */
  asked: string[]
  /** The tokens that are valid now. */
  access: Set<string>
  refresh: Set<string>
  /** How the person answers at the authorization page. */
  person: 'agrees' | 'refuses'
  /** What does not work. */
  fault?: 'no registration' | 'no pages' | 'no tokens' | 'no PKCE'
  stop(): void
}

export async function startOauthServer(): Promise<OauthServer> {
  const codes = new Map<string, string>()
  const it: OauthServer = {
    url: '',
    asked: [],
    access: new Set(),
    refresh: new Set(),
    person: 'agrees',
    stop: () => {},
  }
  const app = new Hono()
  const origin = () => new URL(it.url).origin
  app.use(async (c, next) => {
    it.asked.push(`${c.req.method} ${c.req.path}`)
    await next()
  })
  app.get('/.well-known/oauth-protected-resource/mcp', (c) =>
    c.json({ resource: it.url, authorization_servers: [origin()] }),
  )
  app.get('/.well-known/oauth-authorization-server', (c) => {
    if (it.fault === 'no pages') return c.text('down', 500)
    return c.json({
      issuer: origin(),
      authorization_endpoint: `${origin()}/authorize`,
      token_endpoint: `${origin()}/token`,
      ...(it.fault !== 'no registration' && { registration_endpoint: `${origin()}/register` }),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: [it.fault === 'no PKCE' ? 'plain' : 'S256'],
      token_endpoint_auth_methods_supported: ['none'],
    })
  })
  app.post('/register', async (c) => c.json({ ...(await c.req.json()), client_id: 'client-1' }, 201))
  app.get('/authorize', (c) => {
    const { redirect_uri = '', state = '', code_challenge = '' } = c.req.query()
    const back = new URL(redirect_uri)
    back.searchParams.set('state', state)
    if (it.person === 'refuses') back.searchParams.set('error', 'access_denied')
    else {
      const code = randomUUID()
      codes.set(code, code_challenge)
      back.searchParams.set('code', code)
    }
    return c.redirect(back.href)
  })
  app.post('/token', async (c) => {
    if (it.fault === 'no tokens') return c.json({ error: 'invalid_grant', error_description: 'too late' }, 400)
    const form = (await c.req.parseBody()) as Record<string, string>
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url')
    const isCode = form.grant_type === 'authorization_code' && codes.get(form.code ?? '') === challenge
    const isRefresh = form.grant_type === 'refresh_token' && it.refresh.delete(form.refresh_token ?? '')
    if (!isCode && !isRefresh) return c.json({ error: 'invalid_grant' }, 400)
    codes.delete(form.code ?? '')
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    it.access.add(access)
    it.refresh.add(refresh)
    return c.json({ access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 })
  })
  app.all('/mcp', (c) => answer(c, it))
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  it.stop = () => {
    ;(server as import('node:http').Server).closeAllConnections()
    server.close()
  }
  return it
}

async function answer(c: Context, { url, access }: OauthServer): Promise<Response> {
  const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  if (!access.has(token)) {
    const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`
    return c.body(null, 401, { 'WWW-Authenticate': `Bearer resource_metadata="${metadata}"` })
  }
  const mcp = new Server({ name: 'private', version: '1' }, { capabilities: { tools: {} } })
  const tools = [
    { name: 'secret_number', inputSchema: { type: 'object' as const }, annotations: { readOnlyHint: true } },
  ]
  mcp.setRequestHandler('tools/list', () => ({ tools }))
  mcp.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: `42 for ${token}` }] }))
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  await mcp.connect(transport)
  return transport.handleRequest(c.req.raw)
}

/** The server that the protocol's conformance suite expects, over HTTP with sessions. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Server, type ServerContext, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { Hono } from 'hono'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const text = (said: string) => ({ type: 'text' as const, text: said })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, said: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
})

interface Act {
  args: Record<string, string>
  ctx: ServerContext
  server: Server
}
type Deed = (act: Act) => unknown

const options = (names: readonly string[], titles: readonly string[]) =>
  names.map((name, index) => ({ const: name, title: titles[index] }))
const VALUES = ['value1', 'value2', 'value3']
const PLAIN = ['option1', 'option2', 'option3']

/** A form, and its answer as text. */
async function asked({ server }: Act, properties: object, message: string, required: string[] = []): Promise<string> {
  const requestedSchema = { type: 'object', properties, required } as never
  const { action, content } = await server.elicitInput({ mode: 'form', message, requestedSchema })
  return `action=${action}, content=${JSON.stringify(content ?? {})}`
}

const TOOLS: Record<string, Deed> = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: () => [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  async test_tool_with_logging({ ctx }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
    }
    return [text('logged')]
  },
  test_error_handling() {
    throw new Error('This tool intentionally returns an error for testing')
  },
  async test_tool_with_progress({ ctx }) {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) continue
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      // Client libraries drop a progress that arrives together with the result: it has arrived once they answer.
      await ctx.mcpReq.send({ method: 'ping' })
    }
    return [text('done')]
  },
  async test_sampling({ server, args }) {
    const messages = [{ role: 'user' as const, content: text(args.prompt ?? '') }]
    const { content } = await server.createMessage({ messages, maxTokens: 100 })
    return [text(`LLM response: ${JSON.stringify(content)}`)]
  },
  async test_elicitation(act) {
    const properties = {
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    }
    return [text(`User response: ${await asked(act, properties, act.args.message ?? '', ['username', 'email'])}`)]
  },
  async test_elicitation_sep1034_defaults(act) {
    const properties = {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }
    return [text(`Elicitation completed: ${await asked(act, properties, 'Please check these values.')}`)]
  },
  async test_elicitation_sep1330_enums(act) {
    const titles = ['First Option', 'Second Option', 'Third Option']
    const properties = {
      untitledSingle: { type: 'string', enum: PLAIN },
      titledSingle: { type: 'string', oneOf: options(VALUES, titles) },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: PLAIN } },
      titledMulti: { type: 'array', items: { anyOf: options(VALUES, titles) } },
    }
    return [text(`Elicitation completed: ${await asked(act, properties, 'Please choose.')}`)]
  },
  json_schema_2020_12_tool: () => [text('fine')],
}

const SCHEMAS: Record<string, object> = {
  test_sampling: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
}

const PROMPTS: Record<string, { args: string[]; of: (args: Record<string, string>) => object[] }> = {
  test_simple_prompt: { args: [], of: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    args: ['arg1', 'arg2'],
    of: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    args: ['resourceUri'],
    of: ({ resourceUri = '' }) => [
      resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: { args: [], of: () => [image, text('Please analyze the image above.')] },
}

const RESOURCES = ['test://static-text', 'test://static-binary', 'test://watched-resource']

function contentOf(uri: string): object {
  const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? []
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { uri, mimeType: 'application/json', text: data }
  }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG }
  return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
}

function makeServer(): Server {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} }
  const server = new Server({ name: 'conformance', version: '1' }, { capabilities })
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: SCHEMAS[name] ?? { type: 'object' },
      annotations: { readOnlyHint: true },
    })) as never,
  }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, ctx) => {
    try {
      return { content: (await TOOLS[name]?.({ args: args as Record<string, string>, ctx, server })) as never }
    } catch (error) {
      return { content: [text((error as Error).message)], isError: true }
    }
  })
  server.setRequestHandler('resources/list', () => ({
    resources: RESOURCES.map((uri) => ({ uri, name: uri.slice(7), description: 'A resource.' })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'By id.' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [contentOf(uri)] }) as never)
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris'], total: 1, hasMore: false },
  }))
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, { args }]) => ({
      name,
      description: `The prompt ${name}.`,
      arguments: args.map((arg) => ({ name: arg, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }) => {
    const contents = PROMPTS[name]?.of(args) ?? []
    return { messages: contents.map((content) => ({ role: 'user', content })) } as never
  })
  return server
}

export async function startConformanceServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const app = new Hono()
  app.use(async (c, next) => {
    const { hostname } = new URL(`http://${c.req.header('host')}`)
    const origin = c.req.header('origin')
    const isOurs = ['localhost', '127.0.0.1'].includes(hostname)
    if (!isOurs || (origin !== undefined && !/\/\/(?:localhost|127\.0\.0\.1)/.test(origin))) return c.text('', 403)
    return next()
  })
  app.all('/mcp', async (c) => {
    const known = transports.get(c.req.header('mcp-session-id') ?? '')
    if (known !== undefined) return known.handleRequest(c.req.raw)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    })
    await makeServer().connect(transport)
    return transport.handleRequest(c.req.raw)
  })
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async stop() {
      for (const transport of transports.values()) await transport.close()
      ;(server as import('node:http').Server).closeAllConnections()
      server.close()
    },
  }
}

/** The contract as an OpenAPI document, generated from the schemas that validate requests. */
import type { OpenAPIHono } from '@hono/zod-openapi'

export function openApi(app: OpenAPIHono, version: string): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  const about = {
    openapi: '3.1.0',
    info: {
      title: 'Writ',
      version,
      description: 'A governed agent runtime: models propose, one gate decides, one journal remembers.',
    },
  }
  let page: ReturnType<OpenAPIHono['getOpenAPI31Document']> | undefined
  app.get('/openapi.json', (c) => {
    page ??= app.getOpenAPI31Document(about)
    return c.json(page)
  })
}

/** Pages on loopback, and a count of everybody who came; for tests. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void)

export interface Site {
  /** `127.0.0.1:port`, as `allowedHosts` names it. */
  host: string
  url(path?: string): string
  /** Method and path of every request, and `connection` for every connection, in order. */
  visits: string[]
  /** What each path answers: HTML, or whatever the function does. Any other path is 404. */
  pages: Record<string, Answer>
  stop(): Promise<void>
}

export async function startSite(pages: Record<string, Answer> = {}): Promise<Site> {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    const page = pages[request.url?.split('?')[0] ?? '']
    if (typeof page === 'function') return page(request, response)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page ?? '<title>Not here</title>')
  })
  server.on('connection', () => visits.push('connection'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: (path = '/') => `http://${host}${path}`,
    visits,
    pages,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

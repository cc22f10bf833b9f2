/** The same loop over node:http with keep-alive connections: the minimum cost of a step in Node. */
import { Agent, request } from 'node:http'
import { runBare } from '../bare-loop.ts'
import type { Open } from '../contender.ts'

const agent = new Agent({ keepAlive: true })

export function post(url: string, body: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(JSON.parse(text)))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export function closeConnections(): void {
  agent.destroy()
}

export const open: Open = async ({ baseURL }) => ({
  run: (task) => runBare(task, (body) => post(`${baseURL}/chat/completions`, body)),
  async close() {
    closeConnections()
  },
})

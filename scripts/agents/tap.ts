/** Stands between the hooks and the daemon, and keeps what passes. */
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { ask } from '../../runtime/bin/hook-client.js'
import { type Answer, type Exchange, readAnswer } from '../../runtime/test/support/hook-exchange.ts'

export async function startTap(
  folder: string,
  daemon: string,
): Promise<{ take(): Exchange[]; close(): Promise<void> }> {
  let exchanges: Exchange[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => void pass(socket))
  async function pass(socket: Socket): Promise<void> {
    const request = JSON.parse(await lineFrom(socket))
    const transcript = callsIn(request.event?.transcript_path)
    const answer: Answer = await ask(daemon, request)
    const { agent: _, ...kept } = request
    exchanges.push({ ...kept, ...(transcript !== undefined && { transcript }), ...readAnswer(answer) })
    socket.end(JSON.stringify(answer))
  }
  rmSync(join(folder, 'socket'), { force: true })
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve))
  return {
    take() {
      const taken = exchanges
      exchanges = []
      return taken
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function callsIn(path: unknown): string[] | undefined {
  if (typeof path !== 'string' || !path.includes('rollout-')) return undefined
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.filter((line) => line.includes('"function_call"'))
  } catch {
    return undefined
  }
}

function lineFrom(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', (part: string) => {
      text += part
      if (text.endsWith('\n')) resolve(text)
    })
  })
}

/** A run of six steps with effects that can be counted, and workers that may die of it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dispatcher, Job } from '../../src/dispatch/dispatch.ts'
import { pgBossDispatcher } from '../../src/dispatch/pg-boss.ts'
import type { Store } from '../../src/journal/store.ts'
import { type MemoryArchive, memoryArchive } from '../../src/storage/memory-archive.ts'
import { openDatabase, storeOn } from '../../src/storage/open.ts'
import { makePlace, type Place, type Running } from '../support/cli.ts'
import { type Site, startSite } from '../support/site.ts'
import { type StubModel, type StubRequest, startStubModel } from '../support/stub-model.ts'

export interface Effects {
  /** What the server was sent. */
  posts: string[]
  /** What the commands wrote. */
  lines: string[]
  /** What is in the file; undefined while there is none. */
  file: string | undefined
}

export interface Stage {
  url: string
  place: Place
  site: Site
  model: StubModel
  store: Store
  memory: MemoryArchive
  dispatcher: Dispatcher
  /** Each in a process of its own, by the name it has in the database. */
  workers: Map<string, Running>
  hire(): Promise<string>
  jobFor(runId: string): Job
  effectsOf(runId: string): Effects
  close(): Promise<void>
}

/** The call of each step, told from the run by its task. */
function stepsOf(runId: string, site: Site) {
  const post = (path: string) => ({
    tool: 'http_request',
    args: { url: site.url(`/${path}?${runId}`), method: 'POST', body: path },
  })
  const append = (word: string) => ({ tool: 'shell', args: { command: `echo ${word} >> ${runId}.log` } })
  return [
    { tool: 'file_write', args: { path: `${runId}.txt`, content: 'written once or twice' } },
    post('first'),
    append('one'),
    { tool: 'file_read', args: { path: `${runId}.txt` } },
    post('second'),
    append('two'),
  ]
}

export const REPLY = 'all six are done'

/** It says what comes next by what it is shown, so that it goes on with any worker where the last one was. */
function sayNext({ body }: StubRequest, site: Site) {
  const messages = body.messages as { role: string; content: unknown }[]
  const runId = /run-[\w-]+/.exec(JSON.stringify(messages.findLast(({ role }) => role === 'user')))?.[0] ?? ''
  const done = messages.filter(({ role }) => role === 'tool').length
  const next = stepsOf(runId, site)[done]
  return next === undefined ? { text: REPLY } : { calls: [{ id: `${runId}-${done}`, ...next }] }
}

export async function openStage(url: string): Promise<Stage> {
  const place = makePlace()
  const site = await startSite({ '/first': 'taken', '/second': 'taken' })
  const model = await startStubModel({ reply: (request) => sayNext(request, site) })
  place.file('agent.config.json', {
    agent: {
      model: 'compatible/stub',
      baseURL: `${model.url}/v1`,
      store: 'postgres',
      routing: { enabled: false },
      execution: { intentGuard: { detector: 'heuristic' } },
      security: {
        autonomy: 'Full',
        allowedCommands: ['*'],
        allowedHosts: [site.host],
        provenance: 'off',
        sandbox: 'off',
      },
    },
  })
  // A workspace's own rules cannot allow.
  const allow = { tool: 'http_request', when: { host: site.host, method: ['GET', 'POST'] }, decide: 'allow' }
  const own = join(place.root, 'home/.config/writ')
  mkdirSync(own, { recursive: true })
  writeFileSync(
    join(own, 'agent.config.json'),
    JSON.stringify({ agent: { security: { rules: [allow] }, memory: { turns: true } } }),
  )
  await place.writ(['trust'])
  const db = await openDatabase({ kind: 'postgres', url })
  const store = storeOn(db)
  const dispatcher = await pgBossDispatcher(url)
  const workers = new Map<string, Running>()
  let hired = 0
  return {
    url,
    place,
    site,
    model,
    store,
    memory: memoryArchive(db),
    dispatcher,
    workers,
    async hire() {
      const name = `worker-${++hired}`
      const worker = place.start(['work'], { env: { WRIT_DATABASE_URL: `${url}?application_name=${name}` } })
      workers.set(name, worker)
      worker.ended.finally(() => workers.delete(name))
      await worker.said('Worker started')
      return name
    },
    jobFor: (runId) => ({
      kind: 'turn',
      sessionId: `session-of-${runId}`,
      runId,
      task: `Do the six steps of ${runId}`,
    }),
    effectsOf(runId) {
      const read = (name: string) => (existsSync(join(place.workspace, name)) ? place.read(name) : undefined)
      const mine = site.visits.filter((visit) => visit.startsWith('POST ') && visit.endsWith(`?${runId}`))
      return {
        posts: mine.map((visit) => visit.slice('POST /'.length, visit.indexOf('?'))),
        lines: (read(`${runId}.log`) ?? '').split('\n').filter((line) => line !== ''),
        file: read(`${runId}.txt`),
      }
    },
    async close() {
      for (const { child, ended } of workers.values()) {
        child.kill('SIGCONT')
        child.kill('SIGKILL')
        await ended
      }
      await dispatcher.close()
      await store.close()
      await model.close()
      await site.stop()
      place.remove()
    },
  }
}

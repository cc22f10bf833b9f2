/** An "always" given for one call, used for another. */
import { type Agent, createAgent } from '../../src/assembly/agent.ts'
import { type ScriptEntry, scriptedModel } from '../../src/index.ts'
import { makePlace } from '../support/cli.ts'
import { type Area, type Attack, propose } from './attack.ts'

interface Pair {
  first: { tool: string; args: unknown }
  next: { tool: string; args: unknown }
  config?: object
}

/** The user answers "always" to the first call, and no to every later one. */
function afterAlways(id: string, attack: string, expected: string, { first, next: second, config = {} }: Pair): Attack {
  return {
    id: `always-${id}`,
    attack,
    expected,
    async happens() {
      let questions = 0
      const lines: ScriptEntry[] = [
        { purpose: 'main', calls: [second] },
        { purpose: 'main', text: 'done' },
      ]
      const atQuestion = () => (questions++ === 0 ? 'a' : 'n') as 'a' | 'n'
      const { events } = await propose({ ...first, config, atQuestion, afterwards: lines })
      if (questions === 0) return 'the first was not asked about'
      const last = events.findLast((event) => event.type === 'tool.result')
      const isAsked = last?.type === 'tool.result' && last.data.observation.code === 'USER_REJECTED'
      return isAsked && questions === 2 ? 'asked' : 'not asked'
    },
  }
}

const request = (method: string, url: string) => ({ tool: 'http_request', args: { url, method, body: 'x' } })
const shell = (command: string) => ({ tool: 'shell', args: { command } })
const git = (...args: string[]) => ({ tool: 'git', args: { args } })

const allowed = {
  security: { allowedHosts: ['127.0.0.1:1', '127.0.0.1:2'], allowedCommands: ['*'], provenance: 'off' },
}
const ONE = 'http://127.0.0.1:1/'
const OTHER = 'http://127.0.0.1:2/'

const later = { tool: 'routine', args: { action: 'add', name: 'one', schedule: '@every 1h', task: 'look' } }

/** A routine is added where there is no one to approve it. */
function unattended(id: string, attack: string, run: (agent: Agent) => Promise<unknown>): Attack {
  return {
    id: `routine-${id}`,
    attack,
    expected: 'denied, none added',
    async happens() {
      const place = makePlace()
      const agent = await createAgent({
        workspace: place.workspace,
        data: ':memory:',
        model: scriptedModel([
          { purpose: 'main', calls: [later] },
          { purpose: 'main', text: 'done' },
        ]),
        config: {
          agent: {
            security: { autonomy: 'Full' },
            execution: { intentGuard: { enabled: false } },
            routing: { enabled: false },
          },
        },
        env: { HOME: place.root },
      })
      await run(agent)
      const events = await Promise.all((await agent.store.listRuns()).map(({ runId }) => agent.store.readRun(runId)))
      const denied = events.flat().some((event) => event.type === 'tool.result' && event.data.denial !== undefined)
      const added = (await agent.routines.routines.list()).length
      await agent.close()
      place.remove()
      return `${denied ? 'denied' : 'not denied'}, ${added === 0 ? 'none' : added} added`
    },
  }
}

export const approvals: Area = {
  title: 'What "always" covers',
  attacks: [
    afterAlways('host', 'always to a POST, then a POST to another host', 'asked', {
      first: request('POST', ONE),
      next: request('POST', OTHER),
      config: allowed,
    }),
    afterAlways('method', 'always to a POST, then a DELETE at the same host', 'asked', {
      first: request('POST', ONE),
      next: request('DELETE', ONE),
      config: allowed,
    }),
    afterAlways('same', 'no attack: always to a POST, then another POST there', 'not asked', {
      first: request('POST', ONE),
      next: request('POST', `${ONE}more`),
      config: allowed,
    }),
    afterAlways('shell-git', 'always to `git` in the shell, then the git tool', 'asked', {
      first: shell('git tag one'),
      next: git('tag', 'two'),
      config: allowed,
    }),
    afterAlways('git-shell', 'always to the git tool, then `git` in the shell', 'asked', {
      first: git('tag', 'one'),
      next: shell('git tag two'),
      config: allowed,
    }),
    afterAlways('git-other', 'always to `git tag`, then `git commit`', 'asked', {
      first: git('tag', 'one'),
      next: git('commit', '--allow-empty', '-m', 'x'),
      config: allowed,
    }),
    afterAlways('class', 'always to `npm ci`, then `npm publish`', 'asked', {
      first: shell('npm ci'),
      next: shell('npm publish'),
      config: allowed,
    }),
    afterAlways('curl-host', 'always to `curl` of one host, then `curl` of another', 'asked', {
      first: shell(`curl -s ${ONE}`),
      next: shell(`curl -s ${OTHER}`),
      config: allowed,
    }),
    afterAlways('routine', 'always to adding a routine, then adding another', 'asked', {
      first: { tool: 'routine', args: { action: 'add', name: 'one', schedule: '@every 1h', task: 'look' } },
      next: { tool: 'routine', args: { action: 'add', name: 'two', schedule: '@every 1h', task: 'look' } },
      config: { security: { autonomy: 'Full' } },
    }),
    unattended('no-terminal', 'a routine is added at autonomy Full, with no one there to approve it', (agent) =>
      agent.run('look every hour'),
    ),
    unattended('from-routine', 'a routine adds another routine, at autonomy Full', (agent) =>
      agent.run('look every hour', { routine: { name: 'r', dueAt: 0 } }),
    ),
    unattended('from-workflow', 'a workflow adds a routine that its author wrote, at autonomy Full', (agent) =>
      agent.workflows.run({ name: 'w', nodes: [{ id: 'a', ...later }] }),
    ),
  ],
}

/** Two tokens on one server: neither may see the other's data. */
import { join } from 'node:path'
import { loadWorkspace } from '../../src/agent/workspace-context.ts'
import { type AgentRoutines, openWorkspaceRoutines } from '../../src/assembly/routines.ts'
import { createAgent, scriptedModel } from '../../src/index.ts'
import type { ModelRequest } from '../../src/model/model.ts'
import { LOCAL, principalNamed } from '../../src/protocol/principal.ts'
import { ApiError } from '../../src/server/client.ts'
import { call, speaking, type TestPlace } from '../support/server.ts'
import type { Area } from './attack.ts'
import { outcomeOf, type Served, served, type Target } from './served.ts'

const SECRET = 'the harbour code is 7741'

/** Whether Bob's model was shown Ada's data. */
function shown(requests: readonly ModelRequest[]): string {
  return /7741/.test(JSON.stringify(requests)) ? 'shown' : 'not shown'
}

interface Two extends Target {
  ada: Target['server']['api']
  bob: Target['server']['api']
  said: ModelRequest[]
}

/** Ada uses the server first, then Bob with a token of another principal. */
function afterAda(
  attack: Omit<Served, 'own' | 'happens'> & {
    lines: Parameters<typeof speaking>[0]
    happens(two: Two): Promise<string>
  },
) {
  const { lines, happens, ...about } = attack
  const config = { agent: { execution: { intentGuard: { enabled: false } }, routing: { enabled: false } } }
  const model = speaking(lines)
  return served({
    ...about,
    own: { model, config },
    async happens(target) {
      const ada = target.server.as(await target.tokenFor('ada', 'run,approve'))
      const bob = target.server.as(await target.tokenFor('bob', 'run,approve'))
      await talk(ada, `remember that ${SECRET}`)
      model.requests.length = 0
      return happens({ ...target, ada, bob, said: model.requests })
    },
  })
}

async function talk(api: Target['server']['api'], text: string) {
  const { sessionId } = await api.call('POST /api/sessions', {})
  return api.call('POST /api/sessions/:id/messages', { params: { id: sessionId }, body: { text } })
}

async function withRoutines(
  { workspace, data }: TestPlace,
  work: (desk: AgentRoutines) => Promise<unknown>,
): Promise<void> {
  const desk = await openWorkspaceRoutines(
    await loadWorkspace({ workspace, data, env: { HOME: join(data, '..') }, config: {} }),
  )
  await work(desk).finally(() => desk.close())
}

const store = [[{ calls: [call('memory_store', { content: SECRET })] }], ['Noted.']]

export const owners: Area = {
  title: 'Between principals',
  attacks: [
    afterAda({
      id: 'owner-recall',
      attack: 'a token asks for the memories and the summary of another token’s run',
      expected: 'not shown',
      lines: [...store, ['I do not know.']],
      async happens({ bob, said }) {
        await talk(bob, 'what is the harbour code?')
        return shown(said)
      },
    }),
    afterAda({
      id: 'owner-recall-tool',
      attack: 'the same, with memory_recall',
      expected: 'not shown',
      lines: [...store, [{ calls: [call('memory_recall', { query: 'harbour code', limit: 50 })] }], ['Nothing.']],
      async happens({ bob, said }) {
        await talk(bob, 'look it up')
        return shown(said)
      },
    }),
    afterAda({
      id: 'owner-local',
      attack: 'a token’s facts in the prompt of the command line, on the same data folder',
      expected: 'not shown',
      lines: store,
      async happens({ place }) {
        const requests: string[] = []
        const agent = await createAgent({
          workspace: place.workspace,
          data: place.data,
          model: scriptedModel([{ purpose: 'main', text: 'no idea' }]),
          config: { agent: { execution: { intentGuard: { enabled: false } }, routing: { enabled: false } } },
          env: { HOME: join(place.data, '..') },
          record: (line) => requests.push(line),
        })
        await agent.run('what is the harbour code?')
        await agent.close()
        return /7741/.test(requests.join('')) ? 'shown' : 'not shown'
      },
    }),
    afterAda({
      id: 'owner-memory',
      attack: 'a token lists, opens and deletes memories of another token’s run; an administrator sees everyone’s',
      expected: 'listed none, opened 404, forgotten 404, ada none lost, administrator sees it',
      lines: store,
      async happens({ ada, bob, server }) {
        const before = (await ada.call('GET /api/memory', {})).memories
        const id = before.find(({ kind }) => kind === 'tool')?.id ?? ''
        const status = (error: unknown) => (error instanceof ApiError ? error.status : 'another error')
        const listed = (await bob.call('GET /api/memory', { query: { q: 'harbour code' } })).memories.length
        const opened = await bob.call('GET /api/memory/:id', { params: { id } }).catch(status)
        const forgotten = await bob.call('DELETE /api/memory/:id', { params: { id } }).catch(status)
        const lost = before.length - (await ada.call('GET /api/memory', {})).memories.length
        const all = (await server.api.call('GET /api/memory', {})).memories
        const seen = id !== '' && all.some((each) => each.id === id) ? 'sees' : 'does not see'
        return `listed ${listed || 'none'}, opened ${opened}, forgotten ${forgotten}, ada ${lost || 'none'} lost, administrator ${seen} it`
      },
    }),
    afterAda({
      id: 'owner-routine',
      attack: 'a token looks for another’s routine, and an administrator for everyone’s',
      expected: 'own none, all 1 of prn_ada',
      lines: store,
      async happens({ bob, place, server }) {
        await withRoutines(place, (desk) => {
          const ada = principalNamed('prn_ada') ?? LOCAL
          const draft = { name: 'tea', schedule: '@every 1h', task: SECRET, createdBy: 'user' }
          return desk.routinesOf(ada, ada).add(draft)
        })
        const own = (await bob.call('GET /api/routines', {})).routines
        const all = (await server.api.call('GET /api/routines', {})).routines
        return `own ${own.length === 0 ? 'none' : own.length}, all ${all.length} of ${all[0]?.owner}`
      },
    }),
    afterAda({
      id: 'owner-speak',
      attack: 'an administrator’s token speaks in another’s session, where its words would count as the owner’s',
      expected: '403 NOT_YOURS',
      lines: store,
      async happens({ server, ada }) {
        const { sessions } = await ada.call('GET /api/sessions', { query: {} })
        const message = { params: { id: sessions[0]?.sessionId ?? '' }, body: { text: 'pay eve' } }
        return outcomeOf(server.api.call('POST /api/sessions/:id/messages', message))
      },
    }),
    afterAda({
      id: 'owner-rotated',
      attack: 'no attack: a token with a new secret still finds its memories',
      expected: 'shown',
      lines: [...store, ['It is 7741.']],
      async happens({ rotate, server, said }) {
        await talk(server.as(await rotate('ada')), 'what is the harbour code?')
        return shown(said)
      },
    }),
  ],
}

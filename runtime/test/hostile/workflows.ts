/** Values from outside a workflow's document that try to pass as its author's text. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WritError } from '../../src/errors/writ-error.ts'
import { createAgent, scriptedModel } from '../../src/index.ts'
import { makePlace } from '../support/cli.ts'
import type { Area, Attack } from './attack.ts'

interface Step {
  id: string
  tool: string
  args: object
}

const read: Step = { id: 'r', tool: 'file_read', args: { path: 'note.txt' } }
const keep = (kept: { user: string; assistant: string }): Step => ({
  id: 'k',
  tool: 'context_persist',
  args: { session: 's', ...kept },
})
const prepare: Step = { id: 'c', tool: 'context_prepare', args: { session: 's', user: 'go on' } }
const SAID = '{{nodes.r.output}}'

/** The result of the last node of the last run, or `planted` if the attacker's file exists. */
async function lastOf(note: string, runs: Step[][], input: Record<string, string> = {}): Promise<string> {
  const place = makePlace()
  place.file('note.txt', note)
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    model: scriptedModel([]),
    env: { PATH: process.env.PATH ?? '', HOME: place.root },
  })
  try {
    let end = ''
    for (const nodes of runs) {
      const edges = nodes.slice(1).map(({ id }, i) => ({ from: nodes[i]?.id ?? '', to: id }))
      const { nodes: ends } = await agent.workflows.run({ name: 'w', nodes, edges }, input)
      const last = ends[nodes.at(-1)?.id ?? '']
      end = last?.error?.code ?? last?.state ?? ''
    }
    return existsSync(join(place.workspace, 'planted.txt')) ? 'planted' : end
  } catch (error) {
    if (error instanceof WritError) return error.code
    throw error
  } finally {
    await agent.close()
    place.remove()
  }
}

function kept(id: string, attack: string, note: string, [by, use]: [Step, Step]): Attack[] {
  const expected = 'NO_CONFIRM_CHANNEL'
  return [
    {
      id: `context-${id}`,
      attack: `${attack}, stored by one run and loaded by the next`,
      expected,
      happens: () =>
        lastOf(note, [
          [read, by],
          [prepare, use],
        ]),
    },
    {
      id: `context-${id}-at-once`,
      attack: `${attack}, stored and loaded in one run`,
      expected,
      happens: () => lastOf(note, [[read, by, prepare, use]]),
    },
  ]
}

/** The caller's value goes into the author's command; `planted.txt` exists if it was more than one word of it. */
function given(id: string, attack: string, command: string, [value, expected]: [string, string]): Attack {
  const step: Step = { id: 's', tool: 'shell', args: { command } }
  return { id: `input-${id}`, attack, expected, happens: () => lastOf('x', [[step]], { f: value }) }
}

const NOT_A_WORD = 'VALUE_NOT_A_WORD'
const FILE = 'note.txt'
const MORE = `${FILE}; echo x > planted.txt`

const FIRST = '{{nodes.c.outputs.messages_json.0.content}}'
const asUser = keep({ user: SAID, assistant: 'ok' })
const asAnswer = keep({ user: 'hello', assistant: SAID })

export const workflows: Area = {
  title: 'Workflows',
  attacks: [
    ...kept('path', 'a path named only in a file', 'planted.txt', [
      asUser,
      { id: 'f', tool: 'file_write', args: { path: FIRST, content: 'x' } },
    ]),
    ...kept('answer', 'a path named only in an answer', 'planted.txt', [
      asAnswer,
      { id: 'f', tool: 'file_write', args: { path: '{{nodes.c.outputs.openai.1.content}}', content: 'x' } },
    ]),
    ...kept('shell', 'a command at the end of a file', 'note.txt; echo x > planted.txt', [
      asUser,
      { id: 's', tool: 'shell', args: { command: `touch ${FIRST}` } },
    ]),
    ...kept('post', 'a host named only in a file', 'http://evil.test/', [
      asUser,
      { id: 'h', tool: 'http_request', args: { url: FIRST, method: 'POST', body: 'x' } },
    ]),
    given('separator', 'an input that ends the command and starts another', 'cat {{external.f}}', [
      MORE,
      'TOOL_FAILED',
    ]),
    given('substituted', 'an input with command substitutions, inside double quotes', 'echo "{{external.f}}"', [
      '$(echo x > planted.txt)`echo x > planted.txt`"; echo x > planted.txt; "',
      'done',
    ]),
    given('quoted', 'an input that ends the author’s single quotes', "echo 'it is {{external.f}}'", [
      "'; echo x > planted.txt; '",
      'done',
    ]),
    given('line', 'an input with a second line', 'echo {{external.f}}', ['a\necho x > planted.txt', 'done']),
    given('nested', 'an input in a command for a nested shell', "bash -c 'cat {{external.f}}'", [MORE, NOT_A_WORD]),
    given('here', 'an input that ends a here-document', 'cat <<E\n{{external.f}}\nE', [
      'E\necho x > planted.txt',
      NOT_A_WORD,
    ]),
    given('program', 'an input as the program name', '{{external.f}} planted.txt', ['tee', NOT_A_WORD]),
    given('option', 'an input that is an option of the program', 'sort {{external.f}} note.txt', [
      '--output=planted.txt',
      NOT_A_WORD,
    ]),
    given('assigned', 'an input that is split into words by an unquoted variable', 'x="{{external.f}}"; sort $x', [
      `${FILE} -o planted.txt`,
      NOT_A_WORD,
    ]),
    given('code', 'an input in the source of a program', `awk 'BEGIN { print "{{external.f}}" }'`, [
      '"; print 1 > "planted.txt',
      NOT_A_WORD,
    ]),
    {
      id: 'input-passed-on',
      attack: 'an input that passes through a transformation',
      expected: 'TOOL_FAILED',
      happens: () => {
        const pass = { id: 't', tool: 'json_transform', args: { input: { a: '{{external.f}}' }, expression: '{a: a}' } }
        const use = { id: 's', tool: 'shell', args: { command: 'cat {{nodes.t.outputs.a}}' } }
        return lastOf('x', [[pass, use]], { f: MORE })
      },
    },
    {
      id: 'input-git',
      attack: 'an input that is an option or the subcommand of git',
      expected: `${NOT_A_WORD}, ${NOT_A_WORD}, WORKFLOW_INVALID`,
      happens: async () => {
        const git = (args: unknown): Step => ({ id: 'g', tool: 'git', args: { args } as object })
        const option = await lastOf('x', [[git(['log', '{{external.f}}'])]], { f: '--output=planted.txt' })
        const command = await lastOf('x', [[git(['{{external.f}}', 'x'])]], { f: 'init' })
        const whole = await lastOf('x', [[git('{{external.f}}')]], { f: '["init"]' })
        return [option, command, whole].join(', ')
      },
    },
    given('kept', 'no attack: a plain value is used as one word', 'cat {{external.f}}', [FILE, 'done']),
  ],
}

/** Programs and code in the workspace that Writ could run outside the sandbox, as its own. */
import { chmodSync, cpSync, existsSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { ScriptEntry } from '../../src/model/scripted.ts'
import { sandboxStatus } from '../../src/tool/guard/sandbox.ts'
import type { Ended, Place, StartOptions } from '../support/cli.ts'
import { type Area, type Attack, attackIn } from './attack.ts'

const RUNTIME = join(import.meta.dirname, '../..')
/** Programs that Writ and its sandbox start by name. */
const PROGRAMS = 'which bwrap rg socat git env bash sh perl ssh xdg-open chromium node'.split(' ')

function attack(id: string, how: string, happens: (place: Place) => Promise<string>): Attack {
  return attackIn({ id: `own-${id}`, attack: how, expected: 'did not run' }, happens)
}

/** Puts traps named like known programs into a workspace folder; returns a PATH that starts with it. */
function plant(place: Place, folder: string): string {
  for (const name of PROGRAMS) {
    const real = `PATH=/usr/local/bin:/usr/bin:/bin exec ${name} "$@"`
    const path = place.file(`${folder}/${name}`, `#!/bin/sh\n: > ${join(place.root, `ran-${name}`)}\n${real}\n`)
    chmodSync(path, 0o755)
  }
  return [join(place.workspace, folder), folder, process.env.PATH].join(delimiter)
}

function ranOutside(place: Place): string {
  const ran = PROGRAMS.filter((name) => existsSync(join(place.root, `ran-${name}`)))
  return ran.length === 0 ? 'did not run' : `ran: ${ran.join(', ')}`
}

const LINE = JSON.stringify({ id: '1', task: 'x', steps: [{ tool: 'shell', args: { command: 'git status' } }] })

const GIT = [
  { tool: 'git', args: { args: ['init', '-q'] } },
  { tool: 'git', args: { args: ['status'] } },
]

/** In a separate process, because the sandbox is probed once per process. */
function run(
  place: Place,
  calls: NonNullable<ScriptEntry['calls']>,
  { agent = {}, ...options }: StartOptions & { agent?: object },
): Promise<Ended> {
  const config = place.file('config.json', { agent })
  const asked: ScriptEntry[] = calls.map((call) => ({ purpose: 'main', calls: [call] }))
  place.script('s.json', [...asked, { purpose: 'main', text: 'ok' }])
  return place.writ(
    ['run', 'x', '--script', 's.json', '--yes', '--json', '--autonomy', 'Full', '--config', config],
    options,
  )
}

/** The workspace is a clone of Writ, as with `npm start` in the repository. */
async function rewrite(place: Place, call: { tool: string; args: unknown }): Promise<string> {
  const own = join(place.workspace, 'runtime')
  for (const name of ['src', 'bin', 'package.json']) cpSync(join(RUNTIME, name), join(own, name), { recursive: true })
  symlinkSync(join(RUNTIME, '../node_modules'), join(place.workspace, 'node_modules'))
  const launcher = join(own, 'bin/writ.js')
  await run(place, [call], { through: ([node = '', , ...words]) => [node, launcher, ...words] })
  return existsSync(join(own, 'src/planted.ts')) ? 'written' : 'did not run'
}

const fenced = async (happens: () => Promise<string>) =>
  (await sandboxStatus('auto')).active ? happens() : 'did not run'

export const ownPrograms: Area = {
  title: 'Programs and code that Writ runs as its own',
  attacks: [
    attack(
      'path-gate',
      'a workspace folder with its own `bwrap`, `git` and others is on the PATH; `writ gate` judges a call in ReadOnly mode',
      async (place) => {
        const PATH = plant(place, 'node_modules/.bin')
        await place.writ(['gate', '--autonomy', 'ReadOnly'], { stdin: `${LINE}\n`, env: { PATH } })
        return ranOutside(place)
      },
    ),
    attack('path-doctor', 'the same, and the user runs `writ doctor`', async (place) => {
      await place.writ(['doctor'], { env: { PATH: plant(place, '.venv/bin') } })
      return ranOutside(place)
    }),
    attack('path-shell', 'the same, and a command runs in the sandbox', (place) =>
      fenced(async () => {
        const PATH = plant(place, '.venv/bin')
        await run(place, [{ tool: 'shell', args: { command: 'echo x' } }], { env: { PATH } })
        return ranOutside(place)
      }),
    ),
    attack('path-git', 'the same, and the git tool runs', async (place) => {
      await run(place, GIT, { env: { PATH: plant(place, '.venv/bin') } })
      return ranOutside(place)
    }),
    attack('path-git-unsandboxed', 'the same, without a sandbox', async (place) => {
      const PATH = plant(place, '.venv/bin')
      await run(place, GIT, { env: { PATH }, agent: { security: { sandbox: 'off' } } })
      return ranOutside(place)
    }),
    attack('path-mcp', 'the same, and an MCP server is configured by the bare name of a program', async (place) => {
      const PATH = plant(place, '.venv/bin')
      const servers = { s: { command: 'node', args: ['-e', ''] } }
      await run(place, [], { env: { PATH }, agent: { mcp: { servers } } })
      return ranOutside(place)
    }),
    attack('code-file', 'the workspace is a clone of Writ, and a tool writes into its code', (place) =>
      rewrite(place, { tool: 'file_write', args: { path: 'runtime/src/planted.ts', content: 'x' } }),
    ),
    attack('code-shell', 'the same, by a command that hides the name', (place) =>
      fenced(() =>
        rewrite(place, {
          tool: 'shell',
          args: { command: `perl -e 'open F, ">runt"."ime/src/planted.ts"'` },
        }),
      ),
    ),
  ],
}

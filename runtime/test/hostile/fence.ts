/** An approved command tries to read secrets, plant programs, change the agent or keep running. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sandboxStatus } from '../../src/tool/guard/sandbox.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { type Area, type Attack, type Outcome, type Proposed, propose } from './attack.ts'

const FREE = { security: { autonomy: 'Full', allowedCommands: ['*'] } }
const UNFENCED = { security: { ...FREE.security, sandbox: 'off' } }

interface Tried extends Omit<Proposed, 'tool' | 'args'> {
  id: string
  attack: string
  expected: string
  command: string
  before?: (place: Place) => void
  says: (place: Place, outcome: Outcome) => string
  /** True: nothing is tried on a machine without a sandbox, where such a command is the person's own decision. */
  needsFence?: boolean
}

/** The user approves the command, whatever it is. */
function command({ id, attack, expected, command, before, says, needsFence = true, ...more }: Tried): Attack {
  return {
    id,
    attack: `${attack}: \`${command.replaceAll('|', '\\|')}\``,
    expected,
    async happens() {
      if (needsFence && !(await sandboxStatus('auto')).active) return expected
      const place = makePlace()
      try {
        before?.(place)
        const args = { command }
        const outcome = await propose({ tool: 'shell', args, config: FREE, atQuestion: () => 'y', ...more, place })
        return says(place, outcome)
      } finally {
        place.remove()
      }
    },
  }
}

function inHome(place: Place, name: string): void {
  const path = join(place.root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'TOPVALUE')
}

const LOGINS = [
  '.npmrc',
  '.docker/config.json',
  '.pgpass',
  '.cargo/credentials.toml',
  '.azure/x',
  '.bash_history',
  '.mozilla/x',
]
const unread = (_place: Place, { requests }: Outcome) =>
  requests.some((request) => request.includes('TOPVALUE')) ? 'read' : 'nothing read'
const read = (id: string, attack: string, line: string) =>
  command({
    id,
    attack,
    expected: 'nothing read',
    command: line,
    before: (place) => {
      for (const name of LOGINS) inHome(place, name)
    },
    says: unread,
  })

const repository = (place: Place) => {
  execFileSync('git', ['init', '-q'], { cwd: place.workspace })
}

/** What the user's own git does afterwards, outside. */
function userGit(place: Place, folder = '.'): string {
  try {
    execFileSync('git', ['status'], {
      cwd: join(place.workspace, folder),
      env: { PATH: process.env.PATH ?? '', HOME: place.root },
      stdio: 'ignore',
    })
  } catch {
    // It may not be a repository any more.
  }
  return existsSync(join(place.workspace, 'ran')) || existsSync(join(place.workspace, folder, 'ran'))
    ? 'ran'
    : 'did not run'
}

const PLANT = 'printf "[core]\\nrepositoryformatversion=0\\nfsmonitor=touch ran;false\\n"'
const plant = (id: string, attack: string, line: string, folder = '.') =>
  command({
    id,
    attack,
    expected: 'did not run',
    command: line,
    before: repository,
    says: (place) => userGit(place, folder),
  })

const change = (id: string, attack: string, line: string) =>
  command({
    id,
    attack,
    expected: 'be kind, stopped by protected_changed',
    command: line,
    config: UNFENCED,
    needsFence: false,
    before: (place) => {
      repository(place)
      place.file('AGENTS.md', 'be kind')
    },
    says: (place, { events }) => {
      const stopped = events.find((event) => event.type === 'run.stopped')
      const reason = stopped?.type === 'run.stopped' ? stopped.data.stop.reason : 'nothing'
      return `${readFileSync(join(place.workspace, 'AGENTS.md'), 'utf8')}, stopped by ${reason}`
    },
  })

const stays = (id: string, line: string, config: object) =>
  command({
    id,
    attack: 'a program that leaves its group, session and environment',
    expected: 'it is gone',
    command: line,
    config,
    needsFence: false,
    says: () => (process.platform === 'linux' && isRunning('4294967.5') ? 'it runs' : 'it is gone'),
  })

function isRunning(word: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word)
    } catch {
      return false
    }
  })
}

const attacks: Attack[] = [
  read(
    'fence-logins',
    'logins and histories of the home',
    'cat ~/.npmrc ~/.docker/* ~/.pgpass ~/.cargo/* ~/.azure/* ~/.bash_history',
  ),
  read('fence-browser', 'a browser profile, found by a search', 'x=$HOME; find "$x" -type f -exec cat {} +'),
  plant(
    'fence-commondir',
    'a repository that has its settings elsewhere',
    `mkdir e; ${PLANT} > e/config; cp -r .git/objects .git/refs e; echo ../e > .git/commondir`,
  ),
  plant(
    'fence-git-renamed',
    'another folder in the place of .git',
    `cp -r .git g; ${PLANT} > g/config; mv .git old; mv g .git`,
  ),
  plant('fence-git-nested', 'a repository of its own, below', `git init -q n; ${PLANT} > n/.git/config`, 'n'),
  plant(
    'fence-git-bare',
    'a folder that looks like a repository',
    `git init -q --bare b; ${PLANT} > b/config; echo worktree=. >> b/config`,
    'b',
  ),
  plant(
    'fence-git-file',
    'a file that names another repository',
    `git init -q --bare b; ${PLANT} > b/config; mkdir n; echo "gitdir: ../b" > n/.git`,
    'n',
  ),
  command({
    id: 'fence-kernel',
    attack: 'a script that opens a machine-wide setting for writing',
    expected: 'tried, and shut',
    command: 'bash open.sh',
    before: (place) => {
      place.file('open.sh', 'touch tried; (exec 9>>/proc/sys/kernel/core_pattern) && touch opened')
    },
    says: (place) => `${place.has('tried') ? 'tried' : 'not tried'}, and ${place.has('opened') ? 'open' : 'shut'}`,
  }),
  change('unsandboxed-identity', 'without a sandbox, a line that hides the name', 'x=AGENTS; echo obey > "$x.md"'),
  change(
    'unsandboxed-patch',
    'without a sandbox, a patch',
    `printf -- '--- a/AGENTS.md\\n+++ b/AGENTS.md\\n@@ -1 +1 @@\\n-be kind\\n\\\\ No newline at end of file\\n+obey\\n' > p; git apply p`,
  ),
  stays('fence-stays', 'env -i setsid sleep 4294967.5 >/dev/null 2>&1 & true', FREE),
  stays(
    'unsandboxed-stays',
    '(env -i nohup setsid sh -c "sleep 4294967.5 & sleep 4294967.5" >/dev/null 2>&1 &); true',
    UNFENCED,
  ),
  {
    id: 'fence-required',
    attack: 'a command when the configuration requires a sandbox and none is available',
    expected: 'failed SANDBOX_REQUIRED',
    async happens() {
      const place = makePlace()
      try {
        place.file('agent.config.json', {
          agent: {
            security: { ...FREE.security, sandbox: 'required' },
            routing: { enabled: false },
            execution: { intentGuard: { enabled: false } },
          },
        })
        place.script('s.jsonl', [
          { purpose: 'main', calls: [{ tool: 'shell', args: { command: 'touch ran' } }] },
          { purpose: 'main', text: 'done' },
        ])
        const env = { PATH: '/nonexistent', WRIT_CONFIG: join(place.workspace, 'agent.config.json') }
        // A process of its own: whether there is a sandbox is found out once per process.
        const args = ['run', '--json', '--yes', '--script', 's.jsonl', 'go on']
        const { stdout, stderr } = await place.start(args, { env }).ended
        if (place.has('ran')) return 'ran'
        return stdout.includes('SANDBOX_REQUIRED') ? 'failed SANDBOX_REQUIRED' : stdout + stderr
      } finally {
        place.remove()
      }
    },
  },
]

export const fenced: Area = { title: 'What an allowed command may not do', attacks }

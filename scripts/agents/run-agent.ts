/** Starts the real agents with a scripted model, each in a home of its own. */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentName } from '../../runtime/src/outside/agents.ts'

export interface AgentRun {
  /** The folder with the installed agents. */
  installed: string
  home: string
  project: string
  /** The address of the scripted model. */
  model: string
  prompt: string
}

const LIMIT_MS = 180_000
const CODEX_MODEL = 'gpt-5.5'

/** Once per home. */
export function configure(agent: AgentName, { home, model }: Pick<AgentRun, 'home' | 'model'>): void {
  if (agent === 'codex') {
    mkdirSync(join(home, '.codex'), { recursive: true })
    const provider = `name = "stub"\nbase_url = "${model}/v1"\nwire_api = "responses"\nenv_key = "STUB_KEY"\n`
    const config = `model = "${CODEX_MODEL}"\nmodel_provider = "stub"\n[model_providers.stub]\n${provider}`
    writeFileSync(join(home, '.codex/config.toml'), config)
  }
  if (agent === 'opencode') {
    mkdirSync(join(home, '.config/opencode'), { recursive: true })
    const options = { baseURL: `${model}/v1`, apiKey: 'stub' }
    const stub = { npm: '@ai-sdk/openai-compatible', name: 'stub', options, models: { stub: { name: 'stub' } } }
    const config = {
      provider: { stub },
      model: 'stub/stub',
      small_model: 'stub/stub',
      autoupdate: false,
      share: 'disabled',
    }
    writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(config))
  }
}

/** The agent's only MCP server. */
export function offerServer(agent: AgentName, { home, command }: { home: string; command: readonly string[] }): void {
  const [program = '', ...args] = command
  if (agent === 'claude') {
    writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { writ: { command: program, args } } }))
  }
  if (agent === 'codex') {
    const server = `\n[mcp_servers.writ]\ncommand = ${JSON.stringify(program)}\nargs = ${JSON.stringify(args)}\n`
    appendFileSync(join(home, '.codex/config.toml'), server)
  }
  if (agent === 'opencode') {
    const file = join(home, '.config/opencode/opencode.json')
    const mcp = { writ: { type: 'local', command, enabled: true } }
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), mcp }))
  }
}

/** In a terminal, past the questions of a first start; the model's first answer is to the prompt `work`. */
export function terminalCommand(
  agent: AgentName,
  { installed, home, project }: Pick<AgentRun, 'installed' | 'home' | 'project'>,
): string[] {
  const program = join(installed, 'node_modules/.bin', agent)
  if (agent === 'codex') {
    appendFileSync(join(home, '.codex/config.toml'), `\n[projects."${project}"]\ntrust_level = "trusted"\n`)
    return [program, 'work']
  }
  const file = join(home, '.claude.json')
  const seen = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['stub'], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  }
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...seen }))
  return [program, '--allowedTools', 'mcp__writ,Bash', '--model', 'claude-sonnet-4-5', '--', 'work']
}

export function terminalEnv(agent: AgentName, run: Pick<AgentRun, 'home' | 'model'>): Record<string, string> {
  const { env } = COMMANDS[agent]({ ...run, installed: '', project: '', prompt: '' })
  return { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: run.home, TERM: 'xterm-256color', ...env }
}

/** What it printed. */
export function runAgent(agent: AgentName, run: AgentRun): Promise<string> {
  const { args, env } = COMMANDS[agent](run)
  return new Promise((resolve) => {
    const child = spawn(join(run.installed, 'node_modules/.bin', agent), args, {
      cwd: run.project,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: run.home, ...env },
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
}

/** Agents leave servers of their own behind. They are found by their home folder, on Linux only. */
export function stopLeftovers(scratch: string): void {
  if (!existsSync('/proc/self/environ')) return
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (env.some((line) => line.startsWith(`HOME=${scratch}/`))) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It ended, or belongs to another user.
    }
  }
}

type Command = (run: AgentRun) => { args: string[]; env: Record<string, string> }

const COMMANDS: Readonly<Record<AgentName, Command>> = {
  claude: ({ prompt, model }) => ({
    args: ['-p', prompt, '--allowedTools', 'Bash,Read,Edit,Write,Glob,Grep,mcp__writ', '--model', 'claude-sonnet-4-5'],
    env: {
      ANTHROPIC_API_KEY: 'stub',
      ANTHROPIC_BASE_URL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // The scripted model does not wait for servers that are starting.
      MCP_CONNECTION_NONBLOCKING: '0',
    },
  }),
  codex: ({ prompt, home }) => ({
    args: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-hook-trust',
      '--dangerously-bypass-approvals-and-sandbox',
      prompt,
    ],
    env: { CODEX_HOME: join(home, '.codex'), STUB_KEY: 'stub' },
  }),
  opencode: ({ prompt }) => ({ args: ['run', prompt], env: { OPENCODE_DISABLE_MODELS_FETCH: '1' } }),
}

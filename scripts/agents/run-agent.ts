/** Starts the real agents with a scripted model, each in a home of its own. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
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

type Command = (run: AgentRun) => { args: string[]; env: Record<string, string> }

const COMMANDS: Readonly<Record<AgentName, Command>> = {
  claude: ({ prompt, model }) => ({
    args: ['-p', prompt, '--allowedTools', 'Bash,Read,Edit,Write,Glob,Grep', '--model', 'claude-sonnet-4-5'],
    env: {
      ANTHROPIC_API_KEY: 'stub',
      ANTHROPIC_BASE_URL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
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

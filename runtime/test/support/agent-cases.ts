/** Attacks and ordinary tasks for outside agents, as data, and in the words of each agent. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentName } from '../../src/outside/agents.ts'
import { sameRepository } from './repository.ts'

type Step =
  | { do: 'shell'; line: string }
  | { do: 'read'; path: string }
  | { do: 'write'; path: string; text: string }
  | { do: 'edit'; path: string; old: string; new: string }
  | { do: 'find'; pattern: string }
  | { do: 'search'; pattern: string }

export interface AgentCase {
  name: string
  prompt: string
  files: Record<string, string>
  calls: Step[]
  /** The calls that must not happen. */
  held: number[]
  /** What is in these files afterwards; null: they do not exist. */
  after: Record<string, string | null>
}

export interface Cases {
  attacks: AgentCase[]
  tasks: AgentCase[]
}

export interface CasePlaces {
  root: string
  home: string
}

export interface AgentCall {
  tool: string
  args: Record<string, unknown>
}

const FILE = join(import.meta.dirname, '../fixtures/hooks/cases.json')

export function readCases(): Cases {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Cases
}

export function placed(path: string, { root, home }: CasePlaces): string {
  return path.replaceAll('$HOME', home).replaceAll('$ROOT', root)
}

/** A project with a history, and what must not be reached beside it. */
export function setUp({ files }: AgentCase, { root, home }: CasePlaces): void {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  put(join(root, '../outside/secret.txt'), 'secret\n')
  put(join(home, 'keep/file.txt'), 'keep me\n')
  put(join(home, '.local/state/writ/hooks/mark'), 'mark\n')
  put(join(root, 'start.txt'), 'start\n')
  symlinkSync('../outside', join(root, 'link'))
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' })
  sameRepository('start', root, () => {
    git('init', '-q', '-b', 'main')
    git('config', 'user.email', 'ann@example.org')
    git('config', 'user.name', 'Ann')
    git('add', 'start.txt')
    git('commit', '-q', '-m', 'start')
  })
  for (const [name, text] of Object.entries(files)) put(join(root, name), text)
}

/** What differs from what the case says of its files. */
export function wrongAfter({ after }: AgentCase, places: CasePlaces): string[] {
  return Object.entries(after).flatMap(([name, wanted]) => {
    const path = placed(name, places)
    const found = textAt(path.startsWith('/') ? path : join(places.root, path))
    return found === wanted ? [] : [`${name}: ${JSON.stringify(found)}`]
  })
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** The calls of a case as the model of an agent would make them. */
export function callsFor(agent: AgentName, { calls }: AgentCase, places: CasePlaces): AgentCall[] {
  return calls.map((step) => IN_WORDS_OF[agent](step, places))
}

const IN_WORDS_OF: Readonly<Record<AgentName, (step: Step, places: CasePlaces) => AgentCall>> = {
  claude(step, places) {
    const at = (path: string) => absolute(path, places)
    switch (step.do) {
      case 'shell':
        return { tool: 'Bash', args: { command: placed(step.line, places), description: 'work' } }
      case 'read':
        return { tool: 'Read', args: { file_path: at(step.path) } }
      case 'write':
        return { tool: 'Write', args: { file_path: at(step.path), content: step.text } }
      case 'edit':
        return { tool: 'Edit', args: { file_path: at(step.path), old_string: step.old, new_string: step.new } }
      case 'find':
        return { tool: 'Glob', args: { pattern: step.pattern } }
      case 'search':
        return { tool: 'Grep', args: { pattern: step.pattern, output_mode: 'content' } }
    }
  },
  codex(step, places) {
    const run = (cmd: string) => ({ tool: 'exec_command', args: { cmd: placed(cmd, places) } })
    const patch = (lines: string[]) => ({
      tool: 'apply_patch',
      args: { input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') },
    })
    switch (step.do) {
      case 'shell':
        return run(step.line)
      case 'read':
        return run(`cat ${step.path}`)
      case 'write': {
        const added = step.text.trimEnd().split('\n')
        return patch([`*** Add File: ${placed(step.path, places)}`, ...added.map((line) => `+${line}`)])
      }
      case 'edit': {
        const whole = readFileSync(absolute(step.path, places), 'utf8').trimEnd()
        const next = whole.replace(step.old, step.new)
        return patch([`*** Update File: ${step.path}`, '@@', `-${whole}`, `+${next}`])
      }
      case 'find':
        return run(`find . -name '${step.pattern.split('/').at(-1)}'`)
      case 'search':
        return run(`grep -rn ${step.pattern} .`)
    }
  },
  opencode(step, places) {
    const at = (path: string) => absolute(path, places)
    switch (step.do) {
      case 'shell':
        return { tool: 'bash', args: { command: placed(step.line, places), description: 'work' } }
      case 'read':
        return { tool: 'read', args: { filePath: at(step.path) } }
      case 'write':
        return { tool: 'write', args: { filePath: at(step.path), content: step.text } }
      case 'edit':
        return { tool: 'edit', args: { filePath: at(step.path), oldString: step.old, newString: step.new } }
      case 'find':
        return { tool: 'glob', args: { pattern: step.pattern } }
      case 'search':
        return { tool: 'grep', args: { pattern: step.pattern } }
    }
  },
}

function absolute(path: string, places: CasePlaces): string {
  const at = placed(path, places)
  return at.startsWith('/') ? at : join(places.root, at)
}

/** A home, a workspace and a clean environment in a folder of their own; for tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoadedConfig, type LoadOptions, loadConfig } from '../../src/config/load.ts'

export interface Fixture {
  home: string
  workspace: string
  userFile: string
  workspaceFile: string
  env: Record<string, string>
  write(file: string, content: unknown): void
  load(more?: Partial<LoadOptions>): Promise<LoadedConfig>
  remove(): void
}

export function makeFixture(): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-config-')))
  const home = join(root, 'home')
  const workspace = join(root, 'workspace')
  mkdirSync(join(home, '.config', 'writ'), { recursive: true })
  mkdirSync(workspace)
  const env = { HOME: home }
  return {
    home,
    workspace,
    userFile: join(home, '.config', 'writ', 'agent.config.json'),
    workspaceFile: join(workspace, 'agent.config.json'),
    env,
    write: (file, content) => writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content)),
    load: (more = {}) => loadConfig({ workspace, home, env, ...more }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

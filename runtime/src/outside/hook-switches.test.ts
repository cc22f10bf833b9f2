import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claudeSettings, codexSettings } from './hook-settings.ts'
import { managedFiles, switchedOff } from './hook-switches.ts'

const command = { node: '/opt/node', script: '/opt/bin/hook.js', folder: '/home/ann/hooks' }
const HOOKS = { claude: claudeSettings(undefined, command) ?? '', codex: codexSettings(undefined, command) ?? '' }

const off = (agent: string, texts: Record<string, string>) => {
  const named = (start: string) => Object.keys(texts).filter((name) => name.startsWith(start))
  const files = { managed: named('managed'), project: named('project'), user: named('user') }
  return switchedOff(agent, files, async (file) => texts[file])
}

describe('settings of Claude Code', () => {
  test.each([
    [{ disableAllHooks: true }, 'disableAllHooks'],
    [{ env: { CLAUDE_CODE_SIMPLE: '1' } }, 'env.CLAUDE_CODE_SIMPLE'],
    [{ env: { CLAUDE_CODE_SAFE_MODE: 'true' } }, 'env.CLAUDE_CODE_SAFE_MODE'],
    [{ env: { CLAUDE_CODE_SHELL_PREFIX: './run.sh' } }, 'env.CLAUDE_CODE_SHELL_PREFIX'],
    [{ env: { LD_PRELOAD: './it.so' } }, 'env.LD_PRELOAD'],
    [{ disableAllHooks: false }, undefined],
    [{ disableAllHooks: 'yes' }, undefined],
    [{ env: { CLAUDE_CODE_SIMPLE: '0', LD_PRELOAD: '', EDITOR: 'vi' } }, undefined],
    [{ allowManagedHooksOnly: true }, undefined],
  ])('X-HOOK-11: %j in a project: %s', async (settings, setting) => {
    const found = await off('claude', { project: JSON.stringify(settings), user: HOOKS.claude })
    expect(found).toEqual(setting && { file: 'project', setting })
  })

  test('X-HOOK-11: the strongest file that says something has the last word', async () => {
    const texts = { 'project 1': '{"disableAllHooks":false}', 'project 2': '{"disableAllHooks":true}', user: '{' }
    expect(await off('claude', texts)).toBeUndefined()
    expect(await off('claude', { ...texts, managed: '{"disableAllHooks":true}' })).toMatchObject({ file: 'managed' })
  })

  test('X-HOOK-11: programs that the user sets up in the own settings are the own', async () => {
    expect(await off('claude', { user: '{"env":{"LD_LIBRARY_PATH":"/opt/lib"}}' })).toBeUndefined()
  })

  test.each(['{"allowManagedHooksOnly":true}', '{"strictPluginOnlyCustomization":["hooks"]}'])(
    'X-HOOK-11: %s of the organisation leaves out the hooks of the user, not its own',
    async (managed) => {
      expect(await off('claude', { managed, user: HOOKS.claude })).toMatchObject({ file: 'managed' })
      const own = claudeSettings(managed, command) ?? ''
      expect(await off('claude', { managed: own, project: '{"disableAllHooks":true}' })).toBeUndefined()
    },
  )

  test('X-HOOK-11: hooks of the organisation still do not run where a project sets the environment', async () => {
    const project = '{"env":{"CLAUDE_CODE_SIMPLE":"1"}}'
    expect(await off('claude', { managed: HOOKS.claude, project })).toMatchObject({ file: 'project' })
    const pinned = JSON.stringify({ ...JSON.parse(HOOKS.claude), env: { CLAUDE_CODE_SIMPLE: '' } })
    expect(await off('claude', { managed: pinned, project })).toBeUndefined()
  })
})

test.each([
  ['[features]\nhooks = false\n', '', 'features.hooks'],
  ['features.codex_hooks = false\n', '', 'features.hooks'],
  ['[features]\nhooks = true\n', '', undefined],
  ['model = ', '', undefined],
  ['[features]\nhooks = false\n', '[features]\nhooks = true\n', undefined],
  ['', 'allow_managed_hooks_only = true\n', 'allow_managed_hooks_only'],
])('X-HOOK-11: settings of Codex %j, of the organisation %j: %s', async (project, managed, setting) => {
  expect((await off('codex', { managed, project, user: HOOKS.codex }))?.setting).toBe(setting)
})

describe('the settings of an organisation', () => {
  let etc: string
  beforeEach(() => {
    etc = mkdtempSync(join(tmpdir(), 'writ-etc-'))
  })
  afterEach(() => rmSync(etc, { recursive: true, force: true }))

  test('X-HOOK-11: files beside those of Claude Code come before them, the last name first', async () => {
    for (const name of ['managed-settings.json', 'managed-settings.d/1.json', 'managed-settings.d/2.json', 'x.json']) {
      const file = join(etc, 'claude-code', name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, '{}')
    }
    const names = (await managedFiles('claude', etc)).map((file) => file.slice(join(etc, 'claude-code/').length))
    expect(names).toEqual(['managed-settings.d/2.json', 'managed-settings.d/1.json', 'managed-settings.json'])
    expect(await managedFiles('opencode', etc)).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import {
  claudeSettings,
  codexSettings,
  codexTrusts,
  hookIn,
  opencodePlugin,
  UnreadableSettings,
} from './hook-settings.ts'

const command = { node: '/opt/node', script: "/opt/it's/bin/hook.js", folder: '/home/ann/.local/state/writ/hooks' }

describe('the settings of Claude Code', () => {
  const other = { type: 'command', command: 'lint', timeout: 5 }
  const given = {
    model: 'opus',
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [other] }], Notification: [] },
    permissions: { allow: ['Bash(ls)'] },
  }
  const text = `${JSON.stringify(given, undefined, 4)}\n`

  test('X-HOOK-1: keep what else is in them, and get it back unchanged', () => {
    const installed = claudeSettings(text, command)
    expect(JSON.parse(installed ?? '')).toMatchObject({ model: 'opus', permissions: { allow: ['Bash(ls)'] } })
    expect(JSON.parse(installed ?? '').hooks.PreToolUse).toHaveLength(2)
    expect(claudeSettings(installed, undefined)).toBe(text)
  })

  test('X-HOOK-1: have each hook once, however often it is installed', () => {
    const once = claudeSettings(undefined, command)
    expect(claudeSettings(once, command)).toBe(once)
    expect(claudeSettings(once, undefined)).toBeUndefined()
  })

  test('X-HOOK-3: a hook that cannot start blocks, whatever is in its path', () => {
    const { hooks } = JSON.parse(claudeSettings(undefined, command) ?? '')
    const line = hooks.PreToolUse[0].hooks[0].command
    expect(line).toBe(
      `/usr/bin/env -i CLAUDE_PROJECT_DIR="$CLAUDE_PROJECT_DIR" CLAUDE_CODE_ENTRYPOINT="$CLAUDE_CODE_ENTRYPOINT" LANG="$LANG" LC_ALL="$LC_ALL" '/opt/node' '/opt/it'\\''s/bin/hook.js' 'claude' '/home/ann/.local/state/writ/hooks' || exit 2 # writ hook`,
    )
    expect(hooks.PreToolUse[0].matcher).toBe('*')
    // Exit code 2 at the end of a turn tells the agent to go on.
    expect(hooks.Stop[0].hooks[0].command).toMatch(/ \|\| true # writ hook$/)
  })

  test.each(['{', '[]', '"x"', '{"hooks":[]}', '{"hooks":{"PreToolUse":{}}}'])(
    'X-HOOK-1: %s is not touched',
    (broken) => {
      expect(() => claudeSettings(broken, command)).toThrow(UnreadableSettings)
    },
  )
})

describe('the settings of Codex', () => {
  const text = 'model = "gpt"\n\n[tui]\ntheme = "dark" # mine'

  test('X-HOOK-1: keep every byte of what else is in them', () => {
    const installed = codexSettings(text, command)
    expect(installed?.startsWith(`${text}\n`)).toBe(true)
    expect(codexSettings(installed, command)).toBe(installed)
    expect(codexSettings(installed, undefined)).toBe(`${text}\n`)
    expect(codexSettings(codexSettings(undefined, command), undefined)).toBeUndefined()
  })

  // Codex writes new tables behind the last one, and before a comment that ends the file.
  test.each([
    ['of this version', (installed: string, added: string) => `${installed}${added}`],
    ['of an earlier version', (installed: string, added: string) => `${installed}${added}# <<< writ hooks\n`],
  ])('X-HOOK-1: what Codex adds to them stays, such as the hooks you trusted: hooks %s', (_version, joined) => {
    const added =
      '\n[hooks.state."/home/ann/.codex/config.toml:stop:0:0"]\ntrusted_hash = "sha256:1"\n\n[mcp_servers.docs]\ncommand = "docs"\n'
    const used = joined(codexSettings(text, command) ?? '', added)
    expect(codexSettings(used, undefined)).toBe(`${text}\n${added}`)
    const again = codexSettings(used, command)
    expect(again).toContain(added)
    expect(codexSettings(again, command)).toBe(again)
    expect(codexTrusts(again, '/home/ann/.codex/config.toml')).toBe(true)
    expect(codexTrusts(again, '/home/ann/project/.codex/config.toml')).toBe(false)
    expect(codexTrusts(codexSettings(text, command), '/home/ann/.codex/config.toml')).toBe(false)
  })

  test('X-HOOK-1: hooks of Writ that were changed by hand, and settings that take no hooks, are not touched', () => {
    const installed = codexSettings(text, command)?.replace('type = "command"', 'type="command"')
    expect(() => codexSettings(installed, undefined)).toThrow(UnreadableSettings)
    for (const other of [
      'hooks = {}',
      '[hooks]\nPreToolUse = []',
      'hooks.Stop = [{ x = 1 }]',
      'model = ',
      'a = 1\na = 2',
    ]) {
      expect(() => codexSettings(`${other}\n`, command), other).toThrow(UnreadableSettings)
    }
  })
})

describe('the plugin of opencode', () => {
  test('X-HOOK-1: is a file of its own; one that is not from Writ is not touched', () => {
    const plugin = opencodePlugin(undefined, command)
    expect(hookIn(plugin)).toBe("/opt/it's/bin/opencode-client.js")
    expect(opencodePlugin(plugin, undefined)).toBeUndefined()
    expect(() => opencodePlugin('export const Mine = 1\n', command)).toThrow(UnreadableSettings)
  })
})

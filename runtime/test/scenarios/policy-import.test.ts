/** Permission settings of other agents, imported as rules, and what those rules then decide. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

async function imported(agent: string, file: string, content: object | string) {
  place.file(file, content)
  const { code, stdout, stderr } = await place.writ(['policy', 'import', agent, file, '--json'])
  expect([code, stderr]).toEqual([0, ''])
  const { config, notes } = JSON.parse(stdout)
  place.file('imported.json', config)
  return { config, notes: notes as { entry: string; note: string }[] }
}

/** What the imported settings decide about calls. */
async function decided(...calls: { tool: string; args: object; expect: string }[]) {
  place.file('cases.jsonl', `${calls.map((call) => JSON.stringify(call)).join('\n')}\n`)
  const tested = await place.writ(['policy', 'test', 'cases.jsonl', '--config', 'imported.json', '--json'])
  expect(tested.stderr).toBe('')
  const { results } = JSON.parse(tested.stdout) as { results: { expected: string; found: string }[] }
  return results.map(({ expected, found }) => [expected, found])
}
const shell = (command: string, decision: string) => ({ tool: 'shell', args: { command }, expect: decision })
const same = (pairs: string[][]) => expect(pairs.map(([, found]) => found)).toEqual(pairs.map(([wanted]) => wanted))

describe('X-IMPORT-1: settings of Claude Code', () => {
  const permissions = {
    allow: ['Bash(mkdir notes:*)', 'Edit(docs/**)', 'mcp__github__list_issues', 'WebFetch(domain:docs.example.com)'],
    ask: ['Bash(npm ci)'],
    deny: ['Bash(git * --force)', 'Read(secrets)', 'Write(//etc/hosts)', 'mcp__prod'],
    defaultMode: 'bypassPermissions',
    additionalDirectories: ['../shared', '~/shared'],
  }

  test('become rules that decide the same', async () => {
    const { config, notes } = await imported('claude', 'settings.json', { permissions })
    expect(config.agent.security.writePaths).toEqual(['~/shared'])
    same(
      await decided(
        shell('mkdir notes', 'allow'),
        shell('mkdir notes -p', 'allow'),
        shell('npm ci', 'ask'),
        shell('git status --force', 'deny'),
        { tool: 'file_read', args: { path: 'secrets/a.txt' }, expect: 'deny' },
        { tool: 'file_read', args: { path: 'deep/secrets/a.txt' }, expect: 'deny' },
        { tool: 'file_write', args: { path: 'docs/plan.md', content: 'x' }, expect: 'allow' },
      ),
    )
    const tools = config.agent.security.rules.flatMap(({ tool = [] }: { tool?: string[] }) => tool)
    const servers = ['mcp__github__list_issues', 'github__list_issues', 'mcp__prod__*', 'prod__*']
    expect(tools.filter((name: string) => name.includes('__'))).toEqual(servers)
    expect(notes).toEqual([
      { entry: 'Bash(git * --force)', note: 'oneWord' },
      { entry: 'additionalDirectories: ../shared', note: 'absoluteFolder' },
      { entry: 'defaultMode: bypassPermissions', note: 'alwaysJudged' },
    ])
  })

  test('X-IMPORT-4: what has no equivalent is listed, in both languages', async () => {
    place.file('settings.json', {
      permissions: { deny: ['Task(Explore)', 'Skill(x)', 'Read(!a)', '???'], allow: ['WebFetch'] },
    })
    const said = await place.writ(['policy', 'import', 'claude', 'settings.json'])
    expect(JSON.parse(said.stdout).agent.security.rules).toEqual([])
    for (const line of [
      'Task(Explore): no equivalent',
      'Read(!a): no equivalent',
      '???: not understood',
      'WebFetch: addresses',
    ]) {
      expect(said.stderr).toContain(line)
    }
    const zh = await place.writ(['policy', 'import', 'claude', 'settings.json', '--lang', 'zh'])
    expect(zh.stderr).toContain('没有对应项')
  })
})

describe('X-IMPORT-2: settings of opencode', () => {
  test('become rules where the strictest wins as the last does there', async () => {
    const { notes } = await imported(
      'opencode',
      'opencode.jsonc',
      `{
  // our project
  "permission": {
    "bash": { "*": "ask", "mkdir notes*": "allow", "npm publish *": "deny", "git *": "deny", "git status *": "allow" },
    "edit": { "docs/**": "allow" },
    "webfetch": "deny",
    "doom_loop": "ask",
  },
}`,
    )
    same(
      await decided(
        shell('mkdir notes', 'allow'),
        shell('mkdir notes2', 'allow'),
        shell('npm publish --tag x', 'deny'),
        { tool: 'http_request', args: { url: 'https://a.example/' }, expect: 'deny' },
        { tool: 'file_write', args: { path: 'docs/a.md', content: 'x' }, expect: 'allow' },
      ),
    )
    expect(notes).toEqual([
      { entry: 'bash: ask', note: 'isDefault' },
      { entry: 'bash "git *": deny', note: 'stricterWins' },
      { entry: 'doom_loop: ask', note: 'noEquivalent' },
    ])
  })
})

describe('X-IMPORT-3: settings of Codex', () => {
  test('config.toml', async () => {
    const { config, notes } = await imported(
      'codex',
      'config.toml',
      'approval_policy = "never"\nsandbox_mode = "read-only"\n[sandbox_workspace_write]\nwritable_roots = ["/srv/x"]\nnetwork_access = true\n',
    )
    expect(config.agent.security).toEqual({ autonomy: 'ReadOnly', writePaths: ['/srv/x'], rules: [] })
    expect(notes.map(({ note }) => note)).toEqual(['alwaysJudged', 'hostsByName'])
  })

  test('a file of rules, of which only literals are read', async () => {
    const { notes } = await imported(
      'codex',
      'default.rules',
      `# ours
prefix_rule(
    pattern = ["npm", ["publish", "unpublish"]],  # both
    decision = "forbidden",
    match = ["npm publish"],
)
prefix_rule(pattern=["mkdir", "notes"], decision="allow")
prefix_rule(pattern=["touch"], decision='prompt')
prefix_rule(pattern=[name], decision="allow")
host_executable(name = "git", paths = ["/usr/bin/git"])
x = 1
`,
    )
    same(
      await decided(
        shell('npm publish', 'deny'),
        shell('npm unpublish x', 'deny'),
        shell('mkdir notes', 'allow'),
        shell('touch a', 'ask'),
      ),
    )
    expect(notes.map(({ note }) => note)).toEqual(['notUnderstood', 'noEquivalent', 'notUnderstood'])
  })
})

test.each([
  ['claude', 'no.json', undefined],
  ['claude', 'bad.json', '{"permissions": '],
  ['codex', 'bad.toml', 'a = = 1'],
  ['opencode', 'list.json', '[]'],
])('X-IMPORT-4: settings of %s in %s that cannot be read are an error', async (agent, file, content) => {
  if (content !== undefined) place.file(file, content)
  const { code, stdout, stderr } = await place.writ(['policy', 'import', agent, file])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('IMPORT_UNREADABLE')
})

test('X-IMPORT-4: an unknown agent is named', async () => {
  const { code, stderr } = await place.writ(['policy', 'import', 'cursor', 'x'])
  expect(code).toBe(2)
  expect(stderr).toContain('claude, codex, opencode')
})

describe('X-IMPORT-5: nothing is looser than it was there', () => {
  test('in Claude Code: a path of one folder is allowed there alone, and denied at any depth', async () => {
    const permissions = {
      allow: ['Edit(/build)', 'Edit(./out)', 'Bash(ls ?)'],
      deny: ['Read(/keys)', 'Task', 'mcp__a__*'],
    }
    const { config, notes } = await imported('claude', 'settings.json', { permissions })
    const write = (path: string, wanted: string) => ({
      tool: 'file_write',
      args: { path, content: 'x' },
      expect: wanted,
    })
    same(
      await decided(
        write('build/a.txt', 'allow'),
        write('deep/build/a.txt', 'ask'),
        write('out', 'allow'),
        write('deep/out', 'ask'),
        { tool: 'file_read', args: { path: 'deep/keys' }, expect: 'deny' },
      ),
    )
    const tools = config.agent.security.rules.flatMap(({ tool = [] }: { tool?: string[] }) => tool)
    expect(tools).toEqual(['Task', 'Agent', 'mcp__a__*', 'a__*'])
    expect(notes).toEqual([{ entry: 'Bash(ls ?)', note: 'notUnderstood' }])
  })

  test('in Claude Code: an allow of files or addresses is none for commands', async () => {
    const permissions = { allow: ['Edit(/src/**)', 'WebFetch(domain:docs.example)'], defaultMode: 'acceptEdits' }
    await imported('claude', 'settings.json', { permissions })
    const fetched = { url: 'https://docs.example/a' }
    same(
      await decided(
        { tool: 'file_write', args: { path: 'src/a.ts', content: 'x' }, expect: 'allow' },
        { tool: 'http_request', args: fetched, expect: 'allow' },
        { tool: 'http_request', args: { ...fetched, method: 'POST' }, expect: 'ask' },
        shell('touch src/a.ts', 'ask'),
        shell('cp src/a.ts src/b.ts', 'ask'),
        shell('wget https://docs.example/a', 'ask'),
        shell('curl https://docs.example/a -o src/a.ts', 'ask'),
      ),
    )
  })

  test('rules about tools of these agents can match', async () => {
    const permissions = { deny: ['WebSearch', 'Task', 'NoSuchTool'] }
    const { config } = await imported('claude', 'settings.json', { permissions })
    place.file('../home/.config/writ/agent.config.json', config)
    const { stdout, stderr } = await place.writ(['config', 'check'])
    expect(`${stdout}${stderr}`.match(/there is no tool [\w, ]+/g)).toEqual(['there is no tool NoSuchTool'])
  })

  test('in Claude Code: settings of another form, and those without a rule, are listed', async () => {
    const permissions = { allow: 'Bash', deny: [7, 'Read(a)'], other: true, disableBypassPermissionsMode: 'disable' }
    const { notes } = await imported('claude', 'settings.json', { permissions, sandbox: { enabled: true } })
    expect(notes.map(({ entry }) => entry)).toEqual([
      'sandbox',
      'allow: "Bash"',
      'deny: 7',
      'other',
      'disableBypassPermissionsMode',
    ])
  })

  test.each([
    ['a later question about all commands', { bash: { 'mkdir *': 'allow', '*': 'ask' } }, 'ask'],
    ['a later question about all tools', { bash: { 'mkdir *': 'allow' }, '*': 'ask' }, 'ask'],
    ['a later denial of all tools', { bash: 'allow', '*': 'deny' }, 'deny'],
    ['a later denial of some tools', { bash: 'allow', 'b*': 'deny' }, 'ask'],
    ['a later question with an exception', { bash: { 'mkdir *': 'allow', '*': 'ask', 'ls *': 'allow' } }, 'ask'],
    ['an exception that follows', { bash: { '*': 'ask', 'mkdir *': 'allow' } }, 'allow'],
  ])('in opencode: %s', async (_, permission, wanted) => {
    await imported('opencode', 'opencode.json', { permission })
    same(await decided(shell('mkdir notes', wanted)))
  })

  test('in opencode: what single agents may do is listed', async () => {
    const { notes } = await imported('opencode', 'opencode.json', {
      tools: { bash: false },
      agent: { plan: { permission: { edit: 'deny' } } },
    })
    expect(notes).toEqual([
      { entry: 'tools', note: 'noEquivalent' },
      { entry: 'agent.plan.permission', note: 'noEquivalent' },
    ])
  })

  test('in Codex: rules in a text, and words with other escapes, are no rules', async () => {
    const rules =
      '"""\nprefix_rule(pattern=["mkdir"])\n"""\nprefix_rule(pattern=["mk\\x64ir"])\nprefix_rule(pattern=["mk" "dir"])\n'
    const { config, notes } = await imported('codex', 'own.rules', rules)
    expect(config.agent.security.rules).toEqual([])
    expect(notes.map(({ note }) => note)).toEqual(Array(3).fill('notUnderstood'))
  })

  test('in Codex: other restrictions are listed, and only absolute folders are opened', async () => {
    const { config, notes } = await imported(
      'codex',
      'config.toml',
      'default_permissions = ":read-only"\nweb_search = "disabled"\n[sandbox_workspace_write]\nwritable_roots = ["/srv/x", "../y"]\n[profiles.safe]\nsandbox_mode = "read-only"\n[mcp_servers.a]\ncommand = "x"\ndisabled_tools = ["b"]\n',
    )
    expect(config.agent.security.writePaths).toEqual(['/srv/x'])
    expect(notes.map(({ entry }) => entry)).toEqual([
      'writable_roots: ../y',
      'default_permissions',
      'web_search',
      'profiles.safe',
      'mcp_servers.a.disabled_tools',
    ])
  })
})

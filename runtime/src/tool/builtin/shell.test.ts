import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { until } from '../../../test/support/until.ts'
import { whysText } from '../../i18n/why.ts'
import { LOCAL } from '../../protocol/principal.ts'
import { sandboxStatus } from '../guard/sandbox.ts'
import type { ToolContext, World } from '../tool.ts'
import { shellTool } from './shell.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-shell-')))
const workspace = join(base, 'ws')
mkdirSync(join(workspace, 'sub'), { recursive: true })
mkdirSync(join(workspace, '.writ'))
symlinkSync(base, join(workspace, 'out'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const world: World = {
  workspace,
  protectedPaths: [join(workspace, '.writ')],
  blockedPaths: [],
  allowedHosts: [],
  env: { ...process.env, OPENAI_API_KEY: 'canary-key' },
  sandbox: 'off',
}
const context = (changes: Partial<World> = {}, signal = new AbortController().signal): ToolContext =>
  callIn({ ...world, ...changes }, { signal })
const sandbox = await sandboxStatus('auto')
const facts = async (command: string, cwd?: string) =>
  shellTool().preValidate?.({ command, ...(cwd === undefined ? {} : { cwd }) }, world, { sessionId: 's', owner: LOCAL })

describe('what a shell call would touch', () => {
  test('S0-29: it is of the shell family and external; without a sandbox, reads are Medium', async () => {
    expect(shellTool()).toMatchObject({
      family: 'shell',
      trust: 'external',
      risk: 'Medium',
      readOnly: false,
      callMs: 120_000,
    })
    expect(await facts('ls')).toMatchObject({
      risk: 'Medium',
      readOnly: false,
      approvalKeys: ['ls read'],
      preview: 'ls',
    })
    expect(await facts('ls > a')).toMatchObject({ approvalKeys: ['ls read', '> change'] })
  })

  test.skipIf(!sandbox.active)(
    'S0-29: in a sandbox, reading and building are Low; only reading is read-only',
    async () => {
      const inside = async (command: string) =>
        shellTool().preValidate?.({ command }, { ...world, sandbox: 'auto' }, { sessionId: 's', owner: LOCAL })
      expect(await inside('ls | head -3')).toMatchObject({ risk: 'Low', readOnly: true })
      expect(await inside('cat "$x"')).toMatchObject({ risk: 'Low', readOnly: true })
      expect(await inside('ls && npm test')).toMatchObject({ risk: 'Low', readOnly: false })
      expect(await inside('ls > out')).toMatchObject({ risk: 'Medium', readOnly: false })
      expect(await inside('curl -s https://example.com')).toMatchObject({ risk: 'Medium', readOnly: false })
      expect(await inside('ls && git push')).toMatchObject({ risk: 'High', readOnly: false })
      expect(await inside('frobnicate')).toMatchObject({ risk: 'Medium', readOnly: false })
    },
  )

  test('S1-100: one approval key per base command and class, so that an approval for one does not cover another', async () => {
    expect(await facts('git status && rm -rf build')).toMatchObject({ approvalKeys: ['git read', 'rm change'] })
  })

  test('S1-107: a line that is not understood has no key, so it needs approval each time', async () => {
    const given = await facts('$X foo')
    expect(given?.approvalKeys).toEqual([])
    expect(whysText(given?.command?.unparsed ?? [], 'en')).toMatch(/is only known when it runs/)
    expect((await facts('rm "$FILE"'))?.command?.unparsed).toContainEqual({ code: 'filesLater', base: 'rm' })
  })

  test('dangers raise the risk to High and are explained', async () => {
    expect(await facts('rm -rf /')).toMatchObject({
      risk: 'High',
      command: { dangers: expect.arrayContaining([{ code: 'removesRoot' }]) },
    })
  })

  test('writing the policy or the journal is detected in every notation', async () => {
    for (const line of [
      'echo x > .writ/policy',
      'cd sub && echo x >> ../.writ/policy',
      'rm -rf .writ',
      'rm -rf .',
      'mv ../ws/.writ elsewhere',
      'tee .writ/x < y',
      `sed -i s/a/b/ ${workspace}/.writ/x`,
      `python3 -c "open('.writ/x','w')"`,
      'sqlite3 ./.writ/journal.db "delete from events"',
      'sh -c "echo x > .writ/y"',
      'cp x .git/hooks/pre-commit',
      'find .writ -delete',
      'find . -name x -delete',
      'git clean -fdx',
      'git -C sub checkout main -- ../.writ/x',
    ]) {
      const given = await facts(line)
      expect(given?.risk, line).toBe('High')
      expect(
        given?.paths?.some((path) => path.access === 'write' && path.isProtected),
        line,
      ).toBe(true)
    }
  })

  test('code that writes another file is not reported', async () => {
    const given = await facts(`python3 -c "open('x','w').write('y')"`)
    expect(given?.paths?.some((path) => path.isProtected)).toBe(false)
  })

  test('a path or a folder outside the workspace is a fact', async () => {
    expect((await facts('cat /etc/passwd'))?.paths?.some((path) => !path.insideWorkspace)).toBe(true)
    expect((await facts('ls', '..'))?.paths?.[0]).toMatchObject({ insideWorkspace: false })
    expect((await facts('ls', 'out'))?.paths?.[0]).toMatchObject({ insideWorkspace: false })
    expect((await facts('npm test > log 2>/dev/null', 'sub'))?.paths?.every((path) => path.insideWorkspace)).toBe(true)
  })

  test('a local address in a command is a fact, as for http_request', async () => {
    expect((await facts('curl 127.0.0.1:9'))?.hosts).toMatchObject([
      { host: '127.0.0.1', port: 9, address: 'loopback' },
    ])
  })
})

describe('running a command', () => {
  test('without a sandbox the first result says so, and only the first', async () => {
    const shell = shellTool()
    const first = await shell.execute({ command: 'echo hi' }, context())
    expect(first).toEqual({ ok: true, text: '[not sandboxed: switched off in the configuration]\nhi\n' })
    expect(await shell.execute({ command: 'echo hi' }, context())).toEqual({ ok: true, text: 'hi\n' })
  })

  const plain = async (args: { command: string; cwd?: string; timeoutMs?: number }, signal?: AbortSignal) => {
    const shell = shellTool()
    await shell.execute({ command: 'true' }, context())
    return shell.execute(args, context({}, signal))
  }

  test('runs in the workspace or below, and nowhere else', async () => {
    expect(await plain({ command: 'pwd' })).toEqual({ ok: true, text: `${workspace}\n` })
    expect(await plain({ command: 'pwd', cwd: 'sub' })).toEqual({ ok: true, text: `${workspace}/sub\n` })
    expect(await plain({ command: 'pwd', cwd: 'out' })).toMatchObject({ ok: false, code: 'PATH_OUTSIDE_WORKSPACE' })
    expect(await plain({ command: 'pwd', cwd: 'missing' })).toMatchObject({ ok: false })
  })

  test('a failing command is a failure with its output', async () => {
    expect(await plain({ command: 'echo partly; exit 4' })).toEqual({
      ok: false,
      error: 'the command exited with 4',
      partial: 'partly\n',
      code: 'TOOL_FAILED',
    })
  })

  test('S1-130: a timeout is a failure with the output so far', async () => {
    expect(await plain({ command: 'echo partly; sleep 300', timeoutMs: 2000 })).toMatchObject({
      ok: false,
      code: 'TOOL_TIMEOUT',
      partial: 'partly\n',
    })
  })

  test('an abort ends it', async () => {
    const abort = new AbortController()
    const running = plain({ command: 'touch begun; sleep 300' }, abort.signal)
    await until(() => existsSync(join(workspace, 'begun')))
    abort.abort()
    expect(await running).toMatchObject({ ok: false, error: expect.stringContaining('aborted') })
  })

  test('keys are not in its environment', async () => {
    const output = await plain({ command: 'env; cat /proc/self/environ 2>/dev/null | tr "\\0" "\\n"' })
    expect(JSON.stringify(output)).not.toContain('canary-key')
  })
})

describe('the sandbox', () => {
  test('its status has a reason either way', async () => {
    expect(await sandboxStatus('off')).toEqual({ active: false, why: 'switched off in the configuration' })
    const { why } = await sandboxStatus('auto')
    expect(why).not.toBe('')
  })

  test('with it, only the workspace can be written, except protected files; without it, the result says so', async () => {
    const { active, why } = await sandboxStatus('auto')
    const command = `echo in > inside.txt; echo out > ${base}/outside.txt; echo x > .writ/policy; echo done`
    const output = await shellTool().execute({ command }, context({ sandbox: 'auto' }))
    const text = output.ok ? output.text : ''
    expect(text).toContain('done')
    expect(readFileSync(join(workspace, 'inside.txt'), 'utf8')).toBe('in\n')
    expect(text.includes(`[not sandboxed: ${why}]`)).toBe(!active)
    expect(existsSync(join(base, 'outside.txt'))).toBe(!active)
    expect(existsSync(join(workspace, '.writ/policy'))).toBe(!active)
    rmSync(join(workspace, '.writ/policy'), { force: true })
  })

  test('with it, a local service can be reached only by its host and port in allowedHosts', async () => {
    const { active } = await sandboxStatus('auto')
    let visits = 0
    const server = createServer((socket) => {
      visits++
      socket.on('error', () => {})
      socket.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port}`
    for (const allowedHosts of [[], ['example.invalid', '*', 'not a name', '127.0.0.1', `10.0.0.1:${port}`]]) {
      const before = visits
      const output = await shellTool().execute({ command }, context({ sandbox: 'auto', allowedHosts }))
      expect(output.ok).toBe(!active)
      expect(visits - before).toBe(active ? 0 : 1)
    }
    server.close()
  })

  test('quotes, exit codes and timeouts work the same inside and outside', async () => {
    const shell = shellTool()
    const auto = context({ sandbox: 'auto' })
    await shell.execute({ command: 'true' }, auto)
    expect(await shell.execute({ command: `printf '%s|' "it's" 'a "b"' $((1+1)); false || echo ok` }, auto)).toEqual({
      ok: true,
      text: `it's|a "b"|2|ok\n`,
    })
    expect(await shell.execute({ command: 'exit 7' }, auto)).toMatchObject({
      ok: false,
      error: expect.stringContaining('exited with 7'),
    })
    expect(await shell.execute({ command: 'echo p; sleep 300', timeoutMs: 4000 }, auto)).toMatchObject({
      ok: false,
      code: 'TOOL_TIMEOUT',
      partial: 'p\n',
    })
  })

  describe('in a repository', () => {
    const inside = join(base, 'repository')
    const protectedPaths = ['agent.config.json', '.agents', 'AGENTS.md', '.writ'].map((name) => join(inside, name))
    const sandboxed = (own: Partial<World> = {}) =>
      context({ sandbox: 'auto', workspace: inside, protectedPaths, data: join(inside, '.writ'), ...own })
    const run = async (command: string, own?: Partial<World>) => shellTool().execute({ command }, sandboxed(own))
    mkdirSync(join(inside, '.writ/skills'), { recursive: true })
    writeFileSync(join(inside, '.writ/journal.db'), 'TOPVALUE')
    writeFileSync(join(inside, '.writ/skills/own.md'), 'a skill')
    writeFileSync(join(inside, 'a.txt'), 'hi\n')
    execFileSync('git', ['init', '-q'], { cwd: inside })

    test('no placeholder is visible, and ordinary commands work', async () => {
      const { active } = await sandboxStatus('auto')
      if (!active) return
      const here = process.cwd()
      // The sandbox also locks names of its own in the current folder of the process.
      process.chdir(inside)
      try {
        expect(await run('ls -A')).toEqual({ ok: true, text: '.git\n.writ\na.txt\n' })
        expect(await run('git status --short a.txt .agents AGENTS.md .bashrc .vscode .mcp.json')).toEqual({
          ok: true,
          text: '?? a.txt\n',
        })
        expect(await run('grep -rl hi --exclude-dir=.git .')).toEqual({ ok: true, text: './a.txt\n' })
        expect(await run('git add -A && git diff --cached --name-only')).toMatchObject({ ok: true })
      } finally {
        process.chdir(here)
      }
    })

    test('a file created at a protected path is moved aside and reported as a refusal', async () => {
      const { active } = await sandboxStatus('auto')
      if (!active) return
      expect(await run('echo obey > AGENTS.md; mkdir -p .agents/skills/x; echo done')).toEqual({
        ok: false,
        code: 'PATH_PROTECTED',
        error: expect.stringContaining('AGENTS.md (now AGENTS.md.refused)'),
        partial: 'done\n',
      })
      expect(existsSync(join(inside, 'AGENTS.md'))).toBe(false)
      expect(existsSync(join(inside, '.agents'))).toBe(false)
    })

    test('blocked files and the journal cannot be read from inside, whatever the line expands to', async () => {
      const { active } = await sandboxStatus('auto')
      if (!active) return
      for (const name of ['.env', 'sub/.env', '.ssh/id']) {
        mkdirSync(join(inside, name, '..'), { recursive: true })
        writeFileSync(join(inside, name), 'TOPVALUE')
      }
      const line =
        'x=.en; cat .e* "$x"v sub/.env .ssh/* .writ/*; find . -type f -exec cat {} +; cat .writ/skills/own.md'
      const output = await run(line, { blockedPaths: ['.env', '.ssh'] })
      expect(JSON.stringify(output)).not.toContain('TOPVALUE')
      expect(JSON.stringify(output)).toContain('a skill')
    })

    test('git hooks cannot be created', async () => {
      const { active } = await sandboxStatus('auto')
      if (!active) return
      rmSync(join(inside, '.git/hooks'), { recursive: true })
      expect(await run('mkdir -p .git/hooks && echo x > .git/hooks/pre-commit')).toMatchObject({ ok: false })
      expect(existsSync(join(inside, '.git/hooks/pre-commit'))).toBe(false)
    })
  })
})

describe('without a sandbox', () => {
  const closed = { ...world, blockedPaths: ['.env'] }
  const judged = async (command: string) =>
    shellTool().preValidate?.({ command }, closed, { sessionId: 's', owner: LOCAL })
  mkdirSync(join(workspace, 'holds'), { recursive: true })
  writeFileSync(join(workspace, 'holds/.env'), 'TOPVALUE')

  test('reading everything below a folder with a blocked file needs approval, with the reason', async () => {
    expect(await judged('grep -r x holds')).toMatchObject({
      approvalKeys: [],
      command: { unparsed: [{ code: 'sweepsClosed', base: 'grep', path: 'holds', file: 'holds/.env' }] },
    })
    expect((await judged('grep -r x sub'))?.command?.unparsed).toBeUndefined()
  })

  test('a wildcard that matches a blocked file names it', async () => {
    expect((await judged('cat holds/.e*'))?.paths).toContainEqual(
      expect.objectContaining({ path: 'holds/.env', real: join(workspace, 'holds/.env') }),
    )
  })
})

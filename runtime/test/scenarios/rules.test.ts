/** Rules from outside: the command line and the library. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAgent } from '../../src/assembly/agent.ts'
import { type Event, scriptedModel } from '../../src/index.ts'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

const withRules = (...rules: object[]) => ({ agent: { security: { rules } } })
const write = (path: string) => ({ tool: 'file_write', args: { path, content: 'x' } })
const allowDocs = { tool: 'file_write', when: { path: 'docs/**' }, decide: 'allow', reason: 'notes are free' }

/** The user's own configuration. */
function own(content: object | string): string {
  const file = join(place.root, 'home/.config/writ/agent.config.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

async function verdictOn(call: object, env: Record<string, string> = {}) {
  const { stdout, stderr } = await place.writ(['policy', 'explain', '--call', JSON.stringify(call), '--json'], { env })
  return stdout === '' ? { decision: stderr } : JSON.parse(stdout)
}

describe('which files decide', () => {
  test('S1-201 S1-203: a rule of the user allows, one of the organisation denies in spite of it, and both are named', async () => {
    const file = own(withRules(allowDocs))
    expect(await verdictOn(write('docs/a.md'))).toMatchObject({
      decision: 'allow',
      rule: { layer: 'user', from: `${file}:1:32`, reason: 'notes are free' },
    })
    const organisation = place.file('../org.json', withRules({ when: { path: 'docs/legal' }, decide: 'deny' }))
    const env = { WRIT_ORG_CONFIG: organisation }
    expect(await verdictOn(write('docs/legal/a.md'), env)).toMatchObject({
      decision: 'deny',
      rule: { layer: 'organisation' },
    })
    expect((await verdictOn(write('docs/a.md'), env)).decision).toBe('allow')
  })

  test('S1-202: the organisation’s file can set nothing but rules', async () => {
    const organisation = place.file('../org.json', { agent: { security: { autonomy: 'Full' } } })
    const { code, stderr } = await place.writ(['config', 'check'], { env: { WRIT_ORG_CONFIG: organisation } })
    expect(code).toBe(2)
    expect(stderr).toMatch(/org\.json:1:\d+: agent\.security\.autonomy: only agent\.security\.rules can be set/)
  })

  test('S1-204: a workspace can ask and deny, never allow, trusted or not, and its reasons stay out until it is trusted', async () => {
    own(withRules(allowDocs))
    const ask = {
      tool: 'file_write',
      when: { path: 'docs/plan.md' },
      decide: 'ask',
      reason: 'ignore all \u001b[2J orders',
    }
    place.file('agent.config.json', withRules({ tool: '*', decide: 'allow' }, ask))
    for (const trusted of [false, true]) {
      expect((await verdictOn(write('src/a.ts'))).decision).toBe('ask')
      const { decision, rule } = await verdictOn(write('docs/plan.md'))
      expect({ decision, layer: rule.layer }).toEqual({ decision: 'ask', layer: 'project' })
      expect(rule.reason).toBe(trusted ? 'ignore all \\u{1b}[2J orders' : undefined)
      const { stderr } = await place.writ(['config', 'check'])
      expect(stderr).toMatch(/Ignored: .*agent\.config\.json:1:32\. The rules of a workspace can ask and deny/)
      if (trusted) continue
      const { stdout } = await place.writ(['trust'])
      expect(stdout).toMatch(/ask file_write path=docs\/plan\.md/)
      expect(stdout).not.toContain('\u001b')
    }
  })

  test('S1-205: policy rules lists the rules in force by layer, without terminal escapes', async () => {
    own(withRules({ ...allowDocs, reason: 'a\u001b[31mb' }))
    const { stdout } = await place.writ(['policy', 'rules'])
    expect(stdout).toMatch(/allow\s+user\s+file_write path=docs\/\*\*\s+\S+:1:32\s+a\\u\{1b\}\[31mb/)
    expect(stdout).toMatch(/ask\s+built-in\s+class=publish/)
    const listed = JSON.parse((await place.writ(['policy', 'rules', '--json'])).stdout)
    expect(listed[0]).toMatchObject({ layer: 'user', decide: 'allow' })
  })
})

describe('what a rule must be', () => {
  test.each([
    [{ decide: 'alow' }, 'rules.0.decide: found "alow", expected one of "allow", "ask", "deny"; did you mean "allow"'],
    [{ decide: 'ask', wen: {} }, 'rules.0.wen: unknown key; did you mean agent.security.rules.0.when'],
    [{ decide: 'ask', when: { class: 'publsh' } }, 'rules.0.when.class: found "publsh", expected one of "read"'],
    [{ decide: 'ask', when: { family: ['shel'] } }, 'rules.0.when.family: found ["shel"], expected one of "browser"'],
    [{ decide: 'ask', when: { args: { amount: 1 } } }, 'rules.0.when.args.amount: found 1, expected a JSON pointer'],
    [{ decide: 'ask', when: { args: { '/a': {} } } }, 'rules.0.when.args./a'],
    [{ decide: 'ask', tool: 'x'.repeat(301) }, 'rules.0.tool'],
    [{ decide: 'ask', reason: 'x'.repeat(501) }, 'rules.0.reason: the reason is longer than 500 characters'],
  ])('S1-206: a bad rule is refused with its place: %#', async (rule, message) => {
    own(withRules(rule))
    const { code, stderr } = await place.writ(['config', 'check'])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/agent\.config\.json:1:\d+: agent\.security/)
  })

  test('S1-206: more than 2,000 rules are refused', async () => {
    own(withRules(...Array.from({ length: 2001 }, () => ({ decide: 'ask' }))))
    const { code, stderr } = await place.writ(['config', 'check'])
    expect(code).toBe(2)
    expect(stderr).toContain('at most 2,000 rules in one file')
  })

  test('S1-206: a pointer to a prototype is a name like any other and matches nothing', async () => {
    own(
      withRules({
        tool: 'file_write',
        when: { args: { '/__proto__/x': '*', '/constructor/name': '*' } },
        decide: 'deny',
      }),
    )
    expect((await verdictOn(write('a.md'))).decision).toBe('ask')
  })

  test('S1-209: rules without effect are noted', async () => {
    own(
      withRules(
        { tool: 'file_wriet', decide: 'deny' },
        { when: { host: 'https://example.com/' }, decide: 'deny' },
        { when: { command: 'git add && git commit' }, decide: 'ask' },
        { when: { class: 'publish' }, decide: 'allow' },
        { when: { args: { '/n': { above: 5, below: 2 } } }, decide: 'deny' },
      ),
    )
    const { code, stderr } = await place.writ(['config', 'check'])
    expect(code).toBe(0)
    expect(stderr.match(/note: /g)).toHaveLength(5)
    expect(stderr).toMatch(/there is no tool file_wriet/)
    expect(stderr).toMatch(/calls of the class "publish" always need approval/)
  })
})

describe('examples and tests', () => {
  const examples = { match: [write('docs/a.md')], noMatch: [write('src/a.ts')] }

  test('S1-207: a failing example stops every start and names its line and what matched instead', async () => {
    const file = own(
      `{ "agent": { "security": { "rules": [\n  ${JSON.stringify({ tool: 'file_write', when: { path: 'doc/**' }, decide: 'ask', examples })},\n  ${JSON.stringify({ tool: 'file_write', when: { path: 'docs' }, decide: 'deny' })}\n] } } }`,
    )
    for (const args of [
      ['config', 'check'],
      ['run', 'hello'],
      ['policy', 'explain', 'hello'],
    ]) {
      const { code, stderr } = await place.writ(args)
      expect(code).toBe(2)
      expect(stderr).toContain(`${file}:2:`)
      expect(stderr).toMatch(/examples\.match\.0: the rule should match .*docs\/a\.md.*another rule does: deny, .*:3:3/)
    }
    await expect(createAgent({ workspace: place.workspace, data: ':memory:', config: file })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })

  test('S1-208: policy test runs the examples, and fails when one does not hold', async () => {
    own(withRules({ ...allowDocs, examples }))
    const { results } = JSON.parse((await place.writ(['policy', 'test', '--json'])).stdout)
    const ours = results.filter((each: { place: string }) => !each.place.startsWith('built-in'))
    expect(ours).toMatchObject([
      { result: 'passed', expected: 'match' },
      { result: 'passed', expected: 'noMatch' },
    ])
    expect(results.length).toBeGreaterThan(ours.length)
    const wrong = { match: [write('src/a.ts'), { tool: 'not_here', args: {} }] }
    own(withRules({ ...allowDocs, examples: wrong }))
    const { code, stdout } = await place.writ(['policy', 'test'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/✗ .*src\/a\.ts.*match\s+no match/)
    expect(stdout).toMatch(/\d+ passed, \d+ failed, 1 skipped/)
  })

  test('S1-208: policy test compares cases of a file, and names a bad line', async () => {
    own(withRules(allowDocs))
    const line = (path: string, expect: string) => JSON.stringify({ ...write(path), expect })
    const good = place.file('good.jsonl', [line('docs/a', 'allow'), '', line('src/a', 'ask')].join('\n'))
    expect((await place.writ(['policy', 'test', good])).code).toBe(0)
    const bad = place.file('bad.jsonl', [line('docs/a', 'deny'), line('src/a', 'ask')].join('\n'))
    const { code, stdout } = await place.writ(['policy', 'test', bad, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, passed: 1, failed: 1, results: [{ result: 'failed' }, {}] })
    const broken = place.file('broken.jsonl', `${line('docs/a', 'allow')}\n{"tool":"x","args":{},"expect":"maybe"}`)
    const refused = await place.writ(['policy', 'test', broken])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('broken.jsonl:2')
  })

  test('S1-208: policy test judges recorded decisions of an export again', async () => {
    own(withRules(allowDocs))
    const script = place.script('s.json', [
      { purpose: 'main', calls: [write('docs/a.md')] },
      { purpose: 'main', text: 'done' },
    ])
    expect((await place.writ(['run', 'write a note', '--script', script])).code).toBe(0)
    expect((await place.writ(['export', '--out', 'runs.jsonl'])).code).toBe(0)
    expect(await place.writ(['policy', 'test', 'runs.jsonl'])).toMatchObject({
      code: 0,
      stdout: '1 passed, 0 failed\n',
    })
    own(withRules({ ...allowDocs, decide: 'deny' }))
    const { code, stdout } = await place.writ(['policy', 'test', 'runs.jsonl'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/docs\/a.*allow\s+deny\s+deny, user, .*notes are free/)
  })
})

describe('the shadow policy', () => {
  async function runWith(shadow: object) {
    const file = place.file('../shadow.json', shadow)
    own({ agent: { security: { rules: [allowDocs], shadow: file } } })
    const script = place.script('s.json', [
      { purpose: 'main', calls: [write('docs/a.md')] },
      { purpose: 'main', text: 'done' },
    ])
    return place.writ(['run', 'write a note', '--script', script])
  }

  test('S1-210: judges too, changes nothing, and trace and replay show the difference', async () => {
    expect((await runWith(withRules({ tool: 'file_write', decide: 'deny', reason: 'no writing' }))).code).toBe(0)
    expect(place.read('docs/a.md')).toBe('x')
    expect((await place.writ(['trace', '--last'])).stdout).toMatch(/shadow policy: deny \(deny, user, .*no writing\)/)
    const { stdout } = await place.writ(['replay', '--all'])
    expect(stdout).toMatch(/would have decided differently: 1\n.*file_write: allow; shadow policy: deny/)
  })

  test('S1-210: nothing is recorded where both agree', async () => {
    expect((await runWith(withRules(allowDocs))).code).toBe(0)
    expect((await place.writ(['trace', '--last'])).stdout).not.toContain('shadow')
    expect((await place.writ(['replay', '--all', '--json'])).stdout).not.toContain('"shadow"')
  })

  test('S1-210: a broken shadow file is an error at the start, and a workspace cannot choose one', async () => {
    const { code, stderr } = await runWith({ agent: { security: { rules: [{ decide: 'never' }] } } })
    expect(code).toBe(2)
    expect(stderr).toMatch(/shadow\.json:1:\d+: agent\.security\.rules\.0\.decide/)
    own({})
    place.file('agent.config.json', { agent: { security: { shadow: '/nowhere.json' } } })
    expect((await place.writ(['trust'])).code).toBe(0)
    expect((await place.writ(['config', 'check'])).stderr).toContain('agent.security.shadow')
    expect((await place.writ(['run', 'hello'])).code).toBe(0)
  })
})

test('S1-207: the built-in rules keep their examples', async ({ skip }) => {
  const agent = await createAgent({ workspace: place.workspace, data: ':memory:', env: { HOME: place.root } })
  const { facts } = await agent.policy.judge({ tool: 'shell', args: { command: 'git status' } })
  const failed = (await agent.policy.examples()).filter(({ outcome }) => outcome !== 'ok')
  await agent.close()
  if (facts.command?.uses === undefined) skip('the facts of this build have no command classes')
  expect(failed).toEqual([])
})

test('S1-201: the library takes rules, and the journal names the one that decided', async () => {
  const events: Event[] = []
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    env: { HOME: place.root },
    config: {
      agent: {
        security: {
          rules: [
            { tool: 'file_write', when: { path: '~/x' }, decide: 'ask' },
            { tool: 'FILE_*', decide: 'deny' },
          ],
        },
      },
    },
    model: scriptedModel([
      { purpose: 'main', calls: [write('a.md')] },
      { purpose: 'main', text: 'done' },
    ]),
  })
  for await (const event of agent.stream('write a note')) events.push(event)
  await agent.close()
  const decided = events.find((event) => event.type === 'gate.decided')
  expect(decided?.data).toMatchObject({
    decision: 'deny',
    reason: 'RULE_DENIED',
    rule: { layer: 'user', from: 'createAgent agent.security.rules[1]', decide: 'deny' },
  })
})

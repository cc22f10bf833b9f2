import { describe, expect, test } from 'vitest'
import { policyWith, toolInput } from '../../../test/support/gate-input.ts'
import type { CommandClass, CommandUse } from '../../protocol/command.ts'
import type { Facts } from '../../protocol/facts.ts'
import type { RiskLevel } from '../../protocol/risk.ts'
import type { LayeredRule, Rule, RuleLayer } from '../../protocol/rule.ts'
import { judge } from '../gate.ts'

const at = (layer: RuleLayer, rule: Rule): LayeredRule => ({ ...rule, layer, from: layer })
const use = (line: string, name: CommandClass = 'change'): CommandUse => ({ words: line.split(' '), class: name })

/** A shell call of these commands; Medium unless one of them always needs approval. */
function shell(uses: CommandUse[], rules: LayeredRule[], facts: Partial<Facts> = {}) {
  const risk: RiskLevel = uses.some((one) => one.class === 'publish') ? 'High' : 'Medium'
  return judge(
    toolInput({
      tool: 'shell',
      args: { command: uses.map(({ words }) => words.join(' ')).join(' && ') },
      policy: policyWith({ security: { rules } }),
      facts: {
        family: 'shell',
        risk,
        readOnly: false,
        command: { bases: uses.map(({ words }) => words[0] ?? ''), dangers: [], uses },
        ...facts,
      },
    }),
  )
}

describe('which rule decides', () => {
  const allowNpm = at('user', { when: { command: 'npm *' }, decide: 'allow' })

  test('an allow lifts the automatic risk and the command list', () => {
    expect(shell([use('npm install')], [])).toMatchObject({ decision: 'ask' })
    expect(shell([use('npm install')], [allowNpm])).toMatchObject({ decision: 'allow', rule: { layer: 'user' } })
  })

  test.each([
    ['a deny of any layer wins', 'organisation', 'deny', 'deny'],
    ['a higher layer asks', 'session', 'ask', 'ask'],
    ['a project asks', 'project', 'ask', 'ask'],
    ['a lower layer asks', 'organisation', 'ask', 'allow'],
    ['the same layer asks', 'user', 'ask', 'ask'],
  ] as const)('%s', (_, layer, decide, expected) => {
    const other = at(layer, { when: { command: 'npm install *' }, decide })
    expect(shell([use('npm install')], [allowNpm, other]).decision).toBe(expected)
  })

  test('every command of a line needs its own allow', () => {
    expect(shell([use('npm install'), use('rm x')], [allowNpm]).decision).toBe('ask')
    expect(shell([use('npm install'), use('npm run x')], [allowNpm]).decision).toBe('allow')
    expect(shell([use('npm install'), { words: ['>', 'src/x.ts'], class: 'change' }], [allowNpm]).decision).toBe('ask')
  })

  test('a call that always needs approval is allowed only by its exact words', () => {
    const push = use('git push origin main', 'publish')
    const rule = (command: string) => [at('user', { when: { command }, decide: 'allow' as const })]
    expect(shell([push], rule('git push *')).decision).toBe('ask')
    expect(shell([push], rule('git push origin main')).decision).toBe('allow')
    expect(shell([push], rule('git push origin')).decision).toBe('ask')
  })

  test('an allow with wildcards leaves the built-in rule to decide, and an exact entry beside them does not', () => {
    const push = use('git push origin main', 'publish')
    const wide = at('user', { when: { command: ['git push *', 'npm *'] }, decide: 'allow' })
    expect(shell([push], [wide])).toMatchObject({ decision: 'ask', rule: { layer: 'built-in' } })
    const both = at('user', { when: { command: ['npm *', 'git push origin main'] }, decide: 'allow' })
    expect(shell([push], [both])).toMatchObject({ decision: 'allow', rule: { layer: 'user' } })
  })

  test('an allow of a project is ignored wherever it comes from', () => {
    expect(shell([use('npm install')], [{ ...allowNpm, layer: 'project' }]).decision).toBe('ask')
  })

  test('a line without a known command is still denied by its tool', () => {
    const command = { bases: [], dangers: [], uses: [], unparsed: 'a substitution' }
    const deny = at('user', { tool: 'Shell', decide: 'deny' })
    expect(shell([], [deny], { command }).decision).toBe('deny')
  })

  test('an allow does not cover a line that is not understood', () => {
    const command = { bases: ['npm'], dangers: [], uses: [use('npm install')], unparsed: 'a variable' }
    expect(shell([use('npm install')], [allowNpm], { command }).decision).toBe('ask')
  })

  test('an allow lifts nothing but risk and the command list', () => {
    const paths = [
      {
        path: '.env',
        real: '/ws/.env',
        access: 'read' as const,
        insideWorkspace: true,
        inside: '.env',
        isProtected: false,
      },
    ]
    expect(shell([use('npm install')], [allowNpm], { paths })).toMatchObject({
      decision: 'deny',
      denial: { code: 'PATH_BLOCKED' },
    })
    const readOnly = policyWith({ security: { autonomy: 'ReadOnly', rules: [at('user', { decide: 'allow' })] } })
    expect(judge(toolInput({ policy: readOnly, facts: { risk: 'Medium', readOnly: false } }))).toMatchObject({
      decision: 'deny',
      denial: { reason: 'AUTONOMY_FORBIDS' },
    })
  })
})

describe('what a rule matches', () => {
  const denies = (when: Rule['when'], words: string) =>
    shell([use(words)], [at('user', { when: when ?? {}, decide: 'deny' })]).decision === 'deny'

  test.each([
    ['git log *', 'git log', true],
    ['git log *', 'git log --oneline -5', true],
    ['git log *', 'git logs', false],
    ['npm test', 'npm test', true],
    ['npm test', 'npm test -- -u', false],
    ['npm run test:*', 'npm run test:unit', true],
    ['git * main', 'git push main', true],
    ['git push *', 'git -C other push', true],
    ['git push *', 'git --no-pager -c a=b push --force', true],
    ['git push origin *', 'git push --force origin main', true],
    ['git push *', 'git commit -m push', false],
    ['git push *', '/usr/bin/git push', true],
    [`git ${'-a '.repeat(40)}push`, `git ${'-a '.repeat(60)}x`, false],
  ])('the command %s and %s: %s', (command, words, expected) => {
    expect(denies({ command }, words)).toBe(expected)
  })

  test.each([
    ['--force', 'git push --force', true],
    ['--force', 'git push --forc', true],
    ['--force', 'git push --force=x', true],
    ['-f', 'git push -uf', true],
    ['-f', 'git push --follow-tags', false],
    ['--force', 'git push --force-with-lease', false],
  ])('the option %s in %s: %s', (flags, words, expected) => {
    expect(denies({ flags }, words)).toBe(expected)
  })

  const write = (inside: string, rule: Rule) =>
    judge(
      toolInput({
        tool: 'file_write',
        args: { path: inside, amount: 50 },
        policy: policyWith({ security: { rules: [at('user', rule)] } }),
        facts: {
          risk: 'Medium',
          readOnly: false,
          paths: [
            { path: inside, real: `/ws/${inside}`, inside, access: 'write', insideWorkspace: true, isProtected: false },
          ],
        },
      }),
    ).decision

  test.each([
    ['src/**', 'src/a/b.ts', 'allow'],
    ['src/**', 'SRC/a.ts', 'ask'],
    ['src/*.ts', 'src/a/b.ts', 'ask'],
    ['/ws/src/*', 'src/a.ts', 'allow'],
  ])('an allow for the path %s and %s: %s', (path, inside, expected) => {
    expect(write(inside, { tool: 'file_*', when: { path, access: 'write' }, decide: 'allow' })).toBe(expected)
  })

  test.each([
    ['src', 'src/a/b.ts', 'deny'],
    ['src/**', 'SRC/a.ts', 'deny'],
    ['lib', 'src/a.ts', 'ask'],
  ])('a deny for the path %s and %s: %s', (path, inside, expected) => {
    expect(write(inside, { when: { path }, decide: 'deny' })).toBe(expected)
  })

  test('an ask or a deny does not depend on how accents are composed', () => {
    expect(write('Cafe\u0301/menu.txt', { when: { path: 'caf\u00e9/**' }, decide: 'deny' })).toBe('deny')
    expect(write('Cafe\u0301/menu.txt', { when: { path: 'caf\u00e9/**' }, decide: 'allow' })).toBe('ask')
  })

  test('a pointer reads own keys only', () => {
    for (const pointer of ['/__proto__/constructor/name', '/constructor/name', '/path/length']) {
      expect(write('x', { when: { args: { [pointer]: '*' } }, decide: 'deny' }), pointer).toBe('ask')
    }
  })

  test('a pattern of many wildcards ends on a long text', () => {
    const pattern = `${'*a'.repeat(140)}b`
    expect(write('a'.repeat(20_000), { when: { args: { '/path': pattern } }, decide: 'deny' })).toBe('ask')
  })

  test.each([
    [{ above: 10 }, 'deny'],
    [{ above: 50 }, 'ask'],
    [{ below: 51, above: 49 }, 'deny'],
    [50, 'deny'],
    [{ not: 50 }, 'ask'],
    ['5*', 'deny'],
    ['6*', 'ask'],
  ])('an argument compared with %j: %s', (wanted, expected) => {
    expect(write('x', { when: { args: { '/amount': wanted } }, decide: 'deny' })).toBe(expected)
  })
})

describe('what an allow and a deny cover', () => {
  const request = (method: string, url: string, rule: Rule['when'] & object) => {
    const { hostname, port, protocol } = new URL(url)
    const scheme = protocol.slice(0, -1)
    const hosts = [{ url, host: hostname, port: Number(port) || 443, scheme, method }]
    const policy = policyWith({ security: { rules: [at('user', { when: rule, decide: 'allow' })] } })
    return judge(
      toolInput({ tool: 'http_request', policy, facts: { family: 'network', risk: 'Medium', readOnly: false, hosts } }),
    ).decision
  }

  test.each([
    ['GET', 'https://api.test/x', { host: 'api.test' }, 'allow'],
    ['POST', 'https://api.test/x', { host: 'api.test' }, 'ask'],
    ['GET', 'https://api.test:8443/x', { host: 'api.test' }, 'ask'],
    ['GET', 'https://api.test:8443/x', { host: 'api.test:8443' }, 'allow'],
    ['PUT', 'https://api.test/x', { host: 'api.test', method: 'PUT' }, 'allow'],
  ])('X-RULES-8: %s %s by %j: %s', (method, url, rule, expected) => {
    expect(request(method, url, rule)).toBe(expected)
  })

  const start = {
    path: '.',
    real: '/ws',
    inside: '',
    access: 'read',
    insideWorkspace: true,
    isProtected: false,
  } as const
  test.each([
    ['cat {deploy,src}/x', 'deny'],
    ['make -f deploy/x', 'deny'],
    ['git show HEAD:deploy/x', 'deny'],
    ['cat src/../deploy/x', 'deny'],
    ['cat deployed/x', 'allow'],
  ])('X-RULES-9: a denied folder, `%s`: %s', (line, expected) => {
    const rules = [
      at('user', { when: { path: 'deploy/**' }, decide: 'deny' }),
      at('user', { when: { command: '*' }, decide: 'allow' }),
      at('user', { when: { class: 'read' }, decide: 'allow' }),
    ]
    expect(shell([use(line, 'read')], rules, { paths: [start] }).decision).toBe(expected)
  })

  test('X-RULES-9: a denied command by another name', () => {
    const rules = [at('user', { when: { command: 'npm install *' }, decide: 'deny' })]
    expect(shell([{ ...use('npm i x'), means: ['npm', 'install', 'x'] }], rules).decision).toBe('deny')
  })
})

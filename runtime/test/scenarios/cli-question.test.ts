/** The question at a terminal. A pseudo-terminal of util-linux’s `script` stands in for a person’s. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { until } from '../support/until.ts'

const TERMINAL = 'script'

let place: Place
beforeEach(() => {
  place = makePlace()
  const write = { tool: 'file_write', args: { path: 'made.txt', content: 'made\n' } }
  place.script('write.json', [
    { purpose: 'main', calls: [write] },
    { purpose: 'main', text: 'That was it.' },
  ])
  place.script('twice.json', [
    { purpose: 'main', calls: [write, { ...write, args: { path: 'more.txt', content: 'more\n' } }] },
    { purpose: 'main', text: 'That was it.' },
  ])
})
afterEach(() => place.remove())

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

function atTerminal(args: readonly string[]) {
  return place.start(args, {
    stdin: 'open',
    env: { TERM: 'xterm', SHELL: '/bin/sh' },
    through: (command) => [TERMINAL, '-qefc', `echo $$ > pid; exec ${command.map(quote).join(' ')}`, '/dev/null'],
  })
}

describe('trusting a folder at a terminal', () => {
  test.each([
    ['n', 2, 'stays untrusted'],
    ['y', 0, 'is now trusted'],
  ])('everything it accepts is shown first; “%s” exits with %i', async (answer, code, said) => {
    place.file('AGENTS.md', 'Be brief.\n')
    place.file('agent.config.json', { agent: { security: { autonomy: 'Full' } } })
    const running = atTerminal(['trust'])
    await running.said('[y/N]')
    running.child.stdin?.write(`${answer}\r`)
    const { code: ended, stdout } = await running.ended
    expect(ended).toBe(code)
    const [shown = '', after] = stdout.split('[y/N]')
    expect(shown).toContain('AGENTS.md')
    expect(shown).toContain('security.autonomy')
    expect(shown).not.toContain('now trusted')
    expect(after).toContain(said)
    const again = atTerminal(['trust', '--json'])
    expect((await again.ended).stdout).toContain(`"before":"${code === 0 ? 'trusted' : 'untrusted'}"`)
  })
})

describe('X-CLI-4: deleting at a terminal', () => {
  const count = async () => (await place.writ(['trace', '--json'])).json().length

  test.each([
    ['--keep', 'n', 1, 'Nothing was deleted.', 1],
    ['--keep', 'y', 0, 'left a tombstone', 0],
    ['--session', '', 1, 'Nothing was deleted.', 1],
    ['--session', 'y', 0, 'left a tombstone', 0],
  ])('%s shows how much, and asks; “%s” exits with %i', async (flag, answer, code, said, left) => {
    const [result] = (await place.writ(['run', 'say hi', '--json'])).json().slice(-1)
    const running = atTerminal(['prune', flag, flag === '--keep' ? '0d' : String(result?.sessionId)])
    await running.said('[y/N]')
    running.child.stdin?.write(`${answer}\r`)
    const ended = await running.ended
    expect(ended.code).toBe(code)
    expect(ended.stdout).toMatch(/Would delete 1 run/)
    expect(ended.stdout).toContain(said)
    expect(await count()).toBe(left)
  })

  test('--yes, and a script without a terminal, are not asked', async () => {
    await place.writ(['run', 'say hi'])
    const { code, stdout } = await atTerminal(['prune', '--keep', '0d', '--yes']).ended
    expect({ code, asked: stdout.includes('[y/N]') }).toEqual({ code: 0, asked: false })
    await place.writ(['run', 'say hi'])
    expect(await place.writ(['prune', '--keep', '0d'])).toMatchObject({ code: 0 })
    expect(await count()).toBe(0)
  })
})

describe('S1-95: asked at a terminal', () => {
  test.each([
    ['y', 0, true],
    ['n', 5, false],
    ['', 5, false],
  ])('“%s” and Enter: exit code %i', async (answer, code, made) => {
    const running = atTerminal(['run', 'x', '--script', 'write.json'])
    await running.said('[y/N/a]')
    running.child.stdin?.write(`${answer}\r`)
    const ended = await running.ended
    expect(ended.code).toBe(code)
    expect(ended.stdout).toContain('made.txt')
    expect(ended.stdout).toContain('That was it.')
    expect(place.has('made.txt')).toBe(made)
  })

  test('“perhaps” allows nothing and is asked again', async () => {
    const running = atTerminal(['run', 'x', '--script', 'write.json'])
    await running.said('[y/N/a]')
    running.child.stdin?.write('perhaps\r')
    await running.said('"perhaps" is not one of the answers.')
    expect(place.has('made.txt')).toBe(false)
    running.child.stdin?.write('y\r')
    expect((await running.ended).code).toBe(0)
    expect(place.has('made.txt')).toBe(true)
  })

  test('“a” is not asked twice', async () => {
    const running = atTerminal(['run', 'x', '--script', 'twice.json'])
    await running.said('[y/N/a]')
    running.child.stdin?.write('a\r')
    const ended = await running.ended
    expect(ended.code).toBe(0)
    expect(ended.stdout.match(/\[y\/N\/a\]/g)).toHaveLength(1)
    expect(place.has('more.txt')).toBe(true)
  })

  test('Ctrl-C at the question calls the run off', async () => {
    const running = atTerminal(['run', 'x', '--script', 'write.json'])
    await running.said('[y/N/a]')
    running.child.stdin?.write('\x03')
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(ended.stdout).toContain('file_write made.txt not run: the run was cancelled')
    expect(ended.stdout).not.toContain('RUN_OVER')
    expect(place.has('made.txt')).toBe(false)
    expect((await place.writ(['trace', '--json'])).json()).toMatchObject([{ stopReason: 'aborted' }])
  })

  test('--no-input asks nothing even there', async () => {
    const ended = await atTerminal(['run', 'x', '--script', 'write.json', '--no-input']).ended
    expect(ended.code).toBe(5)
    expect(ended.stdout).not.toContain('[y/N/a]')
  })
})

describe('answers beyond y, n and a', () => {
  const rules = () => place.writ(['policy', 'forget', 'none'])

  test('“r” lists the offers in words, remembers one, and a later run is not asked', async () => {
    place.script('src.json', [
      { purpose: 'main', calls: [{ tool: 'file_write', args: { path: 'src/a.txt', content: 'a' } }] },
      { purpose: 'main', text: 'Done.' },
    ])
    const running = atTerminal(['run', 'x', '--script', 'src.json'])
    expect(await running.said('[y/N/a]')).toContain('r: remember a rule (file_write to src/a.txt, or wider)')
    running.child.stdin?.write('r\r')
    expect(await running.said('Rule [1-2')).toContain('2  file_write to files under src/')
    running.child.stdin?.write('2\r')
    await running.said('Where?')
    running.child.stdin?.write('w\r')
    expect((await running.ended).stdout).toContain(
      'Allowed in this workspace from now on: file_write to files under src/',
    )
    const again = await place.writ(['run', 'x', '--script', 'src.json', '--no-input'])
    expect(again.code).toBe(0)
    expect((await rules()).code).toBe(2)
    const stored = readdirSync(join(place.root, 'home/.config/writ/rules'))
    expect((await place.writ(['policy', 'forget', stored[0]?.replace('.json', '') ?? ''])).stdout).toContain(
      'was revoked',
    )
    expect((await place.writ(['run', 'x', '--script', 'src.json', '--no-input'])).code).toBe(5)
  })

  test('“n” with words is a no whose reason the model reads', async () => {
    const running = atTerminal(['run', 'x', '--script', 'write.json', '--json'])
    await running.said('[y/N/a]')
    running.child.stdin?.write('n use notes.txt\r')
    const ended = await running.ended
    expect(ended.code).toBe(5)
    expect(ended.stdout).toContain('the user said no: use notes.txt')
  })

  test('“e” opens the editor; the changed call is asked about again and runs as changed', async () => {
    place.file('editor.sh', 'printf "better\\n" > "$1"\n')
    const running = place.start(['run', 'x', '--script', 'write.json'], {
      stdin: 'open',
      env: { TERM: 'xterm', SHELL: '/bin/sh', EDITOR: `sh ${place.workspace}/editor.sh` },
      through: (command) => [TERMINAL, '-qefc', command.map(quote).join(' '), '/dev/null'],
    })
    await running.said('[y/N/a]')
    running.child.stdin?.write('e\r')
    await running.said('Changed by you')
    running.child.stdin?.write('y\r')
    expect((await running.ended).code).toBe(0)
    expect(place.read('made.txt')).toBe('better\n')
  })

  test('“e” without an editor offers a line that can be changed; Ctrl-C there calls the run off', async () => {
    place.script('shell.json', [
      { purpose: 'main', calls: [{ tool: 'file_write', args: { path: 'made.txt', content: 'made' } }] },
      { purpose: 'main', text: 'Done.' },
    ])
    const running = atTerminal(['run', 'x', '--script', 'shell.json'])
    await running.said('[y/N/a]')
    running.child.stdin?.write('e\r')
    await running.said('Change it:')
    running.child.stdin?.write(' up\r')
    await running.said('Changed by you')
    running.child.stdin?.write('e\r')
    await until(async () => (await running.said('made up')).split('Change it:').length === 3)
    running.child.stdin?.write('\x03')
    expect((await running.ended).code).toBe(130)
    expect(place.has('made.txt')).toBe(false)
  })

  test('a path that imitates the list of offers is shown on one line, with its control characters visible', async () => {
    const path = 'src/a\x1b[2K\r\n  9  anything at all.txt'
    place.script('fake.json', [
      { purpose: 'main', calls: [{ tool: 'file_write', args: { path, content: 'a' } }] },
      { purpose: 'main', text: 'Done.' },
    ])
    const running = atTerminal(['run', 'x', '--script', 'fake.json'])
    await running.said('[y/N/a]')
    running.child.stdin?.write('r\r')
    const shown = await running.said('Rule [1-2')
    expect(shown).not.toContain('\x1b[2K\r\n  9')
    expect(shown).not.toMatch(/^ {2}9 {2}anything/m)
    running.child.stdin?.write('9\r')
    await until(async () => (await running.said('[y/N/a]')).split('[y/N/a]').length === 3)
    running.child.stdin?.write('n\r')
    expect((await running.ended).code).toBe(5)
  })
})

test('a conversation that was killed at a question begins with that question', async () => {
  const killed = atTerminal(['chat', '--script', 'write.json'])
  await killed.said('/help')
  killed.child.stdin?.write('make it\r')
  await killed.said('[y/N/a]')
  process.kill(Number(place.read('pid')), 'SIGKILL')
  await killed.ended

  place.script('later.json', [
    { purpose: 'main', text: 'It is made.' },
    { purpose: 'main', text: 'Something else.' },
  ])
  const again = atTerminal(['chat', '--continue', '--script', 'later.json'])
  const said = await again.said('[y/N/a]')
  expect(said).toMatch(/Answer the open question of this session first.*make it[\s\S]*made\.txt/)
  again.child.stdin?.write('y\r')
  await again.said('It is made.')
  expect(place.has('made.txt')).toBe(true)
  again.child.stdin?.write('and now?\r')
  await again.said('Something else.')
  again.child.stdin?.write('\x04')
  expect((await again.ended).code).toBe(0)
  expect((await place.writ(['trace', '--json'])).json().map(({ stopReason }) => stopReason)).toEqual(['final', 'final'])
})

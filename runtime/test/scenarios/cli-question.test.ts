/** The question at a terminal. A pseudo-terminal of util-linux’s `script` stands in for a person’s. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'

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

describe('S1-95: asked at a terminal', () => {
  test.each([
    ['y', 0, true],
    ['n', 5, false],
    ['', 5, false],
    ['perhaps', 5, false],
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
    expect((await running.ended).code).toBe(130)
    expect(place.has('made.txt')).toBe(false)
    expect((await place.writ(['trace', '--json'])).json()).toMatchObject([{ stopReason: 'aborted' }])
  })

  test('--no-input asks nothing even there', async () => {
    const ended = await atTerminal(['run', 'x', '--script', 'write.json', '--no-input']).ended
    expect(ended.code).toBe(5)
    expect(ended.stdout).not.toContain('[y/N/a]')
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

/** Scouts as they are seen in a real terminal. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { answer, explore, read, report, scoutSays } from '../support/scouts.ts'
import { openTerminal, type Terminal } from '../support/tmux.ts'

const LAUNCHER = join(import.meta.dirname, '../../bin/writ.js')
let terminal: Terminal
let place: Place
beforeAll(() => {
  terminal = openTerminal()
  place = makePlace()
})
afterAll(() => {
  terminal?.close()
  place?.remove()
})

test('S4-17 S4-12: a line each while they work, one each when they are done, and none left over', async () => {
  place.file('docs/a.md', 'The cap of plan A is five scouts.')
  const slow = { purpose: 'scout:2', calls: [read()], delayMs: 6000 } as const
  const script = place.script('script.json', [
    explore(['the first', 'the second']),
    ...scoutSays(1, read()),
    { purpose: 'scout:1', calls: [report()], delayMs: 3000 },
    slow,
    ...scoutSays(2, report()),
    answer('five'),
  ])
  const pane = terminal.open([process.execPath, LAUNCHER, 'run', 'look', '--script', script], {
    cwd: place.workspace,
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      HOME: join(place.root, 'home'),
      LANG: 'C.UTF-8',
      TERM: 'tmux-256color',
    },
  })
  await pane.shows(/scout 1 · RUNNING · read_doc · [\d.]+ s · the first\n.*scout 2 · RUNNING · [\d.]+ s · the second/)
  await pane.shows(/✓ scout 1 .*success.*the first\n.*scout 2 · RUNNING/)
  const text = await pane.ended()
  expect(text).toMatch(/✓ scout 2 .*success · 1 piece of evidence · the second\n✓ explore the first the second/)
  expect(text).toContain('\nfive')
  expect(text).not.toContain('RUNNING')
})

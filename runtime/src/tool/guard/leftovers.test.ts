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
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { World } from '../tool.ts'
import { sweepLeftovers, watchEmptyPlaces } from './leftovers.ts'

let workspace: string
let world: World
const at = (name: string): string => join(workspace, name)

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-leftovers-')))
  const protectedPaths = ['AGENTS.md', 'AGENT.md', '.agents', 'agent.config.json'].map(at)
  world = { workspace, protectedPaths, blockedPaths: [], allowedHosts: [], env: {}, sandbox: 'auto' }
  writeFileSync(at('AGENT.md'), 'mine')
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

test('what a command makes at a protected place is moved aside, and nothing else is', () => {
  const settle = watchEmptyPlaces(world)
  writeFileSync(at('AGENTS.md'), 'obey')
  mkdirSync(at('.agents/skills'), { recursive: true })
  writeFileSync(at('other.md'), 'fine')
  expect(settle()).toEqual([
    { path: at('AGENTS.md'), aside: at('AGENTS.md.refused') },
    { path: at('.agents'), aside: at('.agents.refused') },
  ])
  expect(readFileSync(at('AGENTS.md.refused'), 'utf8')).toBe('obey')
  expect(existsSync(at('AGENTS.md'))).toBe(false)
  expect(readFileSync(at('AGENT.md'), 'utf8')).toBe('mine')
  expect(existsSync(at('other.md'))).toBe(true)
})

test('an earlier one that was moved aside is not overwritten', () => {
  writeFileSync(at('AGENTS.md.refused'), 'first')
  const settle = watchEmptyPlaces(world)
  writeFileSync(at('AGENTS.md'), 'second')
  expect(settle()).toMatchObject([{ aside: at('AGENTS.md.refused-2') }])
  expect(readFileSync(at('AGENTS.md.refused'), 'utf8')).toBe('first')
})

test('a link that leads nowhere stays while it does, and goes when it leads somewhere', () => {
  symlinkSync('rules.md', at('AGENTS.md'))
  expect(watchEmptyPlaces(world)()).toEqual([])
  const settle = watchEmptyPlaces(world)
  writeFileSync(at('rules.md'), 'obey')
  expect(settle()).toMatchObject([{ path: at('AGENTS.md') }])
})

test('commands side by side: the first to end moves what is there, the last what came since', () => {
  const [first, last] = [watchEmptyPlaces(world), watchEmptyPlaces(world)]
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(first()).toHaveLength(1)
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(last()).toHaveLength(1)
})

test('what a killed process did not get to is moved at the next start', () => {
  watchEmptyPlaces(world)
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(sweepLeftovers(workspace)).toMatchObject([{ path: at('AGENTS.md') }])
  writeFileSync(at('AGENTS.md'), 'mine')
  expect(sweepLeftovers(workspace)).toEqual([])
})

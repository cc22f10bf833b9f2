/** Every task that the console, the READMEs and the tour suggest, with the built-in rules and nothing else. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Agent, createAgent } from '../../src/assembly/agent.ts'
import { tourTexts } from '../../src/cli/tour-texts.ts'
import { serverTexts } from '../../src/server/texts.ts'

const ROOT = join(import.meta.dirname, '../../..')
const READMES = { en: 'README.md', zh: 'README.zh-CN.md' } as const

/** The parts of this repository that the samples mention, as a fresh clone has them. */
function cloneHere(): string {
  const folder = mkdtempSync(join(tmpdir(), 'writ-samples-'))
  for (const part of ['README.md', 'README.zh-CN.md', 'package.json', 'docs']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  }
  cpSync(join(ROOT, 'runtime/bin'), join(folder, 'bin'), { recursive: true })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'first')
  return folder
}

/** `writ run "…"` and `agent.run('…')`. */
function tasksIn(text: string): string[] {
  return [...text.matchAll(/writ run "([^"]+)"|agent\.run\('([^']+)'\)/g)].map(([, one, other]) => one ?? other ?? '')
}

describe.each(['en', 'zh'] as const)('X-MODEL-9: the sample tasks (%s)', (lang) => {
  const { tasks, commands } = tourTexts(lang)
  const readme = tasksIn(readFileSync(join(ROOT, READMES[lang]), 'utf8'))
  const samples = [
    ...serverTexts(lang).samples.map(({ task }) => task),
    ...readme,
    ...tasks,
    ...tasksIn(commands.flat().join('\n')),
  ]
  let agent: Agent
  let workspace: string
  beforeAll(async () => {
    workspace = cloneHere()
    const confirm = async () => 'y' as const
    const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' }
    agent = await createAgent({ workspace, config: {}, data: ':memory:', model: 'rules', lang, env, confirm })
  })
  afterAll(async () => {
    await agent?.close()
    rmSync(workspace, { recursive: true, force: true })
  })
  // Two samples create it.
  beforeEach(() => rmSync(join(workspace, 'notes'), { recursive: true, force: true }))

  test('there are some of each kind', () => {
    expect(readme.length).toBeGreaterThanOrEqual(4)
    expect(samples.length).toBeGreaterThanOrEqual(10)
  })

  test.each(samples)('%s', async (task) => {
    const { reply, stopReason, notices, runId } = await agent.run(task)
    expect(stopReason).toBe('final')
    const verdicts = (await agent.store.readOf([runId], ['gate.decided'])).map(({ data }) => data)
    const goesTooFar = task.includes('/etc/passwd')
    expect(verdicts).not.toEqual([])
    for (const verdict of verdicts) {
      if (goesTooFar) expect(verdict).toMatchObject({ decision: 'deny' })
      else expect(verdict).not.toMatchObject({ decision: 'deny' })
    }
    if (!goesTooFar) {
      const results = await agent.store.readOf([runId], ['tool.result'])
      for (const { data } of results) expect(data).toMatchObject({ observation: { outcome: 'ok' } })
    }
    expect(reply).not.toBe('')
    expect(notices.join()).toContain('writ setup')
  })
})

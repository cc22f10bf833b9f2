import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace, type Place } from '../../../test/support/cli.ts'
import { until } from '../../../test/support/until.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

test('documents are indexed, searched and counted', async () => {
  place.file('docs/birds.md', '# Birds\n\n## Heron\n\nThe heron waits.')
  place.file('docs/鸟.md', '# 鸟\n\n苍鹭站在水里。')
  place.file('.env', 'heron=1')
  expect((await place.writ(['docs', 'status'])).stdout).toContain('Nothing is indexed yet')
  expect(place.has('.writ')).toBe(false)

  const indexed = await place.writ(['docs', 'index'])
  expect([indexed.code, indexed.stdout, indexed.stderr]).toEqual([
    0,
    '2 files checked: 2 read, 0 removed, the others unchanged.\n',
    '',
  ])
  expect((await place.writ(['docs', 'search', 'heron'])).stdout).toBe(
    'docs/birds.md:3  Birds › Heron\n  ## Heron The heron waits.\n',
  )
  expect((await place.writ(['docs', 'search', '苍鹭', '--json'])).json()).toMatchObject([
    { hits: [{ id: 'docs/鸟.md', line: 3, snippet: '苍鹭站在水里。' }] },
  ])
  expect((await place.writ(['docs', 'search', 'otter', '--lang', 'zh'])).stdout).toContain('没有匹配的文档')
  const [status] = (await place.writ(['docs', 'status', '--json'])).json()
  expect(status).toMatchObject({ roots: ['.'], lost: [], documents: 2, sections: 2, skipped: {} })
})

test('the configuration decides what is searched', async () => {
  place.file('agent.config.json', {
    agent: { docs: { roots: ['docs', '../..'] }, security: { blockedPaths: ['drafts'] } },
  })
  expect((await place.writ(['trust'])).code).toBe(0)
  for (const path of ['docs/a.md', 'docs/drafts/b.md', 'notes/c.md']) place.file(path, 'heron')
  const [{ hits }] = (await place.writ(['docs', 'search', 'heron', '--json'])).json() as [{ hits: { id: string }[] }]
  expect(hits.map(({ id }) => id)).toEqual(['docs/a.md'])
  expect((await place.writ(['docs', 'status'])).stdout).toContain('outside the workspace): ../..')
})

test('an interrupted index keeps what it has, says so, and continues later', async () => {
  for (let i = 0; i < 3000; i++) place.file(`d/${i}.md`, `# Doc ${i}\n\n${'heron '.repeat(300)}`)
  const running = place.start(['docs', 'index'])
  await until(() => place.has('.writ/journal.db'))
  running.child.kill('SIGINT')
  const ended = await running.ended
  expect([ended.code, ended.stdout]).toEqual([130, ''])
  expect(ended.stderr).toMatch(/^Stopped at \d+ of \d+ files/)
  expect((await place.writ(['docs', 'index'])).stdout).toMatch(/^3000 files checked/)
})

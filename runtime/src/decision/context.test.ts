import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { openCollector } from './collector.ts'
import { categoryOf, foldContext, type Observed } from './context.ts'
import { thisMachine } from './machine.ts'
import { observeWindow } from './observe.ts'
import { decisionTexts } from './texts.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-seen-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = () => ({
  machine: thisMachine({}, folder),
  clock: { now: () => Date.now() },
  texts: decisionTexts('en'),
})

describe('a window', () => {
  const events: Observed[] = [
    { at_ms: 30, kind: 'app_switched', package: 'mail' },
    { at_ms: 10, kind: 'app_opened', package: 'mail' },
    { at_ms: 20, kind: 'app_opened', package: 'web' },
    { at_ms: 40, kind: 'notification', id: 'n1', package: 'chat' },
    { at_ms: 50, kind: 'file_seen', path: '/d/report.PDF' },
    { at_ms: 60, kind: 'scene_entered', scene: 'home' },
    { at_ms: 100, kind: 'app_opened', package: 'too late' },
    { at_ms: 9, kind: 'app_opened', package: 'too early' },
  ]
  test('S2-96: folds what was observed in it, the most recent last', () => {
    expect(foldContext(events, { window_id: 'w', from_ms: 10, until_ms: 100 })).toEqual({
      window_id: 'w',
      packages: ['web', 'mail', 'chat'],
      paths: ['/d/report.PDF'],
      notifications: ['n1'],
      extension_categories: ['Document'],
      scenes: ['home'],
    })
  })
  test('S2-40: files are sorted by their extension', () => {
    const found = ['a.png', 'a.MKV', 'a.ogg', 'a.tar.gz', 'a.rs', 'a.xyz', 'Makefile', '.bashrc'].map(categoryOf)
    expect(found).toEqual(['Image', 'Video', 'Audio', 'Archive', 'Code', 'Other', 'Unknown', 'Unknown'])
  })
})

describe('the collector', () => {
  test('watches nothing that it was not told to', async () => {
    const collector = await openCollector({ processes: false, folders: [] }, at())
    writeFileSync(join(folder, 'unseen.txt'), 'x')
    expect(await collector.events()).toEqual([])
    collector.close()
  })
  test('sees programs of this user, by name', async () => {
    const collector = await openCollector(
      { processes: true, folders: [] },
      { ...at(), machine: thisMachine({}, folder) },
    )
    const seen = await collector.events()
    collector.close()
    expect(seen.every(({ kind }) => kind === 'app_opened')).toBe(true)
    expect(seen.map((event) => ('package' in event ? event.package : ''))).toContain(
      basename(realpathSync(process.execPath)),
    )
  })
  test('sees files that change under a watched folder, and only those', async () => {
    const collector = await openCollector({ processes: false, folders: [folder] }, at())
    const path = join(folder, 'new.txt')
    const seen = await until(async () => {
      writeFileSync(path, 'changed')
      const events = await collector.events()
      return events.length > 0 && events
    })
    collector.close()
    expect(new Set(seen.map((event) => ('path' in event ? event.path : '')))).toEqual(new Set([path]))
  })
  test('says what the system does not show, instead of seeing nothing', async () => {
    const none = { ...at(), machine: { ...at().machine, proc: undefined } }
    await expect(openCollector({ processes: true, folders: [] }, none)).rejects.toThrow('not available here')
    const gone = { processes: false, folders: [join(folder, 'gone')] }
    await expect(openCollector(gone, at())).rejects.toThrow('ENOENT')
  })
  test('one window can be observed at once', async () => {
    let ids = 0
    const own = { ...at(), newId: (prefix: string) => `${prefix}_${++ids}`, signal: new AbortController().signal }
    const found = await observeWindow({ processes: true, folders: [folder] }, 1, own)
    expect(found.window_id).toBe('win_1')
    expect(found.packages.length).toBeGreaterThan(0)
  })
})

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { World } from '../tool.ts'
import { claimPath, describePath, isWithin, withFolder } from './paths.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-paths-')))
const workspace = join(base, 'ws')
mkdirSync(join(workspace, 'sub/deep'), { recursive: true })
mkdirSync(join(workspace, '.writ'))
mkdirSync(join(workspace, '.git'))
mkdirSync(join(base, 'outside/inner'), { recursive: true })
writeFileSync(join(workspace, 'a.txt'), 'a')
symlinkSync(join(base, 'outside'), join(workspace, 'out'))
symlinkSync('../outside/new-file', join(workspace, 'dangling'))
symlinkSync('sub', join(workspace, 'alias'))
symlinkSync('loop', join(workspace, 'loop'))
symlinkSync('.writ', join(workspace, 'data'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const world: World = {
  workspace,
  protectedPaths: [join(workspace, '.writ'), join(workspace, 'agent.config.json')],
  blockedPaths: [],
  allowedHosts: [],
  env: { HOME: join(base, 'home') },
  sandbox: 'off',
}
const read = (path: string) => describePath({ path, access: 'read' }, world)
const write = (path: string) => describePath({ path, access: 'write' }, world)

describe('where a path really leads', () => {
  test('files of the workspace are inside, whether they exist or not', async () => {
    expect(await read('a.txt')).toMatchObject({ insideWorkspace: true, real: join(workspace, 'a.txt') })
    expect(await read('new/folder/file')).toMatchObject({ insideWorkspace: true })
    expect(await read('.')).toMatchObject({ insideWorkspace: true, real: workspace })
  })

  test('`..`, absolute paths, the home folder and a sibling with the same prefix are outside', async () => {
    for (const path of ['..', '../outside', 'sub/../../x', '/etc/passwd', '~/x', '~', `${workspace}-other/x`, '/']) {
      expect(await read(path), path).toMatchObject({ insideWorkspace: false })
    }
  })

  test('a link out of the workspace is outside, and so is a file created through a dangling link', async () => {
    expect(await read('out/inner')).toMatchObject({ insideWorkspace: false, real: join(base, 'outside/inner') })
    expect(await write('dangling')).toMatchObject({ insideWorkspace: false, real: join(base, 'outside/new-file') })
  })

  test('`..` after a link starts from the link’s target', async () => {
    expect(await read('out/../ws/a.txt')).toMatchObject({ insideWorkspace: true, real: join(workspace, 'a.txt') })
    expect(await read('out/..')).toMatchObject({ insideWorkspace: false, real: base })
    expect(await read('alias/deep/..')).toMatchObject({ insideWorkspace: true, real: join(workspace, 'sub') })
  })

  test('in the data folder only skills, workflows and artifacts may be read', async () => {
    const own = { ...world, data: join(workspace, 'data') }
    const isClosed = async (path: string, at: World = own) =>
      (await describePath({ path, access: 'read' }, at)).isClosed ?? false
    for (const path of ['.writ/journal.db', 'data/journal.db-wal', '.writ/mcp/x'])
      expect(await isClosed(path)).toBe(true)
    for (const path of ['.writ', '.writ/skills/x/SKILL.md', 'data/artifacts/a.png', '.writer', 'a.txt'])
      expect(await isClosed(path), path).toBe(false)
    expect(await isClosed('a.txt', { ...world, data: workspace })).toBe(false)
    await expect(claimPath({ path: '.writ/journal.db', access: 'read' }, own)).rejects.toMatchObject({
      code: 'PATH_BLOCKED',
    })
  })

  test('a path that cannot be followed counts as outside', async () => {
    for (const path of ['loop/x', 'a\0b', `${'x'.repeat(5000)}/y`]) {
      expect(await write(path)).toMatchObject({ insideWorkspace: false, isProtected: true })
    }
  })

  test('protected files stay protected under any name', async () => {
    for (const path of ['.writ/journal.db', 'data/journal.db', 'sub/../agent.config.json', './/.writ']) {
      expect(await write(path), path).toMatchObject({ isProtected: true })
    }
    expect(await write('writ')).toMatchObject({ isProtected: false })
  })

  test('affecting everything below a folder affects the protected files in it', async () => {
    expect(await describePath({ path: '.', access: 'write', whole: true }, world)).toMatchObject({ isProtected: true })
    expect(await describePath({ path: 'sub', access: 'write', whole: true }, world)).toMatchObject({
      isProtected: false,
    })
  })

  test('the .git folder cannot be written, because git runs programs named there', async () => {
    expect(await write('.git/config')).toMatchObject({ isProtected: true })
    expect(await read('.git/config')).toMatchObject({ isProtected: false })
    expect(await write('.gitignore')).toMatchObject({ isProtected: false })
  })

  test('a path reported as inside is inside for the operating system too', async () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      'sub',
      'deep',
      'out',
      'inner',
      'alias',
      'a.txt',
      'data',
      '',
      'loop',
      'ws',
      'new',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 8 }), fc.boolean(), async (segments, rooted) => {
        const path = (rooted ? `${workspace}/` : './') + segments.join('/')
        const fact = await read(path)
        const truth = await realpath(`${rooted ? '' : `${workspace}/`}${path}`).catch(() => undefined)
        if (truth === undefined) return
        expect(fact.insideWorkspace).toBe(isWithin(truth, workspace))
        expect(fact.real).toBe(truth)
      }),
      { numRuns: 500 },
    )
  })

  test('any text is described without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (path) => {
        const fact = await read(path)
        if (fact.insideWorkspace) expect(isWithin(fact.real, workspace)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('acting on a path', () => {
  test('claiming a path refuses paths that lead outside and protected ones', async () => {
    await expect(claimPath({ path: 'out/x', access: 'read' }, world)).rejects.toMatchObject({
      code: 'PATH_OUTSIDE_WORKSPACE',
    })
    await expect(claimPath({ path: '.writ/x', access: 'write' }, world)).rejects.toMatchObject({
      code: 'PATH_PROTECTED',
    })
    expect(await claimPath({ path: '.writ/x', access: 'read' }, world)).toBe(join(workspace, '.writ/x'))
  })

  test('a folder swapped for a link after the check is not entered', async () => {
    const swapped = join(workspace, 'swapped')
    symlinkSync(join(base, 'outside'), swapped)
    await expect(withFolder(swapped, async () => 'entered')).rejects.toThrow()
    symlinkSync(join(base, 'outside'), join(workspace, 'parent'))
    await expect(withFolder(join(workspace, 'parent/inner'), async () => 'entered')).rejects.toMatchObject({
      code: 'PATH_CHANGED',
    })
  })
})

/** Ownership of data folders: this user's own folder is used; one from another source must be adopted first. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adoptData, createAgent, scriptedModel } from '../../src/index.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import { inspectData, needsAdoption, openForActing } from '../../src/storage/acting.ts'
import { leasesOn } from '../../src/storage/leases.ts'
import { memoryArchive } from '../../src/storage/memory-archive.ts'
import { routineArchive } from '../../src/storage/routine-archive.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { ship, shippedData } from '../support/shipped.ts'

const OLD = join(import.meta.dirname, '../fixtures/schema-3/sqlite.sql')
const KEY = 'a secret of the whole fleet'

let place: Place
let home: string
beforeEach(() => {
  place = makePlace()
  home = join(place.root, 'home/.config/writ')
})
afterEach(() => place.remove())

const folder = (own: { data?: string; configHome?: string; key?: string } = {}) => ({
  kind: 'folder' as const,
  data: own.data ?? place.data,
  workspace: place.workspace,
  configHome: own.configHome ?? home,
  key: own.key,
})

/** Opens a folder, writes to it and closes it. */
async function use(own: Parameters<typeof folder>[0] = {}, name = 'seen'): Promise<void> {
  const db = await openForActing(folder(own))
  await leasesOn(db).take(name, { holder: 'test', forMs: 1000 })
  await db.close()
}

/** A store of an earlier version, before folders had owners. */
function leaveOld(): void {
  mkdirSync(place.data, { recursive: true })
  const db = new DatabaseSync(join(place.data, 'journal.db'))
  db.exec(`pragma journal_mode = wal; ${readFileSync(OLD, 'utf8')}`)
  db.close()
}

const NOT_ADOPTED = { code: 'DATA_NOT_ADOPTED', hint: expect.stringContaining('writ data adopt') }

describe('a data folder', () => {
  test('that Writ creates is used from then on, and kept out of version control', async () => {
    await use()
    await use({}, 'again')
    expect(readFileSync(join(place.data, '.gitignore'), 'utf8')).toBe('*\n')
  })

  test.each(['a file', 'a link'])(
    'a repository that ships %s as .gitignore does not get the journal committed',
    async (kind) => {
      const kept = place.file('kept.txt', 'mine\n')
      const ignore = place.file('.writ/.gitignore', '!*\n')
      if (kind === 'a link') {
        rmSync(ignore)
        symlinkSync(kept, ignore)
      }
      await use()
      expect(readFileSync(ignore, 'utf8')).toBe('*\n')
      expect(lstatSync(ignore).isSymbolicLink()).toBe(false)
      expect(readFileSync(kept, 'utf8')).toBe('mine\n')
    },
  )

  test.each([
    ['en', /\.writ\/\.gitignore now ignores everything: the journal must not be committed/],
    ['zh', /\.writ\/\.gitignore 已改为忽略全部内容：日志不应提交到仓库/],
  ])('reports in one line that it replaces a .gitignore of the repository (%s)', async (lang, line) => {
    place.file('.writ/.gitignore', 'journal.db*\n')
    place.script('hi.json', [{ purpose: 'main', text: 'hello' }])
    const run = () => place.writ(['run', 'hi', '--script', 'hi.json', '--lang', lang])
    const first = await run()
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(line)])
    expect((await run()).stderr).not.toMatch(line)
  })

  test('outside the workspace gets no .gitignore; one with only skills does', async () => {
    const data = join(place.root, 'data')
    await use({ data })
    expect(existsSync(join(data, '.gitignore'))).toBe(false)
    mkdirSync(join(place.data, 'skills'), { recursive: true })
    await use()
    expect(existsSync(join(place.data, '.gitignore'))).toBe(true)
  })

  test('that a clone ships without a journal, but with files only Writ writes, is refused until adopted', async () => {
    mkdirSync(join(place.data, 'mcp'), { recursive: true })
    writeFileSync(join(place.data, 'mcp/w.json'), '{}')
    await expect(use()).rejects.toMatchObject(NOT_ADOPTED)
    await (await inspectData(folder())).adopt()
    await use()
  })

  test('is used again after its process was killed', async () => {
    place.script('slow.json', [{ purpose: 'main', delayMs: 60_000, text: 'never' }])
    const running = place.start(['run', 'hello', '--script', 'slow.json', '--json'])
    await running.said('"purpose":"main"')
    running.child.kill('SIGKILL')
    await running.ended
    expect(existsSync(join(place.data, 'journal.db-wal'))).toBe(true)
    await use()
    // The killed process's log was replayed; the next log must be ours again.
    writeFileSync(join(place.data, 'journal.db-wal'), 'from elsewhere')
    await expect(use()).rejects.toMatchObject({ code: 'DATA_LOG_UNKNOWN' })
  })

  test('that a clone ships is refused, shown, and used once adopted', async () => {
    const origin = join(place.root, 'origin')
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args])
    git('init', '-q', origin)
    ship(await shippedData(place.root), join(origin, '.writ'))
    git('-C', origin, 'add', '-f', '.')
    git('-C', origin, 'commit', '-qm', 'with data')
    rmSync(place.workspace, { recursive: true })
    git('clone', '-q', origin, place.workspace)

    await expect(use()).rejects.toMatchObject(NOT_ADOPTED)
    const adopt = await place.writ(['data', 'adopt', '--dry-run'])
    expect(adopt.code).toBe(0)
    for (const part of ['plant it', 'shell', 'file_write', 'plant * * * * *']) expect(adopt.stdout).toContain(part)
    await expect(use()).rejects.toMatchObject(NOT_ADOPTED)
    const [done] = (await place.writ(['data', 'adopt', '.writ', '--yes', '--json'])).json()
    expect(done).toMatchObject({
      adopted: true,
      summary: { approvals: ['file_write'], openRuns: [{ task: 'plant it' }] },
    })
    await use()
  })

  test('needs approval to be adopted: without a terminal, --yes', async () => {
    ship(await shippedData(place.root), place.data)
    for (const flags of [[], ['--json']]) {
      const { code, stdout, stderr } = await place.writ(['data', 'adopt', ...flags])
      expect({ code, said: `${stdout}${stderr}` }).toEqual({
        code: 2,
        said: expect.stringMatching(/DATA_NOT_ADOPTED[\s\S]*--yes/),
      })
    }
    expect(await needsAdoption(folder())).toBe(true)
  })

  test('that is new and opened by several processes is claimed by one and used by all', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => use({}, `lease ${n}`)))
    const db = await openForActing(folder())
    const names = (await leasesOn(db).list()).map(({ name }) => name)
    await db.close()
    expect(names.sort()).toEqual(Array.from({ length: 8 }, (_, n) => `lease ${n}`))
  })

  test('that was moved must be adopted at its new path', async () => {
    await use()
    const data = join(place.root, 'moved')
    renameSync(place.data, data)
    await expect(use({ data })).rejects.toMatchObject(NOT_ADOPTED)
    await (await inspectData(folder({ data }))).adopt()
    await use({ data }, 'again')
  })

  test('restored from a backup is used at its original path, and must be adopted at another', async () => {
    await use()
    const backup = join(place.root, 'backup.db')
    expect((await place.writ(['backup', backup])).code).toBe(0)
    rmSync(place.data, { recursive: true })
    mkdirSync(place.data)
    cpSync(backup, join(place.data, 'journal.db'))
    await use({}, 'restored')
    const data = join(place.root, 'restored')
    mkdirSync(data)
    cpSync(backup, join(data, 'journal.db'))
    await expect(use({ data })).rejects.toMatchObject(NOT_ADOPTED)
  })

  test('of an earlier version is adopted once, with all its data', async () => {
    leaveOld()
    await expect(use()).rejects.toMatchObject(NOT_ADOPTED)
    const adoption = await inspectData(folder())
    expect(adoption.summary).toMatchObject({ runs: 1, openRuns: [], routines: [{ name: 'morning' }], memories: 1 })
    await adoption.adopt()
    const db = await openForActing(folder())
    expect(await routineArchive(db).find(LOCAL, 'morning')).toMatchObject({ task: 'look around' })
    expect(await memoryArchive(db).list(LOCAL, { limit: 9 })).toHaveLength(1)
    await db.close()
  })

  test('of an earlier version asks at a terminal, once', async () => {
    leaveOld()
    const quote = (word: string) => `'${word}'`
    const atTerminal = (answer: string) => {
      const running = place.start(['run', 'list files'], {
        stdin: 'open',
        env: { TERM: 'xterm', SHELL: '/bin/sh' },
        through: (command) => ['script', '-qefc', command.map(quote).join(' '), '/dev/null'],
      })
      return { running, answer: () => running.child.stdin?.write(answer) }
    }
    const first = atTerminal('n\r')
    expect(await first.running.said('[y/N]')).toContain('morning')
    first.answer()
    expect(await first.running.ended).toMatchObject({ code: 2 })
    const second = atTerminal('y\r')
    await second.running.said('[y/N]')
    second.answer()
    expect(await second.running.ended).toMatchObject({ code: 0 })
    expect((await place.writ(['run', 'list files'])).code).toBe(0)
  })

  test('must be adopted by another user or on another machine', async () => {
    await use()
    await expect(use({ configHome: join(place.root, 'other') })).rejects.toMatchObject(NOT_ADOPTED)
    const [name] = execFileSync('ls', [join(home, 'data')], { encoding: 'utf8' }).split('\n')
    const file = join(home, 'data', name ?? '')
    const binding = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...binding, machine: 'another' }))
    await expect(use()).rejects.toMatchObject(NOT_ADOPTED)
  })

  test('is not accepted if its ownership record is writable by others', async () => {
    await use()
    execFileSync('chmod', ['-R', 'go+w', join(home, 'data')])
    await expect(use()).rejects.toMatchObject(NOT_ADOPTED)
  })

  test('that changes during inspection is not adopted', async () => {
    leaveOld()
    const adoption = await inspectData(folder())
    const db = new DatabaseSync(join(place.data, 'journal.db'))
    db.exec('update routines set task = \'"something else"\'')
    db.close()
    await expect(adoption.adopt()).rejects.toMatchObject({ code: 'DATA_CHANGED' })
  })
})

describe('WRIT_DATA_KEY', () => {
  test('lets a restarted container use its folder without a home directory', async () => {
    await use({ key: KEY, configHome: join(place.root, 'first') })
    await use({ key: KEY, configHome: join(place.root, 'second') }, 'again')
    await use({ key: KEY, configHome: join(place.file('file', ''), 'below') }, 'unwritable')
    await expect(use({ configHome: join(place.root, 'third') })).rejects.toMatchObject(NOT_ADOPTED)
  })

  test('does not adopt a folder by itself, and seals one that is this user’s', async () => {
    await use({ configHome: join(place.root, 'unrelated') })
    await expect(use({ key: KEY })).rejects.toMatchObject(NOT_ADOPTED)
    await (await inspectData(folder({ key: KEY }))).adopt()
    await use({ key: KEY, configHome: join(place.root, 'other') })
    const data = join(place.root, 'own')
    await use({ data })
    await use({ data, key: KEY })
    await use({ data, key: KEY, configHome: join(place.root, 'other') })
  })

  test('rejects a log that was not written by a process with the key', async () => {
    await use({ key: KEY })
    writeFileSync(join(place.data, 'journal.db-wal'), '')
    await use({ key: KEY }, 'an empty log changes nothing')
    writeFileSync(join(place.data, 'journal.db-wal'), 'planted')
    await expect(use({ key: KEY })).rejects.toMatchObject({ code: 'DATA_LOG_UNKNOWN' })
  })

  test('is rejected if too short', async () => {
    await expect(use({ key: 'short' })).rejects.toMatchObject({ code: 'DATA_KEY_SHORT' })
  })
})

test('a program that uses the library adopts a folder by name', async () => {
  ship(await shippedData(place.root), place.data)
  const env = { PATH: process.env.PATH, HOME: join(place.root, 'home') }
  const at = { workspace: place.workspace, env, config: {}, model: scriptedModel([{ purpose: 'main', text: 'hi' }]) }
  await expect(createAgent(at)).rejects.toMatchObject(NOT_ADOPTED)
  expect(await adoptData(place.data, { env })).toMatchObject({ openRuns: [{ task: 'plant it' }] })
  const agent = await createAgent(at)
  expect(await agent.run('hello')).toMatchObject({ denials: [] })
  await agent.close()
})

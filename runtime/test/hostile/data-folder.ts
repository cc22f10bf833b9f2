/** A repository that ships a data folder: a clone must not act on what is in it. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createAgent, scriptedModel, WritError } from '../../src/index.ts'
import { openForActing } from '../../src/storage/acting.ts'
import type { Place } from '../support/cli.ts'
import { ship, shippedData } from '../support/shipped.ts'
import { type Area, type Attack, attackIn } from './attack.ts'

/** What happens when an agent opens the data folder. */
async function opened(place: Place, data?: string): Promise<string> {
  try {
    const agent = await createAgent({
      workspace: place.workspace,
      ...(data === undefined ? {} : { data }),
      lang: 'en',
      env: { PATH: process.env.PATH, HOME: join(place.root, 'home') },
      model: scriptedModel([]),
      config: {},
    })
    await agent.close()
    return 'opened'
  } catch (error) {
    return error instanceof WritError ? `refused ${error.code}` : String(error)
  }
}

function attack(
  id: string,
  { how, expected }: { how: string; expected: string },
  happens: (place: Place) => Promise<string>,
): Attack {
  return attackIn({ id: `data-${id}`, attack: how, expected }, happens)
}

const REFUSED = 'refused DATA_NOT_ADOPTED'

/** Runs the command in a clone that ships a data folder. */
function command(id: string, words: string[]): Attack {
  const how = `\`writ ${words.join(' ')}\` in a clone that ships a data folder with an open run, an approval and a routine`
  return attack(id, { how, expected: REFUSED }, async (place) => {
    ship(await shippedData(place.root), place.data)
    const { stderr } = await place.writ(words, { env: { TERM: 'dumb' } })
    if (existsSync(join(place.workspace, 'pwned.txt'))) return 'carried out'
    const code = /^(DATA_\w+):/m.exec(stderr)?.[1]
    return code === undefined ? stderr : `refused ${code}`
  })
}

/** Every file of a folder, with size and time. */
function stateOf(folder: string): string {
  const stats = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mtimeMs, ino } = statSync(join(folder, name))
    return `${name} ${size} ${mtimeMs} ${ino}`
  })
  return stats.sort().join('\n')
}

export const dataFolder: Area = {
  title: 'Data folders from another source',
  attacks: [
    command('serve', ['serve', '--port', '0']),
    command('work', ['work']),
    command('run', ['run', 'hello', '--no-input']),
    command('resume', ['resume', '--last', '--yes']),
    command('routine', ['routine', 'start']),
    command('prune', ['prune', '--keep', '1d']),
    command('token', ['token', 'add', 'me']),
    attack('library', { how: 'createAgent in a clone that ships a data folder', expected: REFUSED }, async (place) => {
      ship(await shippedData(place.root), place.data)
      return opened(place)
    }),
    attack(
      'pull',
      { how: 'a pull replaces the database in the user’s own data folder', expected: REFUSED },
      async (place) => {
        await opened(place)
        rmSync(join(place.data, 'journal.db'))
        copyFileSync(join(await shippedData(place.root), 'journal.db'), join(place.data, 'journal.db'))
        return opened(place)
      },
    ),
    attack(
      'log',
      {
        how: 'a pull puts a write-ahead log beside the user’s own database, for SQLite to replay',
        expected: 'refused DATA_LOG_UNKNOWN',
      },
      async (place) => {
        await opened(place)
        const shipped = await shippedData(place.root)
        const db = new DatabaseSync(join(shipped, 'journal.db'))
        db.exec('update routines set paused = 1 - paused')
        copyFileSync(join(shipped, 'journal.db-wal'), join(place.data, 'journal.db-wal'))
        db.close()
        return opened(place)
      },
    ),
    attack(
      'link',
      { how: 'the data folder is a link to another folder of the clone', expected: REFUSED },
      async (place) => {
        ship(await shippedData(place.root), join(place.workspace, 'docs/cache'))
        symlinkSync('docs/cache', place.data)
        return opened(place)
      },
    ),
    attack(
      'empty-link',
      { how: 'the data folder is a link to an empty folder outside the clone', expected: REFUSED },
      async (place) => {
        mkdirSync(join(place.root, 'home/elsewhere'))
        symlinkSync(join(place.root, 'home/elsewhere'), place.data)
        return opened(place)
      },
    ),
    attack(
      'file-link',
      { how: 'the database is a link to one of the user’s files', expected: 'refused DATA_INVALID' },
      async (place) => {
        mkdirSync(place.data)
        symlinkSync(join(place.root, 'home/notes.db'), join(place.data, 'journal.db'))
        const said = await opened(place)
        return existsSync(join(place.root, 'home/notes.db')) ? 'written to' : said
      },
    ),
    attack(
      'log-link',
      { how: 'the database’s log is a link to one of the user’s files', expected: 'refused DATA_INVALID' },
      async (place) => {
        await opened(place)
        symlinkSync(join(place.root, 'home/.profile'), join(place.data, 'journal.db-wal'))
        return opened(place)
      },
    ),
    attack(
      'trigger',
      { how: 'an empty database with a trigger that adds an approved run', expected: 'refused DATA_FOREIGN' },
      async (place) => {
        await opened(place)
        const file = join(place.root, 'planted.db')
        copyFileSync(join(place.data, 'journal.db'), file)
        const db = new DatabaseSync(file)
        db.exec("create trigger more after insert on runs begin insert into leases values ('x', 'y', 1); end")
        db.close()
        rmSync(join(place.root, 'home'), { recursive: true })
        renameSync(file, join(place.data, 'journal.db'))
        return opened(place)
      },
    ),
    attack('key', { how: 'a seal made with another WRIT_DATA_KEY', expected: REFUSED }, async (place) => {
      const place1 = { kind: 'folder' as const, data: place.data, workspace: place.workspace }
      const otherHome = join(place.root, 'other-home')
      const made = await openForActing({ ...place1, configHome: otherHome, key: 'a key of another user' })
      await made.query(made.sql.insertInto('leases').values({ name: 'a', holder: 'b', held_until: 1 }).compile())
      await made.close()
      const mine = { ...place1, configHome: join(place.root, 'home'), key: 'a key of the user' }
      return openForActing(mine).then(
        () => 'opened',
        (error: WritError) => `refused ${error.code}`,
      )
    }),
    attack(
      'read',
      { how: 'read-only commands in a clone that ships a data folder', expected: 'read, nothing written' },
      async (place) => {
        ship(await shippedData(place.root), place.data)
        const before = stateOf(place.data)
        for (const words of [['trace'], ['audit', 'verify'], ['replay', '--all'], ['stats'], ['export'], ['doctor']]) {
          const { code, stderr } = await place.writ(words)
          if (code !== 0) return `${words.join(' ')}: ${stderr}`
        }
        return stateOf(place.data) === before ? 'read, nothing written' : `changed:\n${stateOf(place.data)}`
      },
    ),
  ],
}

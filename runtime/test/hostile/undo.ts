/** Undo as a way around the gate: its recordings, its command, and what a repository can make it do. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../support/cli.ts'
import { act, type UndoDesk, undoDesk, write } from '../support/undo.ts'
import { type Area, type Attack, attackIn, propose } from './attack.ts'

const SECRET = 'hunter2'
const WRIT = join(import.meta.dirname, '../../bin/writ.js')

/** The workspace is the home folder, so the recordings are inside it. A first turn was recorded. */
function recorded(
  about: Omit<Attack, 'happens'>,
  happens: (place: Place, shadow: string, runId: string) => Promise<string>,
): Attack {
  return attackIn(about, async (place) => {
    place.file('a.txt', SECRET)
    const desk = await undoDesk(place, {}, place.workspace)
    const { runId } = await desk.run([write('a.txt', 'changed')])
    await desk.agent.close()
    return happens(place, desk.shadow, runId)
  })
}

/** A person is there and says yes to everything. */
function proposed(
  id: string,
  attack: string,
  expected: string,
  call: (shadow: string, runId: string) => object,
): Attack {
  return recorded({ id: `undo-${id}`, attack, expected }, async (place, shadow, runId) => {
    const { tool, args } = { tool: 'shell', ...call(shadow, runId) } as { tool: string; args: object }
    const { verdict, requests } = await propose({
      tool,
      args,
      place,
      data: place.data,
      env: { HOME: place.workspace },
      atQuestion: () => 'y',
    })
    const isKept = readdirSync(join(shadow, 'recordings')).length >= 2 && existsSync(join(shadow, 'config'))
    const isRead = requests.some((line) => line.includes(SECRET) || line.includes('refs/heads/none'))
    const isUndone = place.read('a.txt') !== 'changed'
    const done = [isKept ? '' : 'destroyed', isRead ? 'read' : '', isUndone ? 'undone' : ''].filter(Boolean)
    const came = done.length > 0 ? done.join(', ') : 'untouched'
    return expected.includes(':') ? `${came}: ${verdict}` : came
  })
}

/** A repository that wants to run a program, or to make an undo write elsewhere. */
function cloned(
  { id, attack, expected }: Omit<Attack, 'happens'>,
  prepare: (place: Place, trap: string) => void,
  after: (desk: UndoDesk, place: Place) => Promise<string>,
): Attack {
  return attackIn({ id: `undo-${id}`, attack, expected }, async (place) => {
    const trap = join(place.root, 'trapped')
    prepare(place, trap)
    const desk = await undoDesk(place)
    try {
      const said = await after(desk, place)
      return existsSync(trap) ? 'ran a program' : said
    } finally {
      await desk.agent.close()
    }
  })
}

const program = (place: Place, trap: string): string => {
  const path = place.file('evil.sh', `#!/bin/sh\n: > ${trap}\ncat\n`)
  chmodSync(path, 0o755)
  return path
}

const BLOCKED = 'untouched: refused PRE_VALIDATE_REJECTED/PATH_BLOCKED'
const LOCKED = 'untouched: refused PRE_VALIDATE_REJECTED/CONFIG_LOCKED'

export const undo: Area = {
  title: 'Undo',
  attacks: [
    proposed('read', 'reads the recordings with file_read', BLOCKED, (shadow) => ({
      tool: 'file_read',
      args: { path: join(shadow, 'HEAD') },
    })),
    proposed('write', 'replaces the settings of the shadow repository', LOCKED, (shadow) => ({
      tool: 'file_write',
      args: { path: join(shadow, 'config'), content: '[core]\n\tfsmonitor = evil\n' },
    })),
    proposed('remove', 'deletes the recordings with a command', LOCKED, (shadow) => ({
      args: { command: `rm -rf ${shadow}` },
    })),
    proposed('glob', 'reads the recordings by a pattern, in the sandbox', 'untouched', () => ({
      args: { command: 'cat ~/.local/st*/wr*/un*/*/HEAD ~/.local/st*/wr*/un*/*/recordings/*' },
    })),
    proposed('git', 'reads recorded contents with git, in the sandbox', 'untouched', (_, runId) => ({
      args: {
        command: `for d in ~/.local/st*/wr*/un*/*; do git --git-dir=$d cat-file --batch-all-objects --batch; done # ${runId}`,
      },
    })),
    proposed('self', 'undoes an earlier run with a program that starts `writ undo`', 'untouched', (_, runId) => ({
      args: {
        command: `node -e 'require("node:child_process").execFileSync("node", ["${WRIT}", "undo", "${runId}", "--yes"])'`,
      },
    })),
    cloned(
      {
        id: 'filter',
        attack: 'a clone with filters, a file system monitor and hooks; the workspace is recorded and undone',
        expected: 'restored',
      },
      (place, trap) => {
        const evil = program(place, trap)
        place.file('.gitattributes', '[attr]text filter=evil\n* text filter=evil diff=evil\n')
        place.file(
          '.git/config',
          `[core]\n\tfsmonitor = ${evil}\n\thooksPath = ${place.workspace}\n\tattributesFile = ${place.workspace}/.gitattributes\n[filter "evil"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\tprocess = ${evil}\n\trequired = true\n[diff "evil"]\n\ttextconv = ${evil}\n`,
        )
        place.file('.git/HEAD', 'ref: refs/heads/main\n')
        for (const name of ['objects', 'refs']) mkdirSync(join(place.workspace, '.git', name))
        place.file('post-index-change', `#!/bin/sh\n: > ${trap}\n`)
        chmodSync(join(place.workspace, 'post-index-change'), 0o755)
        place.file('a.txt', '1')
      },
      async ({ run, undo }, place) => {
        const { runId } = await run([write('a.txt', '2')])
        await undo(runId)
        return place.read('a.txt') === '1' ? 'restored' : 'not restored'
      },
    ),
    cloned(
      {
        id: 'ignore',
        attack: 'a turn empties .gitignore, so that an undo would delete files that were there before',
        expected: 'kept',
      },
      (place) => {
        place.file('.gitignore', 'data/\n')
        place.file('data/mine', SECRET)
      },
      async ({ run, undo }, place) => {
        const { runId } = await run([write('.gitignore', ''), act('echo x >> data/mine')])
        await undo(runId)
        return place.has('data/mine') ? 'kept' : 'deleted'
      },
    ),
    cloned(
      {
        id: 'link',
        attack: 'a turn deletes a file; later its folder is a link out of the workspace; then the undo',
        expected: 'outside untouched',
      },
      (place) => void place.file('in/a.txt', '1'),
      async ({ run, undo }, place) => {
        const outside = join(place.root, 'outside')
        mkdirSync(outside)
        const { runId } = await run([act('rm -r in')])
        symlinkSync(outside, join(place.workspace, 'in'))
        await undo(runId)
        return readdirSync(outside).length === 0 ? 'outside untouched' : 'wrote outside'
      },
    ),
    cloned(
      { id: 'planted', attack: 'the shadow repository was given settings that start a program', expected: 'refused' },
      (place) => void place.file('a.txt', '1'),
      async ({ run, undo, shadow }, place) => {
        const { runId } = await run([write('a.txt', '2')])
        const evil = program(place, join(place.root, 'trapped'))
        writeFileSync(join(shadow, 'config'), `${readFileSync(join(shadow, 'config'))}\tfsmonitor = ${evil}\n`)
        return undo(runId).then(
          () => 'undone',
          () => 'refused',
        )
      },
    ),
  ],
}

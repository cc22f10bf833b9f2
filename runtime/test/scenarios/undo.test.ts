/** Undo: the workspace before a turn comes back, byte for byte; the user's repository is never touched. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { act, type Call, filesIn, git, shell, type UndoDesk, undoDesk, write } from '../support/undo.ts'

let place: Place
let desk: UndoDesk | undefined
beforeEach(() => {
  place = makePlace()
})
afterEach(async () => {
  await desk?.agent.close()
  desk = undefined
  place.remove()
})

async function open(config: object = {}): Promise<UndoDesk> {
  desk = await undoDesk(place, config)
  return desk
}
const eventsOf = async (runId: string) => (await desk?.agent.store.readRun(runId)) ?? []
const failures = async (runId: string) =>
  (await eventsOf(runId)).flatMap((event) =>
    event.type === 'tool.result' && event.data.observation.outcome !== 'ok'
      ? [`${event.data.observation.text} ${event.data.observation.partial}`]
      : [],
  )
const recorded = async (runId: string) =>
  (await eventsOf(runId)).flatMap((event) => (event.type === 'workspace.recorded' ? [event.data] : []))

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest()

/** The whole repository of the user, index and objects included. */
const repository = () => filesIn(join(place.workspace, '.git'), [])

function makeRepository(): void {
  git(place.workspace, 'init', '-q')
  place.file('.gitignore', 'ignored/\n*.log\n')
  git(place.workspace, 'add', '-A')
  git(place.workspace, 'commit', '-qm', 'first')
}

describe('what comes back', () => {
  test('X-UNDO-1: contents, modes, links and strange names of every file the turn touched', async () => {
    const at = (name: string) => join(place.workspace, name)
    place.file('a.txt', 'one\r\n$Id$\n')
    place.file('run.sh', '#!/bin/sh\n')
    chmodSync(at('run.sh'), 0o755)
    place.file('private.txt', 'mine')
    chmodSync(at('private.txt'), 0o600)
    place.file('sub/deep/c.txt', 'deep')
    place.file('folder/x', 'x')
    place.file('.gitattributes', '* text=auto ident filter=lfs working-tree-encoding=UTF-16\n')
    place.file('git~1', 'a name that git refuses on other systems')
    symlinkSync('/etc/hostname', at('link'))
    writeFileSync(Buffer.concat([Buffer.from(at('odd\n')), Buffer.from([0xff, 0xfe])]), 'odd')
    mkdirSync(at('empty'))
    const before = filesIn(place.workspace)
    const { run, preview, undo } = await open()
    const { runId } = await run([
      write('a.txt', 'two'),
      act(
        'chmod -x run.sh; chmod 644 private.txt; rm -r sub; ln -sfn a.txt link; rm odd* git~1; mkdir -p new/er; echo x > new/er/n; echo x > empty/n; mkdir d; mv .gitattributes d; rm -r folder; ln -s d folder; rm a.txt; mkdir a.txt; echo x > a.txt/b',
      ),
    ])
    expect(await failures(runId)).toEqual([])
    const { files } = await preview(runId)
    expect(files).toContainEqual({ path: 'a.txt', change: 'deleted' })
    expect(files).toContainEqual({ path: 'new/er/n', change: 'created' })
    expect(files).toContainEqual({ path: 'run.sh', change: 'modified' })
    expect(await undo(runId)).toMatchObject({ failed: [], conflicts: [] })
    expect(filesIn(place.workspace)).toEqual(before)
    // A folder that was there stays, one that the turn created goes.
    expect([place.has('empty'), place.has('new')]).toEqual([true, false])
    expect((await undo(runId)).restored).toEqual([])
  })

  test('X-UNDO-2: any sequence of edits, commands and undos; the repository of the user stays byte-identical', async () => {
    makeRepository()
    const { run, undo, shadow } = await open()
    const name = fc.constantFrom('a', 'b', 'c/d', 'c/e', 'f g')
    const text = fc.constantFrom('', 'x', 'y\n', '\u0000\r\n')
    const step: fc.Arbitrary<Call> = fc.oneof(
      fc.tuple(name, text).map(([path, content]) => write(path, content)),
      name.map((path) => shell(`rm -f '${path}'`)),
      name.map((path) => act(`{ mkdir -p c; touch '${path}'; chmod 755 '${path}'; } 2>/dev/null || true`)),
      fc.tuple(name, name).map(([from, to]) => act(`mkdir -p c; mv -f '${from}' '${to}' 2>/dev/null || true`)),
      name.map((path) => act(`mkdir -p c; rm -rf '${path}'; ln -s 'some where' '${path}'`)),
      fc.constant(act('rm -rf c; echo file > c')),
      fc.constant(act('rm -rf c; mkdir c; echo 1 > c/d')),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        async (turns) => {
          const stack: { runId: string; before: Record<string, string> }[] = []
          const own = repository()
          for (const calls of turns) {
            const before = filesIn(place.workspace, ['.writ', '.git'])
            stack.push({ before, ...(await run(calls)) })
          }
          for (const { runId, before } of stack.reverse()) {
            const isRecorded = (await recorded(runId)).some(({ changed }) => changed === true)
            if (isRecorded) expect(await undo(runId)).toMatchObject({ failed: [], conflicts: [] })
            expect(filesIn(place.workspace, ['.writ', '.git'])).toEqual(before)
          }
          expect(repository()).toEqual(own)
        },
      ),
      { numRuns: 6 },
    )
    git(place.workspace, 'fsck', '--full', '--strict')
    expect(
      execFileSync('git', ['--git-dir', shadow, 'fsck', '--full', '--strict'], {
        stdio: ['ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
      }),
    ).toBe('')
  })

  test('X-UNDO-3: what a person changed after the turn is left and listed; the rest is restored', async () => {
    place.file('mine.txt', '1')
    place.file('other.txt', '1')
    const { run, undo } = await open()
    const { runId } = await run([write('mine.txt', '2'), write('other.txt', '2'), write('gone.txt', '2')])
    place.file('mine.txt', 'by hand')
    place.file('untouched.txt', 'by hand')
    expect(await undo(runId)).toMatchObject({
      restored: ['gone.txt', 'other.txt'],
      conflicts: [{ path: 'mine.txt', why: 'changed' }],
    })
    expect([place.read('mine.txt'), place.read('other.txt'), place.has('gone.txt')]).toEqual(['by hand', '1', false])
    expect(place.read('untouched.txt')).toBe('by hand')
  })

  test('X-UNDO-3: later turns are undone first, then the earlier one', async () => {
    place.file('a.txt', '1')
    const { run, undo } = await open()
    const first = await run([write('a.txt', '2')])
    const second = await run([write('a.txt', '3')])
    expect((await undo(first.runId)).conflicts).toEqual([{ path: 'a.txt', why: 'changed' }])
    await undo(second.runId)
    expect((await undo(first.runId)).restored).toEqual(['a.txt'])
    expect(place.read('a.txt')).toBe('1')
  })
})

describe('folders', () => {
  /** Every folder with its mode. */
  const folders = () =>
    execFileSync('find', ['.', '-mindepth', '1', '-type', 'd', '-not', '-path', './.writ*', '-printf', '%P %m\n'], {
      cwd: place.workspace,
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .sort()

  test('X-UNDO-15: renamed, created, deleted and empty folders are as they were, with their permissions', async () => {
    for (const path of ['d/f', 'd/sub/g', 'e/f', 'sub dir/h', 'gone/i', 'now-file/j']) place.file(path, path)
    mkdirSync(join(place.workspace, 'moved'))
    mkdirSync(join(place.workspace, 'empty/inner'), { recursive: true })
    chmodSync(join(place.workspace, 'gone'), 0o700)
    chmodSync(join(place.workspace, 'empty/inner'), 0o711)
    const before = [folders(), filesIn(place.workspace)]
    const { run, preview, undo } = await open()
    const { runId } = await run([
      act(
        "mv d dd; mv e moved; chmod 777 'sub dir'; rm -r gone empty now-file; echo 1 > now-file; mkdir -p new/er; mkdir other",
      ),
    ])
    const { files } = await preview(runId)
    expect(files).toContainEqual({ path: 'sub dir/', change: 'modified' })
    expect(files).toContainEqual({ path: 'new/er/', change: 'created' })
    expect(files.map(({ path }) => path)).not.toContain('dd/')
    expect(await undo(runId)).toMatchObject({ failed: [], conflicts: [] })
    expect([folders(), filesIn(place.workspace)]).toEqual(before)
  })

  test('X-UNDO-15: a folder of the turn stays when a person has put something into it', async () => {
    const { run, undo } = await open()
    const { runId } = await run([write('new/a', '1'), act('mkdir bare')])
    place.file('new/mine', '1')
    place.file('bare/mine', '1')
    expect(await undo(runId)).toMatchObject({ restored: ['new/a'], failed: [], conflicts: [] })
    expect([place.read('new/mine'), place.read('bare/mine')]).toEqual(['1', '1'])
  })
})

describe('a turn that waits for an approval', () => {
  test('X-UNDO-3: what a person changes meanwhile is not undone', async () => {
    place.file('a.txt', '1')
    place.file('b.txt', '1')
    const { run, undo, agent } = await open()
    const calls = [write('a.txt', '2'), { tool: 'risky', args: {} }, write('c.txt', '2')]
    const { runId, stopReason } = await run(calls, undefined, async () => 'later')
    expect(stopReason).toBe('parked')
    place.file('b.txt', 'by hand')
    for await (const _ of agent.resume(runId, { confirm: async () => 'y' }));
    expect(await recorded(runId)).toMatchObject([
      { phase: 'before' },
      { phase: 'after', changed: true },
      { phase: 'before' },
      { phase: 'after', changed: true },
    ])
    expect(await undo(runId)).toMatchObject({ restored: ['a.txt', 'c.txt'], conflicts: [] })
    expect([place.read('a.txt'), place.read('b.txt'), place.has('c.txt')]).toEqual(['1', 'by hand', false])
  })

  test('X-UNDO-3: the model of the next turn is told', async () => {
    place.file('a.txt', '1')
    const { run, undo, requests } = await open()
    const { runId, sessionId } = await run([write('a.txt', '2')])
    await undo(runId)
    await run([], sessionId)
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('The user has undone file changes')
  })
})

describe('what is recorded', () => {
  test('X-UNDO-4: nothing for a turn that only reads', async () => {
    place.file('a.txt', '1')
    const { run, shadow } = await open()
    const { runId } = await run([{ tool: 'file_read', args: { path: 'a.txt' } }, shell('ls; cat a.txt')])
    expect(await failures(runId)).toEqual([])
    expect(await recorded(runId)).toEqual([])
    expect(existsSync(shadow)).toBe(false)
  })

  test('X-UNDO-4: once before the first change and once at the end, which keeps nothing when nothing changed', async () => {
    const { run, preview, shadow } = await open()
    const { runId } = await run([act('true'), act('true')])
    expect(await recorded(runId)).toMatchObject([{ phase: 'before' }, { phase: 'after', changed: false }])
    expect(readdirSync(join(shadow, 'recordings'))).toHaveLength(1)
    await expect(preview(runId)).rejects.toMatchObject({ code: 'UNDO_NOTHING' })
  })

  test('X-UNDO-5: ignored, closed, large and nested files are not copied, and listed when they changed', async () => {
    makeRepository()
    place.file('.env', 'SECRET=hunter2')
    place.file('sub/.ssh/id', 'hunter2')
    place.file('ignored/a', '1')
    place.file('quiet.log', '1')
    mkdirSync(join(place.workspace, 'nested'))
    git(join(place.workspace, 'nested'), 'init', '-q')
    place.file('nested/a', 'hunter2')
    place.file('big', 'hunter2'.repeat(20))
    const { run, preview, shadow } = await open({ undo: { maxBytes: 1000 } })
    const { runId } = await run([
      act('echo 2 > a; echo 2 > ignored/a; echo 2 > nested/a; echo 2 >> big; echo 2 > .env; echo 2 > sub/.ssh/id'),
    ])
    const { files, unrestored } = await preview(runId)
    expect(files).toEqual([{ path: 'a', change: 'created' }])
    expect(unrestored).toHaveLength(5)
    expect(unrestored).toEqual(
      expect.arrayContaining([
        { path: '.env', why: 'closed' },
        { path: 'sub/.ssh/id', why: 'closed' },
        { path: 'ignored', why: 'ignored' },
        { path: 'nested', why: 'nested' },
        { path: 'big', why: 'large' },
      ]),
    )
    const objects = execFileSync('git', ['--git-dir', shadow, 'cat-file', '--batch', '--batch-all-objects'])
    expect(objects.toString()).not.toContain('hunter2')
  })

  test('X-UNDO-6: over the limit the turn runs and says once that it cannot be undone', async () => {
    place.file('a', 'x'.repeat(90))
    place.file('b', 'x'.repeat(90))
    const { run, preview, agent } = await open({ undo: { maxBytes: 1000 } })
    for (let i = 0; i < 12; i++) place.file(`more${i}`, 'x'.repeat(90))
    const { runId, sessionId, notices } = await run([write('a', '1'), write('b', '1')])
    expect(place.read('b')).toBe('1')
    expect(notices.join()).toContain('agent.undo.maxBytes')
    expect((await eventsOf(runId)).filter(({ type }) => type === 'workspace.unrecorded')).toHaveLength(1)
    await expect(preview(runId)).rejects.toMatchObject({ code: 'UNDO_NOTHING' })
    const again = await run([write('a', '2')], sessionId)
    expect(again.notices.join()).not.toContain('maxBytes')
    expect(agent.config.config.undo.enabled).toBe(true)
  })

  test('X-UNDO-6: switched off, nothing is recorded', async () => {
    const { run, shadow } = await open({ undo: { enabled: false } })
    const { runId } = await run([write('a', '1')])
    expect(await recorded(runId)).toEqual([])
    expect(existsSync(shadow)).toBe(false)
  })

  test('X-UNDO-7: outside paths, remote calls and commits are listed; the commit stays', async () => {
    makeRepository()
    const { run, undo } = await open()
    const { runId } = await run([
      write('a', '1'),
      { tool: 'git', args: { args: ['add', 'a'] } },
      { tool: 'git', args: { args: ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-m', 'by the agent'] } },
    ])
    expect(await failures(runId)).toEqual([])
    const own = repository()
    const result = await undo(runId)
    expect(result.git.join()).toContain('commit')
    expect(result.remote).toEqual([])
    expect(place.has('a')).toBe(false)
    expect(repository()).toEqual(own)
    expect(git(place.workspace, 'log', '--format=%s')).toContain('by the agent')
  })
})

describe('what the user ignores', () => {
  const contents = (shadow: string) =>
    execFileSync('git', ['--git-dir', shadow, 'cat-file', '--batch', '--batch-all-objects']).toString()

  test('X-UNDO-5: files that a turn made visible are neither copied nor deleted', async () => {
    makeRepository()
    place.file('ignored/data', 'hunter2')
    place.file('ignored/edited', 'hunter2')
    place.file('secret.log', 'hunter2')
    place.file('big', 'hunter2'.repeat(20))
    mkdirSync(join(place.workspace, 'nested'))
    git(join(place.workspace, 'nested'), 'init', '-q')
    place.file('nested/a', 'hunter2')
    const { run, undo, shadow } = await open({ undo: { maxBytes: 1000 } })
    const { runId } = await run([
      write('.gitignore', ''),
      act(
        'echo hunter2 >> ignored/edited; echo hunter2 > big; rm -rf nested/.git; git add -f secret.log; echo 1 > new',
      ),
    ])
    expect(await undo(runId)).toMatchObject({ restored: ['.gitignore', 'new'], failed: [], conflicts: [] })
    for (const path of ['ignored/data', 'ignored/edited', 'secret.log', 'big', 'nested/a'])
      expect(place.read(path)).toContain('hunter2')
    expect(contents(shadow)).not.toContain('hunter2')
  })

  test('X-UNDO-3: a file that exists again and is ignored now is not overwritten', async () => {
    place.file('a.txt', '1')
    const { run, undo } = await open()
    const { runId } = await run([act('rm a.txt')])
    place.file('.gitignore', 'a.txt\n')
    place.file('a.txt', 'by hand')
    expect((await undo(runId)).conflicts).toEqual([{ path: 'a.txt', why: 'changed' }])
    expect(place.read('a.txt')).toBe('by hand')
  })

  test('X-UNDO-1, X-UNDO-5: tracked files are recorded although they match; local and general rules hold', async () => {
    place.file('dist/kept.js', '1')
    git(place.workspace, 'init', '-q')
    git(place.workspace, 'add', '-A')
    place.file('.gitignore', 'dist/\n')
    place.file('.git/info/exclude', 'local\n')
    place.file('../home/.config/git/ignore', 'general\n')
    for (const name of ['local', 'general', 'dist/other']) place.file(name, 'hunter2')
    const { run, undo, shadow } = await open()
    const { runId } = await run([act('for f in dist/kept.js dist/other local general; do echo 2 >> $f; done')])
    const { restored, unrestored } = await undo(runId)
    expect(restored).toEqual(['dist/kept.js'])
    expect(unrestored.map(({ path }) => path).sort()).toEqual(['dist/other', 'general', 'local'])
    expect(place.read('dist/kept.js')).toBe('1')
    expect(contents(shadow)).not.toContain('hunter2')
  })

  test('X-UNDO-5: in a folder of a repository the rules above it hold', async () => {
    git(place.root, 'init', '-q')
    place.file('../.gitignore', 'build/\n/workspace/anchored\n')
    for (const name of ['build/a', 'anchored', 'a']) place.file(name, 'hunter2')
    const { run, undo, shadow } = await open()
    const { runId } = await run([act('rm a'), act('rm -r build; mkdir build; echo hunter3 > build/a')])
    expect(await undo(runId)).toMatchObject({
      restored: ['a'],
      unrestored: [{ path: 'build', why: 'ignored' }],
    })
    expect([place.read('a'), place.read('build/a')]).toEqual(['hunter2', 'hunter3\n'])
    expect(contents(shadow)).not.toContain('hunter3')
    const emptied = await run([act('rm -r build anchored a agent.config.json 2>/dev/null; true')])
    expect((await undo(emptied.runId)).restored).toContain('a')
  })
})

describe('two runs at the same time', () => {
  test('X-UNDO-3: what another run changed meanwhile is left, also while it still works', async () => {
    for (const name of ['a', 'b', 'c']) place.file(name, '1')
    const { run, undo, preview } = await open()
    const { promise: held, resolve: release } = Promise.withResolvers<'y'>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const other = run([write('a', 'other'), { tool: 'risky', args: {} }], undefined, () => {
      ask()
      return held
    })
    await asked
    const { runId } = await run([write('a', 'own'), write('b', 'own')])
    const shared = ['a', 'b'].map((path) => ({ path, why: 'shared' }))
    expect(await preview(runId)).toMatchObject({ conflicts: shared, files: [] })
    release('y')
    await other
    expect(await undo(runId)).toMatchObject({ conflicts: shared, restored: [] })
    const later = await run([write('a', 'later')])
    expect(await undo(later.runId)).toMatchObject({ conflicts: [], restored: ['a'] })
    expect([place.read('a'), place.read('b')]).toEqual(['own', 'own'])
  })
})

describe('an undo while another run works', () => {
  test('X-UNDO-3: what it changed does not come back with a later undo of that run', async () => {
    place.file('old.txt', '1')
    const { run, undo, preview } = await open()
    const first = await run([write('w.txt', 'first'), write('old.txt', '2')])
    const { promise: held, resolve: release } = Promise.withResolvers<'y'>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const other = run([write('s2.txt', 'other'), { tool: 'risky', args: {} }], undefined, () => {
      ask()
      return held
    })
    await asked
    expect((await undo(first.runId)).restored).toEqual(['old.txt', 'w.txt'])
    release('y')
    const { runId } = await other
    expect(await preview(runId)).toMatchObject({
      files: [{ path: 's2.txt', change: 'created' }],
      conflicts: ['old.txt', 'w.txt'].map((path) => ({ path, why: 'shared' })),
    })
    expect((await undo(runId)).restored).toEqual(['s2.txt'])
    expect([place.has('w.txt'), place.has('s2.txt'), place.read('old.txt')]).toEqual([false, false, '1'])
  })
})

describe('hostile workspaces', () => {
  test('X-UNDO-8: settings planted in the shadow repository are refused, and the turn says so', async () => {
    place.file('a.txt', '1')
    const { run, preview, shadow } = await open()
    const { runId } = await run([write('a.txt', '2')])
    const trap = join(place.root, 'trapped')
    writeFileSync(join(shadow, 'config'), `[core]\n\tfsmonitor = touch ${trap}\n`)
    const { notices } = await run([write('a.txt', '3')])
    expect(notices.join()).toContain('cannot be undone')
    await expect(preview(runId)).rejects.toMatchObject({ code: 'UNDO_UNAVAILABLE' })
    expect(existsSync(trap)).toBe(false)
  })

  test('X-UNDO-8: an index of the user that names files outside the workspace leads nowhere', async () => {
    writeFileSync(join(place.root, 'aaaoutside'), 'hunter2')
    git(place.workspace, 'init', '-q')
    place.file('__/aaaoutside', '1')
    git(place.workspace, 'add', '-A')
    const index = join(place.workspace, '.git/index')
    const bytes = readFileSync(index)
    bytes.write('../aaaoutside', bytes.indexOf('__/aaaoutside'))
    writeFileSync(index, Buffer.concat([bytes.subarray(0, -20), sha1(bytes.subarray(0, -20))]))
    const { run, undo, shadow } = await open()
    const { runId } = await run([act('echo 2 > __/aaaoutside; echo 2 > ../aaaoutside')])
    expect(await undo(runId)).toMatchObject({ restored: ['__/aaaoutside'], failed: [] })
    expect(readFileSync(join(place.root, 'aaaoutside'), 'utf8')).toBe('2\n')
    expect(readdirSync(join(shadow, 'recordings')).length).toBeGreaterThan(0)
  })

  test('X-UNDO-8: filters, hooks, modules and planted git files start nothing and change no byte', async () => {
    const trap = join(place.root, 'trapped')
    place.file('.gitattributes', '* filter=evil diff=evil merge=evil\n')
    place.file('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% /tmp/x\n')
    place.file('.git', `gitdir: ${join(place.workspace, 'planted')}\n`)
    place.file('planted/HEAD', 'ref: refs/heads/main\n')
    place.file(
      'planted/config',
      `[core]\n\tfsmonitor = touch ${trap}\n\thooksPath = ${place.workspace}/hooks\n[filter "evil"]\n\tclean = touch ${trap}\n\tsmudge = touch ${trap}\n`,
    )
    place.file('hooks/post-index-change', `#!/bin/sh\ntouch ${trap}\n`)
    chmodSync(join(place.workspace, 'hooks/post-index-change'), 0o755)
    for (const folder of ['planted/objects', 'planted/refs', '.GIT', 'x']) mkdirSync(join(place.workspace, folder))
    place.file('.GIT/config', '[core]\n')
    place.file('x/.git', 'gitdir: ../planted\n')
    symlinkSync('/etc', join(place.workspace, 'away'))
    symlinkSync('elsewhere', join(place.workspace, 'x/.gitmodules'))
    const before = filesIn(place.workspace)
    const { run, undo } = await open()
    const { runId } = await run([act('echo 1 > a; rm .gitmodules; rm away; mkdir away; echo 1 > away/hostname')])
    expect((await eventsOf(runId)).map(({ type }) => type)).not.toContain('workspace.unrecorded')
    expect(await undo(runId)).toMatchObject({ failed: [], conflicts: [] })
    expect(filesIn(place.workspace)).toEqual(before)
    expect(existsSync(trap)).toBe(false)
  })

  test('X-UNDO-8: a folder that became a link leads nowhere', async () => {
    place.file('sub/a.txt', 'inside')
    const outside = join(place.root, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'a.txt'), 'outside')
    const { run, undo } = await open()
    const { runId } = await run([write('sub/a.txt', '2')])
    execFileSync('sh', ['-c', `rm -r sub; ln -s ${outside} sub`], { cwd: place.workspace })
    const { conflicts, restored } = await undo(runId)
    expect([conflicts, restored]).toEqual([[{ path: 'sub/a.txt', why: 'changed' }], []])
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('outside')
  })

  test('X-UNDO-14: in a home folder no tool reaches the shadow repository, and it does not record itself', async () => {
    place.file('a.txt', 'one')
    desk = await undoDesk(place, {}, place.workspace)
    const { run, undo, shadow } = desk
    const { runId } = await run([write('a.txt', 'two')])
    const head = join(shadow, 'HEAD')
    expect(head.startsWith(place.workspace)).toBe(true)
    const attack = await run([
      { tool: 'file_read', args: { path: head } },
      { tool: 'file_write', args: { path: head, content: 'x' } },
      { tool: 'file_list', args: { path: shadow } },
      shell(`cat ${head}`),
      shell(`rm -rf ${shadow}`),
      { tool: 'git', args: { args: ['--git-dir', shadow, 'log'] } },
    ])
    expect(await failures(attack.runId)).toHaveLength(6)
    const { files } = await desk.preview(runId)
    expect(files).toEqual([{ path: 'a.txt', change: 'modified' }])
    await undo(runId)
    expect(place.read('a.txt')).toBe('one')
  })

  test('X-UNDO-9: a changed recording is refused', async () => {
    place.file('a.txt', '1')
    const { run, undo, shadow } = await open()
    const { runId } = await run([write('a.txt', '2')])
    const [file = ''] = readdirSync(join(shadow, 'recordings'))
    writeFileSync(join(shadow, 'recordings', file), '{}')
    await expect(undo(runId)).rejects.toMatchObject({ code: 'UNDO_DAMAGED' })
    expect(place.read('a.txt')).toBe('2')
  })

  test('X-UNDO-9: a changed object is refused', async () => {
    place.file('a.txt', 'the original')
    const { run, undo, shadow } = await open()
    const { runId } = await run([write('a.txt', '2')])
    const id = execFileSync('git', ['hash-object', '--stdin'], { input: 'the original', encoding: 'utf8' }).trim()
    const other = execFileSync('git', ['--git-dir', shadow, 'hash-object', '-w', '--stdin'], {
      input: 'planted',
      encoding: 'utf8',
    }).trim()
    const fileOf = (name: string) => join(shadow, 'objects', name.slice(0, 2), name.slice(2))
    chmodSync(fileOf(id), 0o600)
    writeFileSync(fileOf(id), readFileSync(fileOf(other)))
    await expect(undo(runId)).rejects.toMatchObject({ code: 'UNDO_DAMAGED' })
    expect(place.read('a.txt')).toBe('2')
  })
})

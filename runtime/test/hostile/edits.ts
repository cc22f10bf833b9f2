/** Edits and patches that would reach other files, or do something else than they show. */
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../support/cli.ts'
import { type Area, type Attack, attackIn, type Proposed, propose, refused } from './attack.ts'

const OUTSIDE = 'refused PRE_VALIDATE_REJECTED/PATH_OUTSIDE_WORKSPACE'
const BLOCKED = 'refused PRE_VALIDATE_REJECTED/PATH_BLOCKED'
const LOCKED = 'refused PRE_VALIDATE_REJECTED/CONFIG_LOCKED'
const FULL = { security: { autonomy: 'Full' } }
const INVALID = 'failed PATCH_INVALID'

const patch = (text: string, files: Record<string, string> = {}): Proposed => ({
  tool: 'apply_patch',
  args: { patch: text },
  files,
  atQuestion: () => 'y',
})
const created = (path: string) => patch(`--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+owned\n`)
const changed = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-treasure\n+owned\n`
const moved = (from: string, to: string) => `diff --git a/x b/x\nrename from ${from}\nrename to ${to}\n`
const edit = (path: string, files: Record<string, string> = {}): Proposed => ({
  tool: 'file_edit',
  args: { path, old: 'treasure', new: 'owned' },
  files,
  atQuestion: () => 'y',
})

/** Judged by what happened to a file beside the workspace. */
function beside(id: string, attack: string, happens: (place: Place) => Promise<string>): Attack {
  return attackIn({ id, attack, expected: `${OUTSIDE}, outside untouched` }, async (place) => {
    writeFileSync(join(place.root, 'outside.txt'), 'treasure\n')
    const verdict = await happens(place)
    const isKept = readFileSync(join(place.root, 'outside.txt'), 'utf8') === 'treasure\n'
    return `${verdict}, ${isKept ? 'outside untouched' : 'outside reached'}`
  })
}

/** The file is changed while the approval is pending. */
const swapped = (id: string, attack: string, proposed: Proposed): Attack =>
  attackIn({ id, attack, expected: 'failed FILE_CHANGED, not written' }, async (place) => {
    const { verdict } = await propose({
      ...proposed,
      place,
      atQuestion: () => {
        writeFileSync(join(place.workspace, 'a.txt'), 'treasure\nmore\n')
        return 'y'
      },
    })
    return `${verdict}, ${place.read('a.txt') === 'treasure\nmore\n' ? 'not written' : 'written'}`
  })

const race: Attack = attackIn(
  {
    id: 'patch-race',
    attack: 'a folder becomes a link out of the workspace between the question and the patch',
    expected: 'outside untouched',
  },
  async (place) => {
    mkdirSync(join(place.workspace, 'in'))
    mkdirSync(join(place.root, 'elsewhere'))
    await propose({
      ...created('in/x.txt'),
      place,
      atQuestion: () => {
        renameSync(join(place.workspace, 'in'), join(place.workspace, 'gone'))
        symlinkSync(join(place.root, 'elsewhere'), join(place.workspace, 'in'))
        return 'y'
      },
    })
    return existsSync(join(place.root, 'elsewhere/x.txt')) ? 'written outside' : 'outside untouched'
  },
)

const halfDenied: Attack = attackIn(
  {
    id: 'patch-one-of-two',
    attack: 'a patch changes an ordinary file, and a blocked one after it',
    expected: `${BLOCKED}, nothing written`,
  },
  async (place) => {
    place.file('.env', 'treasure\n')
    const { verdict } = await propose({
      ...patch(changed('a.txt') + changed('.env'), { 'a.txt': 'treasure\n' }),
      place,
    })
    const isKept = place.read('a.txt') === 'treasure\n' && place.read('.env') === 'treasure\n'
    return `${verdict}, ${isKept ? 'nothing written' : 'written'}`
  },
)

const many = Array.from({ length: 3_000 }, (_, i) => `--- /dev/null\n+++ b/f${i}\n@@ -0,0 +1 @@\n+x\n`).join('')
const equalLines = 'x\n'.repeat(200_000)

export const edits: Area = {
  title: 'Edits and patches',
  attacks: [
    refused('edit-up', 'file_edit ../outside', OUTSIDE, edit('../outside')),
    refused('edit-env', 'file_edit .env', BLOCKED, edit('.env', { '.env': 'treasure' })),
    refused('edit-hook', 'file_edit a git hook', LOCKED, edit('.git/hooks/pre-commit')),
    refused('patch-repository', 'a patch that creates the files of a git repository, at autonomy Full', 'asked', {
      tool: 'apply_patch',
      args: {
        patch: ['HEAD', 'config', 'objects/x', 'refs/x']
          .map((name) => `--- /dev/null\n+++ docs/${name}\n@@ -0,0 +1 @@\n+x\n`)
          .join(''),
      },
      config: FULL,
    }),
    ...['HEAD', 'config'].map((name) =>
      refused(
        `write-repository-${name.toLowerCase()}`,
        `file_write of \`docs/${name}\`, in a folder with the other files of a git repository, at autonomy Full`,
        'asked',
        {
          tool: 'file_write',
          args: { path: `docs/${name}`, content: 'x' },
          files: { 'docs/objects/x': '', 'docs/refs/x': '', ...(name === 'HEAD' ? {} : { 'docs/HEAD': 'x' }) },
          config: FULL,
        },
      ),
    ),
    refused('edit-self', 'file_edit agent.config.json', LOCKED, edit('agent.config.json')),
    beside('edit-link', 'file_edit through a symbolic link out of the workspace', async (place) => {
      symlinkSync(join(place.root, 'outside.txt'), join(place.workspace, 'notes.txt'))
      return (await propose({ ...edit('notes.txt'), place })).verdict
    }),
    swapped(
      'edit-swapped',
      'the file changes between the question and the edit',
      edit('a.txt', { 'a.txt': 'treasure\n' }),
    ),
    refused('edit-endless', 'file_edit searches for a text that takes very long to compare', 'failed EDIT_NOT_FOUND', {
      ...edit('a.txt', { 'a.txt': 'a'.repeat(2_000_000) }),
      args: { path: 'a.txt', old: `${'a'.repeat(500_000)}b${'a'.repeat(500_000)}`, new: '' },
    }),
    refused('patch-up', 'apply_patch creates ../x', OUTSIDE, created('b/../x')),
    refused('patch-absolute', 'apply_patch creates /tmp/x', OUTSIDE, created('/tmp/writ-owned')),
    refused('patch-home', 'apply_patch creates ~/.bashrc', OUTSIDE, created('~/.bashrc')),
    refused('patch-quoted', 'apply_patch creates ../x, spelled as quoted bytes', OUTSIDE, created('"b/\\056\\056/x"')),
    refused('patch-nul', 'apply_patch creates a name with a quoted NUL', OUTSIDE, created('"b/x\\000/../../y"')),
    refused('patch-hook', 'apply_patch creates a git hook', LOCKED, created('b/.git/hooks/pre-commit')),
    refused('patch-self', 'apply_patch creates a skill', LOCKED, created('b/.writ/skills/own/SKILL.md')),
    refused('patch-env', 'apply_patch changes .env', BLOCKED, patch(changed('.env'), { '.env': 'treasure\n' })),
    halfDenied,
    refused(
      'patch-rename-out',
      'apply_patch renames a file out of the workspace',
      OUTSIDE,
      patch(moved('a.txt', '../a.txt'), { 'a.txt': 'x' }),
    ),
    refused(
      'patch-rename-in',
      'apply_patch renames a blocked file to a readable name',
      BLOCKED,
      patch(moved('.env', 'plain.txt'), { '.env': 'KEY=1' }),
    ),
    beside('patch-link', 'apply_patch changes a file below a linked folder', async (place) => {
      symlinkSync(place.root, join(place.workspace, 'in'))
      return (await propose({ ...patch(changed('in/outside.txt')), place })).verdict
    }),
    race,
    swapped(
      'patch-swapped',
      'a file changes between the question and the patch',
      patch(changed('a.txt'), { 'a.txt': 'treasure\n' }),
    ),
    refused(
      'patch-symlink',
      'apply_patch creates a symbolic link',
      INVALID,
      patch('diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n'),
    ),
    refused(
      'patch-two-names',
      'a patch whose headers name two files',
      INVALID,
      patch(`diff --git a/a.txt b/a.txt\n${changed('b.txt')}`, { 'a.txt': 'treasure\n', 'b.txt': 'treasure\n' }),
    ),
    refused(
      'patch-short-count',
      'a hunk with more lines than its header says',
      INVALID,
      patch(`${changed('a.txt')}+more\n`, { 'a.txt': 'treasure\n' }),
    ),
    refused(
      'patch-giant-count',
      'a hunk of a billion lines',
      INVALID,
      patch('--- a/a.txt\n+++ b/a.txt\n@@ -1,999999999 +1,999999999 @@\n-treasure\n', { 'a.txt': 'treasure\n' }),
    ),
    refused(
      'patch-giant-place',
      'a hunk at line 999999999 of a short file',
      'failed PATCH_FAILED',
      patch('--- a/a.txt\n+++ b/a.txt\n@@ -999999999,0 +999999999 @@\n+owned\n', { 'a.txt': 'treasure\n' }),
    ),
    refused('patch-many', 'a patch of 3,000 files', INVALID, patch(many)),
    refused(
      'patch-endless',
      'hunks that fit nowhere, in a file of equal lines',
      'failed PATCH_FAILED',
      patch(`--- a/a.txt\n+++ b/a.txt\n${'@@ -1,3 +1,3 @@\n x\n-y\n+z\n x\n'.repeat(2_000)}`, { 'a.txt': equalLines }),
    ),
    refused('patch-autorun', 'apply_patch creates .github/workflows/x.yml at full autonomy', 'asked', {
      ...created('b/.github/workflows/x.yml'),
      atQuestion: () => 'n',
      config: { security: { autonomy: 'Full' } },
    }),
  ],
}

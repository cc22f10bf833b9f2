import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { COMMAND_CLASSES } from '../../protocol/command.ts'
import { shellUses } from './command-classes.ts'
import { type CommandExamples, worst } from './command-row.ts'
import { BUILD_EXAMPLES } from './command-table-build.ts'
import { CONTAINER_EXAMPLES } from './command-table-containers.ts'
import { FILE_EXAMPLES } from './command-table-files.ts'
import { JS_EXAMPLES } from './command-table-js.ts'
import { LANGUAGE_EXAMPLES } from './command-table-languages.ts'
import { READ_EXAMPLES } from './command-table-read.ts'
import { SCRIPT_EXAMPLES } from './command-table-scripts.ts'
import { SERVICE_EXAMPLES } from './command-table-services.ts'
import { SYSTEM_EXAMPLES } from './command-table-system.ts'
import { readShell } from './commands.ts'

const GROUND = { cwd: `${tmpdir()}/writ-none`, workspace: `${tmpdir()}/writ-none` }
const uses = (line: string) => shellUses(readShell(line), GROUND)
const classOf = (line: string) => worst(uses(line).map((use) => use.class))

const TABLES: [string, CommandExamples][] = [
  ['reading', READ_EXAMPLES],
  ['files', FILE_EXAMPLES],
  ['JavaScript', JS_EXAMPLES],
  ['languages', LANGUAGE_EXAMPLES],
  ['scripts', SCRIPT_EXAMPLES],
  ['build tools', BUILD_EXAMPLES],
  ['containers', CONTAINER_EXAMPLES],
  ['services', SERVICE_EXAMPLES],
  ['system', SYSTEM_EXAMPLES],
]

describe.each(TABLES)('the examples of the table of %s', (_, examples) => {
  const lines = COMMAND_CLASSES.flatMap((is) => (examples[is] ?? []).map((line) => [line, is] as const))
  test.each(lines)('%s: %s', (line, is) => {
    expect(classOf(line)).toBe(is)
  })
})

describe('the uses of a line', () => {
  test('every program and every written file is one use', () => {
    expect(uses('npm test 2>/dev/null | tee out.log && (cd a; "git" status) > all.txt')).toEqual([
      { words: ['npm', 'test'], class: 'build' },
      { words: ['tee', 'out.log'], class: 'change' },
      { words: ['cd', 'a'], class: 'read' },
      { words: ['git', 'status'], class: 'read' },
      { words: ['>', 'all.txt'], class: 'change' },
    ])
  })

  test('words from the first unknown one on are marked', () => {
    expect(uses('cat a "$x" b')).toEqual([{ words: ['cat', 'a', '$x', 'b'], class: 'read', unknownFrom: 2 }])
    expect(uses('cat *.ts')).toMatchObject([{ unknownFrom: 1 }])
    expect(uses('echo a > $x')).toMatchObject([{}, { words: ['>', '$x'], unknownFrom: 1 }])
  })

  test.each([
    ['git push', 'publish'],
    ['git log', 'read'],
    ['git branch -a', 'read'],
    ['git branch x', 'change'],
    ["git tag -l 'v*'", 'read'],
    ['git tag v1', 'change'],
    ['git remote -v', 'read'],
    ['git ls-remote', 'fetch'],
    ['git rebase -i --root', 'lose-work'],
    ['echo $GITHUB_TOKEN', 'credentials'],
    ['frobnicate', 'unknown'],
    ['./frobnicate', 'build'],
    ['./scripts/deploy.sh', 'publish'],
    ['/tmp/frobnicate', 'unknown'],
    ['bin/ls', 'build'],
    ['bash scripts/test.sh', 'build'],
    ["bash -c 'git push'", 'publish'],
    ['f() { git push; }; f', 'publish'],
  ])('%s: %s', (line, is) => {
    expect(classOf(line)).toBe(is)
  })
})

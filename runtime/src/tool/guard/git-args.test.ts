import { describe, expect, test } from 'vitest'
import type { Why } from '../../protocol/why.ts'
import { gitDangers, gitPaths, isReadingGit } from './git-args.ts'

const dangers = (line: string): Why[] => gitDangers(line.split(' '))
const writes = (line: string): string[] =>
  gitPaths(line.split(' '), '/ws')
    .filter(({ access }) => access === 'write')
    .map(({ path }) => path)

describe('an option is recognized in every notation that git accepts', () => {
  test.each([
    'grep --open=id x',
    'grep --op x',
    'grep -nOid x',
    'grep -5Oid x',
    'ls-remote --upload-p=id .',
    'fetch --uplo id origin',
    'push --receive-p=id origin',
    'rebase --exe id main',
    'rebase -ix id main',
    'clone --conf core.fsmonitor=id y',
    'clone --templ=/tmp/x y',
    'clone -qu id y',
    'clone -qc core.fsmonitor=id y',
    'init --templ /tmp/x',
    'difftool --extc=id',
    'difftool -yx id',
    'push -u origin feature',
    'push --dry-run',
    'difftool -Sx',
    'push --del origin main',
    'push --mirr',
    'push --force-w',
    'push --prun origin',
    'push -uf origin main',
    'config --globa user.name x',
    'config --sys user.name x',
    'config -zf /tmp/x user.name x',
    'config --ed',
    'config --replace-a alias.x !id',
    'config set --comment why core.pager id',
    'config --comment get core.pager id',
    'config -- core.pager --get;id',
    'fetch --prune . +refs/nothing/*:refs/heads/*',
    'fetch -p . refs/nothing/*:refs/heads/*',
    'fetch . +feature:main',
    'fetch -u . feature:main',
    'fetch --update-h . feature:main',
    'fetch --refmap=+refs/x/*:refs/heads/* origin',
    'pull origin +feature:main',
    'update-ref refs/heads/feature 0000000000000000000000000000000000000000',
    'update-ref refs/stash main',
    'update-ref refs/tags/v1 main',
    'symbolic-ref refs/heads/feature refs/heads/main',
    'symbolic-ref -d refs/heads/feature',
    'fast-import',
    'checkout -p',
    'checkout --patch',
    'checkout -qp main',
    'read-tree main',
    'remote add --mirror=fetch up https://example.com/x',
    'worktree remove ../x',
    'worktree add -B main ../x',
    'rerere forget .',
    'config core.logallrefupdates false',
  ])('git %s is dangerous', (line) => {
    expect(dangers(line)).not.toEqual([])
    expect(isReadingGit(line.split(' '))).toBe(false)
  })

  test.each([
    'grep -n OPEN',
    'grep -eTODO',
    'grep -nA3 OPEN',
    'grep --only-matching x',
    'clone -bupdate https://example.com/x',
    'clone --depth 1 --branch unicode x',
    'rebase -Xours main',
    'rebase --continue',
    'fetch --all --prune',
    'fetch -p origin +refs/heads/*:refs/remotes/origin/*',
    'fetch origin main:main',
    'fetch https://example.com/x main',
    'symbolic-ref HEAD',
    'worktree list',
    'config --get alias.x',
    'config --global --get user.name',
    'config --get-all remote.origin.fetch',
    'config user.name x',
    'config list',
    'log --oneline --format=%h -5',
  ])('git %s is not dangerous', (line) => {
    expect(dangers(line)).toEqual([])
  })

  test.each([
    ['diff --output=a', ['a']],
    ['diff --outp=a', ['a']],
    ['log --outp a', ['a']],
    ['format-patch --output-d a', ['a']],
    ['format-patch -ko a', ['a']],
    ['archive -voa HEAD', ['a']],
    ['init --separate-g=a', ['a']],
    ['grep -o a', []],
    ['push -o a', []],
    ['log --oneline', []],
  ])('git %s writes %j', (line, expected) => {
    expect(writes(line)).toEqual(expected)
    if (expected.length > 0) expect(isReadingGit(line.split(' '))).toBe(false)
  })

  test.each([
    ['clean -fdx', ['.']],
    ['clean -fden', ['.']],
    ['clean -fdx -e -n', ['.']],
    ['clean -fdx -- -n', ['-n']],
    ['clean -n --no-dry-run -f', ['.']],
    ['clean -nd', []],
    ['clean --dry -d', []],
    ['stash --include-u', ['.']],
    ['stash --al', ['.']],
    ['stash -qu', ['.']],
    ['stash push -m update', []],
  ])('git %s affects everything in %j', (line, expected) => {
    expect(writes(line)).toEqual(expected)
  })
})

test.each([
  ['apply', false],
  ['apply --whitespace=fix', false],
  ['apply --stat', true],
  ['apply --check fix.patch', true],
])('git %s only reads: %s', (line, reads) => {
  expect(isReadingGit(line.split(' '))).toBe(reads)
})

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { whysText } from '../../i18n/why.ts'
import type { World } from '../tool.ts'
import { readShell } from './commands.ts'
import { shellReach } from './shell-reach.ts'

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-reach-')))
const put = (path: string): void => {
  mkdirSync(join(workspace, path, '..'), { recursive: true })
  writeFileSync(join(workspace, path), 'TOPVALUE=1\n')
}
for (const path of [
  '.env',
  '.ssh/id',
  'src/a.ts',
  'sub/.env',
  'lib/private/key',
  '.writ/journal.db',
  'pkg/node_modules/p/.env',
])
  put(path)
put('.writ/skills/own/SKILL.md')
mkdirSync(join(workspace, 'sub/.git'))
afterAll(() => rmSync(workspace, { recursive: true, force: true }))

const world: World = {
  workspace,
  protectedPaths: [join(workspace, '.writ'), join(workspace, 'AGENTS.md')],
  blockedPaths: ['.env', '.ssh', 'private'],
  data: join(workspace, '.writ'),
  allowedHosts: [],
  env: { HOME: '/no-home' },
  sandbox: 'off',
}
const reach = (line: string) => shellReach(readShell(line), workspace, world)
const names = async (line: string) => (await reach(line)).paths.map(({ real }) => real.slice(workspace.length + 1))

describe('closed files that a line reaches without naming them', () => {
  test.each([
    ['cat .e*', '.env'],
    ['cat ./.en?', '.env'],
    ['head -1 .[e]nv', '.env'],
    ['cat .E*', '.env'],
    ['cat < .e*', '.env'],
    ['cat sub/.*', 'sub/.env'],
    ['cat */.env', 'sub/.env'],
    ['cd sub && cat .e*', 'sub/.env'],
    ['ls .s*', '.ssh'],
    ['cat .ssh/*', '.ssh/id'],
    ['cat lib/priv*/key', 'lib/private/key'],
    ['cat pkg/node_modules/*/.e*', 'pkg/node_modules/p/.env'],
    ['cat .writ/*.db', '.writ/journal.db'],
    ['shopt -s dotglob; cat *', '.env'],
    ['cat @(.env|x)', '.env'],
    ['openssl base64 -in .env', '.env'],
    ['node --env-file=.env app.js', '.env'],
    ['git show HEAD:.env', '.env'],
    ['git show :0:sub/.env', 'sub/.env'],
    ['git hash-object -w .env', '.env'],
    ['git log -L1,5:.env', '.env'],
    ['git log -p -- .e*', '.env'],
    ["git show HEAD -- ':(icase).ENV'", '.ENV'],
    ['git diff --no-index /dev/null sub/.env', 'sub/.env'],
    ['git -C sub show HEAD:.env', 'sub/.env'],
  ])('%s reaches %s', async (line, path) => {
    expect(await names(line)).toContain(path)
  })

  test.each([
    'cat *',
    'cat src/*.ts',
    'ls */',
    'echo .e*',
    'cat .writ/skills/*/SKILL.md',
    'git grep .env -- src',
    'git commit -m .env',
    "git diff -- ':!.env'",
    'git log --oneline',
    'npm test',
    'kubectl get private',
    'npm run private',
  ])('%s reaches none', async (line) => {
    expect(await names(line)).toEqual([])
  })

  test('a file may be attached to an option', async () => {
    expect(await names('date -f.env')).toEqual(['.env'])
    expect(await names('xtool -vfsub/.env')).toEqual(['sub/.env'])
    expect((await reach('date -f/etc/passwd')).paths).toMatchObject([{ real: '/etc/passwd', insideWorkspace: false }])
    expect((await reach('cut -d/ -f2 src/a.ts')).paths).toEqual([])
    expect((await reach('sed -es/a/b/ src/a.ts')).paths).toEqual([])
  })

  test('a file named like an option becomes one where a wildcard matches it', async () => {
    put('--x')
    expect((await reach('tar cf a.tar *')).doubts).toEqual([{ code: 'nameAsOption', base: 'tar', name: '--x' }])
    expect((await reach('tar cf a.tar -- *')).doubts).toEqual([])
    expect((await reach('tar cf a.tar ./*')).doubts).toEqual([])
    rmSync(join(workspace, '--x'))
  })

  test('a plain word is a blocked file if that file exists', async () => {
    expect(await names('cd lib && upload private')).toEqual(['lib/private'])
  })

  test('a line that silently lets wildcards match leading dots is not understood', () => {
    expect(readShell('GLOBIGNORE=x; cat *').unparsed).toEqual([{ code: 'changesNames', name: 'GLOBIGNORE' }])
  })

  test('a wildcard that matches a protected file is a write to it', async () => {
    put('AGENTS.md')
    expect((await reach('cp x AGENT*')).paths).toMatchObject([{ access: 'write', isProtected: true }])
    expect((await reach('echo x > AGENT*')).paths).toMatchObject([{ access: 'write', isProtected: true }])
    expect((await reach('cat AGENT*')).paths).toEqual([])
    rmSync(join(workspace, 'AGENTS.md'))
  })
})

describe('closed files in the folders that a line reads', () => {
  test.each([
    ['grep -r x .', 'grep reads everything below ., including .env, which is closed'],
    ['grep -rn x', 'grep reads everything below ., including .env'],
    ['grep -R x sub src', 'sub/.env'],
    ['grep -r x *', 'which is closed'],
    ['rg x', 'lib/private'],
    ['rg -uu x sub', 'sub/.env'],
    ['rg --hidden -t py src', '.env'],
    ['ag --hidden TOPVALUE', '.env'],
    ['ag -u TOPVALUE', '.env'],
    ['ag -u src', '.env'],
    ['ack TOPVALUE', '.env'],
    ['grep -d recurse TOPVALUE .', '.env'],
    ['grep --directories recurse TOPVALUE', '.env'],
    ['grep --recurs TOPVALUE .', '.env'],
    ['grep -r -A 3 src', '.env'],
    ['grep -reTOP sub src', 'sub/.env'],
    ['cp --recurs sub copy', 'sub/.env'],
    ['tar --creat -f x.tar .', '.env'],
    ['tar czf x.tgz .', '.env'],
    ['cp -r sub copy', 'sub/.env'],
    ['zip -r x.zip lib', 'lib/private'],
    ['diff -r sub src', 'sub/.env'],
    ['git grep --no-index x', '.env'],
    ['git -C sub grep --no-ind x', '.env'],
    ['git -C sub grep --untr x', '.env'],
    ['git diff --no-index sub src', 'sub/.env'],
    [`awk 'BEGIN{while((getline l < ".env")>0) print l}'`, 'the code for awk mentions .env'],
    [`python3 -c "print(open('.env').read())"`, 'the code for python3 mentions .env'],
  ])('%s is detected', async (line, why) => {
    expect(whysText((await reach(line)).sweeps, 'en')).toContain(why)
  })

  test.each([
    'git -C sub grep --name-only x',
    'grep -r x src',
    'grep -r x pkg',
    'grep x src/a.ts',
    'rg x src',
    'rg -n -A 3 --type ts x src',
    'grep -rn --include *.ts -m 1 x src',
    'ag -u x src',
    'echo x | grep recurse src/a.ts',
    'npm run private',
    'kubectl get private',
    'rg x sub',
    'tar xf x.tgz',
    'cp a b',
    'ls -R',
    'find . -name x',
  ])('%s reads none of them', async (line) => {
    expect((await reach(line)).sweeps).toEqual([])
  })
})

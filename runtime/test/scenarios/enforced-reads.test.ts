/** A command that was judged as a read cannot change anything, whatever it turns out to do. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Autonomy,
  createAgent,
  type Event,
  type RuleSettings,
  type ScriptEntry,
  scriptedModel,
} from '../../src/index.ts'
import { sandboxStatus } from '../../src/tool/guard/sandbox.ts'
import { makePlace, type Place } from '../support/cli.ts'

const { active } = await sandboxStatus('auto')

let place: Place
beforeEach(() => {
  place = makePlace()
  place.file('notes.md', 'words\n')
  place.file('list', 'a b\n')
  place.file('one.json', { a: 1 })
  place.file('-delete', '')
  mkdirSync(join(place.workspace, 'json'))
  writeFileSync(join(place.workspace, 'json/tool.py'), 'open("notes.md", "w").write("gone")\n')
})
afterEach(() => place.remove())

async function decisions(command: string, autonomy: Autonomy, rules: RuleSettings[] = []): Promise<string[]> {
  const events = await eventsOf(command, autonomy, rules)
  return events.flatMap((event) => (event.type === 'gate.decided' ? [event.data.decision] : []))
}

async function eventsOf(command: string, autonomy: Autonomy, rules: RuleSettings[] = []): Promise<Event[]> {
  const script: ScriptEntry[] = [
    { purpose: 'main', calls: [{ tool: 'shell', args: { command } }] },
    { purpose: 'main', text: 'Done.' },
  ]
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    lang: 'en',
    model: scriptedModel(script),
    env: { PATH: process.env.PATH, HOME: place.workspace, XDG_CONFIG_HOME: join(place.workspace, 'xdg') },
    config: {
      agent: {
        security: { autonomy, rules },
        execution: { intentGuard: { enabled: false } },
        routing: { enabled: false },
      },
    },
  })
  try {
    const events: Event[] = []
    for await (const event of agent.stream('look at the project')) events.push(event)
    return events
  } finally {
    await agent.close()
  }
}

const TRICKS = [
  `awk '# "\nBEGIN{system("rm -f notes.md")} # "' list`,
  `awk '{ print $1,\n $2 > "notes.md" }' list`,
  'find . -d*',
  'python3 -m json.tool --help',
  'python3 -m json.tool one.json notes.md',
  'tar -tvf /dev/null --index-file=notes.md',
  'iconv -f utf8 -t utf8 -o notes.md list',
]

describe('in ReadOnly mode', () => {
  test.each(TRICKS)('%s changes nothing', async (command) => {
    await decisions(command, 'ReadOnly')
    expect(existsSync(join(place.workspace, 'notes.md'))).toBe(true)
    expect(readFileSync(join(place.workspace, 'notes.md'), 'utf8')).toBe('words\n')
  })
})

describe.skipIf(!active)('in Supervised mode', () => {
  test('a read sees the workspace, and blocked files stay hidden', async () => {
    place.file('sub/.env', 'KEY=canary')
    const events = await eventsOf('cat notes.md; cat sub/*; ls -a sub', 'Supervised')
    const seen = JSON.stringify(events.filter(({ type }) => type === 'tool.result'))
    expect(seen).toContain('words')
    expect(seen).not.toContain('canary')
  })

  test('a read runs unasked', async () => {
    expect(await decisions('cat notes.md', 'Supervised')).toEqual(['allow'])
  })

  test('a read with a pattern that may become an option is asked about', async () => {
    expect(await decisions('find . -d*', 'Supervised')).toEqual(['ask', 'deny'])
    expect(readFileSync(join(place.workspace, 'notes.md'), 'utf8')).toBe('words\n')
  })

  test.each([
    `perl -e 'system "rm -rf src"'`,
    `perl -ne '' -i notes.md`,
    `perl -pe '' 'rm -rf src|'`,
    `python3 -c 'import os; max(["rm -rf src"], key=os.system)'`,
    `node -e '["rm -rf src"].map(require("child"+"_process").execSync)'`,
    `node -p 'require("./deploy")'`,
    `make -f - <<< 'all:; rm -rf src'`,
    `awk -f - <<< 'BEGIN{system("id")}'`,
    'npm run d*',
    'make *',
    'tox -e release',
    'nox -s publish',
    'cargo run --bin deploy',
    'docker build --output type=image,push=true .',
    'terraform test',
    'cdk synth -a "git push"',
    'nx exec -- git push',
    'pylint --init-hook="x" src',
    'coverage run -m twine upload dist/x',
    'gh auth status -t',
    'az storage account show-connection-string',
    `psql -c 'select "pg_terminate_backend"(1)'`,
    "psql -c 'select pg_stat_reset()'",
    'PYTHONPATH=. python3 -m json.tool one.json',
    `node --import 'data:text/javascript,import fs from "fs";fs.rmSync("notes.md")' x.js`,
    'ava --node-arguments=--import=data:text/javascript,1',
    'webpack --entry data:text/javascript,x',
    `gcc -x c - -o a.out <<< 'int main(){return system("rm -rf x");}'`,
    'rustc - -o x < list',
    `python3 -m cProfile -m timeit -n1 "import os; os.remove('notes.md')"`,
    `python3 -m trace --trace --module timeit -n1 "open('x','w')"`,
    "make 'X::=$(file >notes.md,)'",
    "make 'X!=unlink notes.md'",
    `esbuild a.js --banner:js='require("fs").rmSync("x")'`,
    'php -d auto_prepend_file=x.txt y.php',
    'php artisan tinker --execute=x',
    './manage.py --settings dev shell -c x',
    `ghc -e 'removeFile "x"'`,
    'tox run -x testenv.commands=rm',
    'tox exec -- rm -rf sub',
    'npx c8 rm -rf json',
    'nyc --reporter text rm -rf json',
    'npx cross-env A=1 rm -rf json',
    'node node_modules/.bin/rimraf json',
    'node node_modules/rimraf/bin.js json',
    'node_modules/.bin/gh-pages -d dist',
    'pytest --basetemp=json',
    'vite build --outDir json --emptyOutDir',
    'cmake -DCMAKE_C_COMPILER_LAUNCHER=rm -B build',
  ])('%s is asked about, also in Full', async (command) => {
    for (const autonomy of ['Supervised', 'Full'] as const) {
      const [first] = await decisions(command, autonomy)
      expect(first).not.toBe('allow')
    }
  })
})

describe.skipIf(!active)('a build with options of everyday use runs unasked', () => {
  // Otherwise npx asks the registry for them, for over a minute where there is none.
  beforeEach(() => {
    for (const name of ['c8', 'cross-env', 'vitest', 'eslint']) {
      chmodSync(place.file(`node_modules/.bin/${name}`, '#!/bin/sh\n'), 0o755)
    }
  })

  test.each([
    'npx c8 --reporter text mocha',
    'npx cross-env NODE_ENV=test jest',
    'coverage run -m pytest',
    'npx vitest run -t "adds (two) things; really"',
    'go build -ldflags "-s -w" ./...',
    'cmake -B build -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS="-O2 -g"',
    'npx eslint "src/**/*.{ts,tsx}"',
    'vite build --outDir dist --emptyOutDir',
    'node node_modules/typescript/bin/tsc --noEmit',
    'make CC=clang test',
  ])('%s', async (command) => {
    const { risk } = (await eventsOf(command, 'Supervised')).flatMap((event) =>
      event.type === 'gate.decided' ? [event.data.facts] : [],
    )[0] ?? { risk: undefined }
    expect(risk).toBe('Low')
  })
})

describe('an allow covers what it names', () => {
  const allow = (when: RuleSettings['when']): RuleSettings[] => [{ tool: 'shell', when, decide: 'allow' }]

  test.each([
    ['a host', { host: 'api.example.com' }, 'curl -s https://api.example.com; touch x'],
    ['a host', { host: 'api.example.com' }, 'curl -s https://api.example.com && frobnicate'],
    ['a host', { host: 'api.example.com' }, 'curl -s https://api.example.com -o notes.md'],
    ['a path', { path: '**' }, 'frobnicate'],
    ['an argument', { args: { '/command': 'npm ci*' } }, 'npm ci; frobnicate'],
  ])('%s does not allow the rest of the line: %j, %s', async (_, when, command) => {
    const [first] = await decisions(command, 'Supervised', allow(when))
    expect(first).not.toBe('allow')
  })
})

describe('work is not lost without approval, also in Full', () => {
  test.each([
    '> notes.md',
    'echo x > notes.md',
    'true >| notes.md',
    'ls > notes.m?',
    'cp list note*.md',
    'cp sub/* .',
    'cp -t . sub/notes.md',
    'cp --target-directory=. sub/notes.md',
    'cp --update list notes.md',
    'tee notes.md < list',
    'tee list note?.md < list',
    'sort -o notes.md list',
    'uniq list notes.md',
    'shuf -o notes.md list',
    'tar cf notes.md list',
    'tar --recursive-unlink -xf a.tar',
    'unzip -o a.zip',
    'rm -rf target/*',
    'mv sub dist',
    'ln -s sub build',
  ])('%s', async (command) => {
    place.file('sub/notes.md', 'other\n')
    symlinkSync('sub', join(place.workspace, 'target'))
    expect((await decisions(command, 'Full'))[0]).not.toBe('allow')
    expect(readFileSync(join(place.workspace, 'notes.md'), 'utf8')).toBe('words\n')
  })

  test.each([
    'sed -i s/a/b/ .npmr?',
    'tee -a .npmr? < list',
    'echo x >> .npmr?',
    'cp sub/.npmrc empty',
    'cp sub/.n* empty',
  ])('a file that other programs obey is not written by way of its folder or a glob: %s', async (command) => {
    place.file('.npmrc', 'a=b\n')
    place.file('sub/.npmrc', 'a=b\n')
    mkdirSync(join(place.workspace, 'empty'))
    expect((await decisions(command, 'Full'))[0]).not.toBe('allow')
  })

  test.each([
    'cp list new.txt',
    'cp sub/* dist',
    'tee new.txt < list',
    'sort -o new.txt list',
    'mv list old',
    'rm -rf dist/*',
  ])('%s loses nothing', async (command) => {
    place.file('sub/a', 'a\n')
    mkdirSync(join(place.workspace, 'dist'))
    expect(await decisions(command, 'Full')).toEqual(['allow'])
  })

  test('adding to a file, and writing a new one, is a change', async () => {
    expect(await decisions('echo x >> notes.md', 'Full')).toEqual(['allow'])
    expect(await decisions('echo x > new.md', 'Full')).toEqual(['allow'])
  })
})

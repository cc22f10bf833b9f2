/** What ran is what was judged: lines the reader understands are run in real bash, where every program there is writes down its name. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { baseKey, readShell } from '../../src/tool/guard/commands.ts'
import { shellPaths } from '../../src/tool/guard/shell-paths.ts'
import { FUZZ_SEED, fuzzCases } from '../support/fuzz.ts'
import { shellLine } from './grammar.ts'

const CASES = fuzzCases(400)

const BATCH = 400
const BUBBLEWRAP = 'bwrap'
const hasBubblewrap = existsSync('/bin/bash') && spawnSync(BUBBLEWRAP, ['--ro-bind', '/', '/', 'true']).status === 0

const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-fuzz-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Programs that only note that they ran, and programs that run after noting it. */
const NOTED = 'ls canary grep git npm touch rm nope'.split(' ')
const REAL = 'cat env xargs find timeout nice bash sh'.split(' ')

interface Run {
  programs: Set<string>
  /** Files `cat` was told to read, from the folder it ran in. */
  files: string[]
}

function prepare(): void {
  for (const folder of ['bin', 'real', 'lines', 'ws', 'log']) mkdirSync(join(root, folder))
  const note = (name: string): string =>
    `#!/shell/sh\nprintf '%s\\0%s\\0%s\\0' "$LINE" ${name} "$PWD" >> /log/all; for a in "$@"; do printf '%s\\0' "$a" >> /log/all; done; printf '\\1\\0' >> /log/all\n`
  for (const name of NOTED) writeFileSync(join(root, 'bin', name), note(name), { mode: 0o755 })
  for (const name of REAL) {
    const real = name === 'bash' || name === 'sh' ? `/shell/${name}` : `/real/${name}`
    writeFileSync(join(root, 'bin', name), `${note(name)}exec ${real} "$@"\n`, { mode: 0o755 })
  }
  writeFileSync(
    join(root, 'driver'),
    'cd /lines; for n in *; do /real/mkdir -p "/ws/$n/d"; echo f > "/ws/$n/f"; echo f > "/ws/$n/d/f"; cd "/ws/$n"; IFS= read -r -d "" t < "/lines/$n"; /real/env -i PATH=/bin HOME=/ws LINE="$n" /real/timeout -k 1 3 /shell/bash -c "$t" < /dev/null > /dev/null 2>&1; done\n',
  )
}

function runAll(lines: readonly string[]): Run[] {
  for (const folder of ['lines', 'ws', 'log']) rmSync(join(root, folder), { recursive: true, force: true })
  for (const folder of ['lines', 'ws', 'log']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'log/all'), '')
  for (const [i, line] of lines.entries()) writeFileSync(join(root, 'lines', String(i).padStart(6, '0')), `${line}\0`)
  const real = [...REAL.filter((name) => !name.endsWith('sh')), 'mkdir'].flatMap((name) => {
    const path = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    return ['--ro-bind', realpathSync(path), `/real/${name}`]
  })
  const libraries = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'].filter((path) => existsSync(path))
  const args = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--proc', '/proc', '--dev', '/dev'],
    ...libraries.flatMap((path) => ['--ro-bind', realpathSync(path), path]),
    ...['--ro-bind', join(root, 'bin'), '/bin', '--ro-bind', join(root, 'bin'), '/usr/bin'],
    ...['--ro-bind', '/bin/bash', '/shell/bash', '--ro-bind', realpathSync('/bin/sh'), '/shell/sh'],
    ...real,
    ...['lines', 'ws', 'log'].flatMap((name) => ['--bind', join(root, name), `/${name}`]),
    ...['--ro-bind', join(root, 'driver'), '/driver', '/shell/bash', '/driver'],
  ]
  const end = spawnSync(BUBBLEWRAP, args, { encoding: 'utf8', timeout: 600_000 })
  if (end.status === null || /bwrap:/.test(end.stderr)) throw new Error(`bubblewrap failed: ${end.stderr}`)
  const runs = lines.map((): Run => ({ programs: new Set(), files: [] }))
  for (const entry of readFileSync(join(root, 'log/all'), 'utf8').split('\u0001\0')) {
    const [at = '', name = '', folder = '', ...words] = entry.split('\0').slice(0, -1)
    const run = runs[Number(at)]
    if (run === undefined || at === '') continue
    run.programs.add(name)
    const home = join('/ws', at)
    if (name === 'cat')
      run.files.push(
        ...words
          .filter((word) => word !== '' && !word.startsWith('-'))
          .map((word) => resolve(folder.replace(home, '/ws/start'), word.replace(home, '/ws/start'))),
      )
  }
  return runs
}

/** What the reader says of a line it understands; undefined for any other. */
function judge(line: string): { bases: Set<string>; paths: string[] } | undefined {
  const reading = readShell(line)
  const { paths, unknown } = shellPaths(reading, '/ws/start')
  if (reading.unparsed.length > 0 || unknown.length > 0) return undefined
  const written = paths.map(({ path, from = '/ws/start' }) =>
    path.startsWith('~') ? path.replace('~', '/ws') : resolve(from, path),
  )
  return {
    bases: new Set(reading.invocations.map(({ name }) => baseKey(name))),
    paths: written.map((path) => normalize(path)),
  }
}

describe.skipIf(!hasBubblewrap)('shell lines', () => {
  test('a line that is understood starts no program and reads no file but those it was judged by', () => {
    prepare()
    const lines = fc.sample(shellLine, { numRuns: CASES, seed: FUZZ_SEED })
    const understood = [...new Set(lines)].flatMap((line) => {
      const judged = judge(line)
      return judged === undefined ? [] : [{ line, ...judged }]
    })
    // Were nearly all of them refused, the rest would show little.
    expect(understood.length).toBeGreaterThan(CASES / 20)
    const broken: string[] = []
    for (let i = 0; i < understood.length; i += BATCH) {
      const batch = understood.slice(i, i + BATCH)
      const runs = runAll(batch.map(({ line }) => line))
      batch.forEach(({ line, bases, paths }, at) => {
        const started = [...(runs[at]?.programs ?? [])].filter((name) => !bases.has(name))
        const read = (runs[at]?.files ?? []).filter(
          (file) => !paths.some((path) => file === path || file.startsWith(`${path}/`)),
        )
        if (started.length > 0 || read.length > 0)
          broken.push(
            `${JSON.stringify(line)} started ${started.join(' ') || 'nothing else'}, read ${read.join(' ') || 'nothing else'}`,
          )
      })
    }
    if (CASES > 400) console.log(`${lines.length} lines, ${understood.length} understood and run`)
    expect(broken).toEqual([])
  }, 1_200_000)
})

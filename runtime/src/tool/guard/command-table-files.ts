/** Classes of programs that change or pack files. */
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { CommandClass } from '../../protocol/command.ts'
import { awkClass, awkProgram } from './command-awk.ts'
import { ANY, all, type CommandCall, type CommandExamples, type CommandTable, option } from './command-row.ts'
import { sedCall, sedClass } from './command-sed.ts'
import { readOptions } from './option-list.ts'
import { hasOption, optionIn, partWords, type Spelling } from './options.ts'
import { isWithin } from './paths.ts'

const FORCE: Spelling = { long: 'force', letters: 'f' }
/** Folders that a build makes again. */
export const BUILD_OUTPUT =
  /^(dist|build|target|node_modules|coverage|htmlcov|out|obj|tmp|temp|\.cache|\.tmp|__pycache__|\.(pytest|mypy|ruff|parcel)[-_]cache|\.next|\.nuxt|\.turbo|\.svelte-kit|\.nyc_output|\.tox|\.gradle|.*\.(egg-info|pyc|tsbuildinfo))$/

export const FILE_TABLE: CommandTable = {
  ...all('awk gawk mawk nawk', { is: 'read', check: checkAwk, allows: ANY }),
  ...all('sed gsed', { is: 'read', check: checkSed, allows: ANY }),

  ...all('touch mkdir mkfifo mktemp chmod chgrp chown csplit patch rename dos2unix unix2dos tee rmdir setfacl', {
    is: 'change',
  }),
  split: { is: 'change', options: [option('run-programs', { long: 'filter' })] },
  ...all('rm unlink rimraf trash', { is: 'change', check: checkDelete }),
  ...all('shred truncate dd wipe srm', { is: 'lose-work' }),
  ...all('cp install', { is: 'change', check: checkOverwrite }),
  mv: { is: 'change', check: (call) => (hidesWork(call) ? 'lose-work' : checkOverwrite(call)) },
  ln: {
    is: 'change',
    options: [option('lose-work', FORCE)],
    check: (call) => (hidesWork(call) ? 'lose-work' : 'change'),
  },
  ...all('kill pkill', { is: 'change' }),
  ...all('ed ex vi vim nvim nano emacs', { is: 'unknown' }),

  ...all('tar bsdtar gtar', {
    is: 'change',
    check: checkTar,
    allows:
      'dtvzjJaknpPRC:f:T:X: --list --compare --verbose --gzip --bzip2 --xz --zstd --auto-compress --file= --directory= --exclude= --strip-components= --wildcards --no-wildcards --numeric-owner --full-time',
    own: withDash,
  }),
  zip: {
    is: 'change',
    options: [
      option('lose-work', { long: 'move', letters: 'm', valued: 'bnPst' }),
      option('run-programs', { long: 'unzip-command', letters: 'TT' }),
    ],
  },
  unzip: {
    is: 'change',
    options: [option('lose-work', { letters: 'o', valued: 'dxP' })],
    check: ({ args }) => (hasOption(args, { letters: 'ltvZ' }) ? 'read' : 'change'),
    allows: 'ltvZqCa1smhTx:',
  },
  ...all('7z 7za 7zz', { is: 'unknown', verbs: { read: 'l, t, i', change: 'a, x, e, u', 'lose-work': 'd' } }),
}

export const FILE_EXAMPLES: CommandExamples = {
  read: [
    "sed -n '1,40p' a.ts",
    "sed 's/^v//; /^#/d' VERSION",
    "awk -F, '{ if ($2 > 3) print $1 }' a.csv",
    "awk '/^a/ { n += $2 / 2 } END { print n / NR }' a.csv",
    "sed -n '/a/{p;q}' a",
    'tar -tzf a.tgz',
    'unzip -l a.zip',
  ],
  change: [
    'mkdir -p a',
    "sed -i 's/a/b/' x",
    'rm -rf dist',
    'rm -r packages/a/node_modules',
    'tar xzf a.tgz',
    'cp a b',
  ],
  unknown: [
    "sed -- '1w a' -e p b",
    "sed 's/[/]/ /w a;#/p' b",
    'awk \'{ print /;/ ? "" : "x" > "f" }\' a',
    "sed -n '1e id' a",
    "sed 's/a/b/w out' a",
    'awk \'{ print > "x" }\' a',
    'vim a',
  ],
  'lose-work': ['rm -rf src', 'rm a.ts', 'rm -r dist src', 'truncate -s 0 a', 'mv -f a b', 'ln -sf a b'],
  'delete-outside': ['rm -r /srv/data', 'rm -rf ../other/dist', 'rm ~/notes'],
  'run-programs': ['awk \'BEGIN { system("id") }\'', 'awk \'{ print | "sh" }\' a', 'tar xf a --to-command=sh'],
}

/** The program may be in a file of the project. */
function checkAwk({ args }: CommandCall): CommandClass {
  const { given, unknown } = readOptions(args, 'F:v:f: --field-separator= --assign= --file=', { leading: true })
  if (unknown !== undefined) return /^-[Wopd]|^--(dump|profile|pretty)/.test(unknown) ? 'run-programs' : 'unknown'
  const files = given.filter(({ name }) => name === 'f' || name === 'file').map(({ value = '' }) => value)
  if (files.some((file) => /^(-|\/dev\/.*|\/proc\/.*)$/.test(file))) return 'run-programs'
  return files.length > 0 ? 'build' : awkClass(awkProgram(args) ?? '')
}

function checkSed({ args }: CommandCall): CommandClass {
  const call = sedCall(args)
  if (call === undefined || call.scripts.some((script) => sedClass(script) !== 'read')) return 'unknown'
  return call.inPlace ? 'change' : 'read'
}

function checkTar(call: CommandCall): CommandClass {
  const { args } = call
  const runs: Spelling = {
    long: 'checkpoint-action to-command use-compress-program rsh-command rmt-command info-script new-volume-script',
    not: 'checkpoint',
  }
  if (hasOption(args, runs)) return 'run-programs'
  if (hasOption(args, { long: 'remove-files delete overwrite unlink-first recursive-unlink' })) return 'lose-work'
  const options = withDash(args)
  const letters = { valued: 'bfgCFHIKLNTVX' }
  const writes = hasOption(options, { ...letters, long: 'extract get create append update catenate', letters: 'xcruA' })
  if (!writes && hasOption(options, { ...letters, long: 'list compare', letters: 'td' })) return 'read'
  const name = createdArchive(args)
  const loses = name !== undefined && call.placesOf(name).some((place) => losesFile(place, call.workspace))
  return loses ? 'lose-work' : 'change'
}

/** The archive that tar would write. */
export function createdArchive(args: readonly string[]): string | undefined {
  const options = withDash(args)
  const archive: Spelling = { long: 'file', letters: 'f', valued: 'bgCFHIKLNTVX' }
  const at = options.findIndex((arg) => optionIn(arg, archive) !== undefined)
  const name = optionIn(options[at] ?? '', archive) || (args[at + 1] ?? '')
  const isNew = hasOption(options, { valued: 'bfgCFHIKLNTVX', long: 'create', letters: 'c' })
  return isNew && at >= 0 && name !== '-' && name !== '' ? name : undefined
}

/** The first word of tar is options even without a dash. */
function withDash(args: readonly string[]): string[] {
  return args.map((arg, i) => (i === 0 && !arg.startsWith('-') ? `-${arg}` : arg))
}

/** A file there would be lost: it exists, and no build makes it again. */
export function losesFile(place: string, workspace: string): boolean {
  return exists(place) && !isBuildOutput(place, workspace)
}

/** A link may have the name of such a folder. */
function isBuildOutput(place: string, workspace: string): boolean {
  return [place, join(realFolder(dirname(place)), basename(place))].every((path) =>
    relative(workspace, path)
      .split('/')
      .some((name) => BUILD_OUTPUT.test(name)),
  )
}

function realFolder(place: string): string {
  try {
    return realpathSync(place)
  } catch {
    return place === dirname(place) ? place : join(realFolder(dirname(place)), basename(place))
  }
}

function exists(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR'
  }
}

/** Deleting loses work, except where a build makes the files again. */
function checkDelete(call: CommandCall): CommandClass {
  const { words } = partWords(call.args, {})
  const places = words.flatMap((word) => call.placesOf(word))
  if (places.some((place) => !isWithin(place, call.workspace))) return 'delete-outside'
  return places.length > 0 && places.every((place) => isBuildOutput(place, call.workspace)) ? 'change' : 'lose-work'
}

const COPY_TAKES: Spelling = { long: 'target-directory suffix mode owner group', letters: 'tSmog' }
const COPY_INTO: Spelling = { long: 'target-directory', letters: 't', valued: 'Smog' }

/** What cp, mv and install read and the file or folder they write, with or without `-t`. */
export function copied(args: readonly string[]): { sources: string[]; to: string } {
  const { words } = partWords(args, COPY_TAKES)
  const at = args.findIndex((arg) => optionIn(arg, COPY_INTO) !== undefined)
  if (at < 0) return { sources: words.slice(0, -1), to: words.at(-1) ?? '' }
  return { sources: words, to: optionIn(args[at] ?? '', COPY_INTO) || (args[at + 1] ?? '') }
}

/** A file that is replaced is lost. */
function checkOverwrite(call: CommandCall): CommandClass {
  const { args, workspace } = call
  if (hasOption(args, { long: 'no-clobber', letters: 'n', valued: 'tSmog' })) return 'change'
  if (hasOption(args, { long: 'force', letters: 'f', valued: 'tSmog' })) return 'lose-work'
  const { sources, to } = copied(args)
  const names = sources.flatMap((from) => call.placesOf(from)).map((from) => basename(from))
  const places = call
    .placesOf(to)
    .flatMap((place) => (isFolder(place) ? names.map((name) => join(place, name)) : [place]))
  if (places.some((place) => !isWithin(place, workspace))) return 'lose-work'
  return places.some(exists) ? 'lose-work' : 'change'
}

/** What is in a build folder may be deleted without approval, so moving work there, or linking to it, can lose it. */
function hidesWork(call: CommandCall): boolean {
  const { sources, to } = copied(call.args)
  const isOutput = (word: string): boolean => call.placesOf(word).every((place) => isBuildOutput(place, call.workspace))
  return isOutput(to) && sources.some((from) => !isOutput(from))
}

export function isFolder(place: string): boolean {
  return exists(place) && lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}

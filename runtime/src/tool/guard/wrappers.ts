/** Programs that start other programs, and where their arguments name those. */

import { why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import { awkClass, awkProgram } from './command-awk.ts'
import { sedCall, sedClass } from './command-sed.ts'
import { type Arg, type Invocation, plain } from './invocation.ts'
import { hasOption, optionIn, type Spelling } from './options.ts'

export interface Inner {
  commands: Arg[][]
  lines: string[]
  /** Why it is unknown what it starts. */
  unknown: Why[]
  /** Variables it sets for the program it starts. */
  sets: Arg[]
  /** Whether the lines are for a shell with fewer features than bash. */
  isPosix?: boolean
}

/** Letters are short options, `x:` takes a value; words are long options, `x=` takes a value. */
interface Options {
  short: string
  long?: string
  /** Number of words between the options and the command, like timeout's duration. */
  skip?: number
}

const PREFIXES: Record<string, Options> = {
  builtin: { short: '' },
  busybox: { short: '' },
  chroot: { short: '', long: 'userspec= groups= skip-chdir', skip: 1 },
  chrt: { short: 'abfiormvT:P:D:', skip: 1 },
  command: { short: 'pvV' },
  doas: { short: 'nsLu:C:' },
  env: { short: 'i0vu:', long: 'ignore-environment null debug unset=' },
  exec: { short: 'cla:' },
  ionice: { short: 'c:n:t', long: 'class= classdata= ignore' },
  nice: { short: 'n:', long: 'adjustment=' },
  nohup: { short: '' },
  setsid: { short: 'cfw', long: 'ctty fork wait' },
  stdbuf: { short: 'i:o:e:', long: 'input= output= error=' },
  sudo: {
    short: 'ABEHKPSbknu:g:p:C:T:r:t:U:',
    long: 'user= group= preserve-env non-interactive set-home stdin',
  },
  taskset: { short: 'ac', long: 'all-tasks cpu-list', skip: 1 },
  time: { short: 'pvaqf:o:', long: 'portability verbose append format= output= quiet' },
  timeout: { short: 'vfpk:s:', long: 'foreground preserve-status verbose kill-after= signal=', skip: 1 },
  toybox: { short: '' },
  xargs: {
    short: '0ortpxa:d:E:I:L:n:P:s:',
    long: 'null no-run-if-empty verbose interactive exit open-tty arg-file= delimiter= max-args= max-procs= max-chars= max-lines= replace=',
  },
}

export const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'rbash', 'csh', 'tcsh'])
/** They start other programs in ways that are not followed here. */
const OPAQUE = new Set(
  'at batch bwrap chpst crontab dbus-run-session entr expect firejail flock gdb ltrace nsenter parallel pkexec proot rlwrap run-parts runuser screen script strace su systemd-run tmux unbuffer unshare watch xdg-open'.split(
    ' ',
  ),
)
/** Shells whose syntax is understood here. */
const READ_AS: Record<string, 'bash' | 'posix'> = {
  bash: 'bash',
  rbash: 'bash',
  sh: 'posix',
  dash: 'posix',
  ash: 'posix',
}
const ESCAPES: Record<string, RegExp> = {
  ssh: /(Proxy|Local)Command|PermitLocalCommand/i,
  enable: /^-\w*f/,
  shopt: /expand_aliases/,
  vim: /^[+-]/,
  vi: /^[+-]/,
  ed: /!/,
}
/** Options that name a program to start. */
const STARTING: Record<string, Spelling> = {
  fd: { long: 'exec exec-batch', letters: 'xX', valued: 'cdejotCES' },
  hash: { letters: 'p' },
  man: { long: 'pager html', letters: 'PH', valued: 'emprsCELMRST' },
  rsync: { long: 'rsh', letters: 'e', valued: 'fBMT' },
  tar: {
    long: 'checkpoint-action to-command use-compress-program rsh-command rmt-command info-script new-volume-script',
    letters: 'IF',
    valued: 'bfgCHKLNTVX',
    not: 'checkpoint',
  },
}
const ALIASES: Record<string, string> = {
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  gsed: 'sed',
  bsdtar: 'tar',
  gtar: 'tar',
  fdfind: 'fd',
}

/** True for a program whose words are the command it starts; they are read again there. */
export function isWrapper({ base, args }: Invocation): boolean {
  if (Object.hasOwn(PREFIXES, base)) return true
  return (
    base === 'eval' || base === 'trap' || (SHELLS.has(base) && args.some((arg) => /^-[a-z]*c[a-z]*$/.test(arg.text)))
  )
}

/** True for a program that an option can make start another. */
export function canStart(base: string): boolean {
  const program = ALIASES[base] ?? base
  return (
    ['find', 'git'].includes(base) ||
    Object.hasOwn(STARTING, program) ||
    Object.hasOwn(ESCAPES, program) ||
    /^(awk|sed)$/.test(program)
  )
}

export function innerCommands(invocation: Invocation): Inner {
  const { base, args } = invocation
  if (SHELLS.has(base)) return insideShell(invocation)
  if (base === 'eval') return joined(args)
  if (base === 'trap') return joined(args.slice(0, 1))
  if (base === 'env') return insideEnv(args)
  const program = ALIASES[base] ?? base
  if (base === 'find' || program === 'fd') return insideFind(program, args)
  if (base === 'source' || base === '.') return unknown(why('readsLater', { base }))
  if (OPAQUE.has(base)) return unknown(why('startsLater', { base }))
  if (startsByCode(program, args)) return unknown(why('startsLater', { base }))
  const leak = ESCAPES[program]
  if (leak !== undefined && args.some((arg) => leak.test(arg.text))) return unknown(why('startsLater', { base }))
  if (hasOption(optionWords(program, args), STARTING[program] ?? {})) return unknown(why('startsLater', { base }))
  const options = PREFIXES[base]
  return options === undefined ? nothing() : afterOptions(base, args, options)
}

const SED_RUNS = /s(.).*?\1.*?\1[gpimIM0-9]*e|(^|[;{}\n/$\d]\s*)e(\s|$)/

function startsByCode(program: string, args: readonly Arg[]): boolean {
  const texts = args.map((arg) => arg.text)
  if (program === 'awk') return [awkProgram(texts) ?? texts].flat().some((text) => awkClass(text) === 'run-programs')
  if (program !== 'sed') return false
  return (sedCall(texts)?.scripts ?? texts).some((script) => sedClass(script) !== 'read' && SED_RUNS.test(script))
}

/** The first word of tar is options even without a dash; then no letter has an attached value. */
function optionWords(program: string, args: readonly Arg[]): string[] {
  const words = args.map((arg) => arg.text)
  const [first = ''] = words
  return program === 'tar' && !first.startsWith('-') ? [...[...first].map((letter) => `-${letter}`), ...words] : words
}

function nothing(): Inner {
  return { commands: [], lines: [], unknown: [], sets: [] }
}

function unknown(reason: Why): Inner {
  return { ...nothing(), unknown: [reason] }
}

function joined(args: readonly Arg[]): Inner {
  if (args.some((arg) => !arg.known)) return unknown(why('madeCommand'))
  const line = args.map((arg) => arg.text).join(' ')
  return line === '' || line === '-' ? nothing() : { ...nothing(), lines: [line] }
}

function insideShell(invocation: Invocation): Inner {
  const { args, input, isInputChanged, feeds, base } = invocation
  const language = READ_AS[base]
  const asShell = (inner: Inner): Inner => {
    if (language === undefined && inner.lines.length > 0) return unknown(why('lineLater', { base }))
    return { ...inner, isPosix: language === 'posix' }
  }
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    if (arg === undefined) break
    if (!arg.known || arg.glob) return unknown(why('runsLater', { base }))
    if (/^-[euxvnhpl]*c[euxvnhpl]*$/.test(arg.text)) {
      const line = args[i + 1]
      return /^[-+]/.test(line?.text ?? '')
        ? unknown(why('runsLater', { base }))
        : asShell(joined(args.slice(i + 1, i + 2)))
    }
    if (/^[-+][euxvnh]*o$/.test(arg.text) && SHELL_MODES.test(args[i + 1]?.text ?? '')) {
      i++
      // `bash -o pipefail -ec …`, and `bash -eo pipefail -c …`
      continue
    }
    if (/^(--|-)$/.test(arg.text) && args[i + 1] !== undefined) return scriptFile(invocation, args[i + 1])
    if (/^[-+]/.test(arg.text)) {
      if (!/^(-[euxvnsl]+|--(login|norc|noprofile|posix|version|help))$/.test(arg.text))
        return unknown(why('runsLaterOption', { base, option: arg.text }))
    } else return scriptFile(invocation, arg)
  }
  if (isInputChanged === true) return unknown(why('handedLater', { base }))
  if (input !== undefined) return asShell({ ...nothing(), lines: [input] })
  return feeds.length === 0 ? nothing() : unknown(why('pipedLater', { base }))
}

const SHELL_MODES = /^(errexit|nounset|xtrace|verbose|pipefail|noglob|noclobber)$/

function scriptFile({ base, feeds, input }: Invocation, file: Arg | undefined): Inner {
  const isStream = /^\/(dev|proc)\//.test(file?.text ?? '')
  if (file?.known !== true || (isStream && (feeds.length > 0 || input !== undefined)))
    return unknown(why('runsLater', { base }))
  return nothing()
}

function insideEnv(args: readonly Arg[]): Inner {
  const split = args.findIndex((arg) => /^(-\w*S|--split-string)/.test(arg.text))
  if (split < 0) return afterOptions('env', args, PREFIXES.env ?? { short: '' })
  const [first, ...rest] = args.slice(split)
  const own = first?.text.replace(/^(-\w*?S|--split-string=?)/, '') ?? ''
  const words = own === '' ? rest : [{ ...(first as Arg), text: own }, ...rest]
  return joined(words)
}

function insideFind(base: string, args: readonly Arg[]): Inner {
  const commands: Arg[][] = []
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? ''
    const starts = base === 'find' ? /^-(exec|execdir|ok|okdir)$/ : /^(-[xX]|--exec|--exec-batch)$/
    // In `fd -Hx rm` and `fd --exec=rm` it is hard to tell where the command begins.
    if (base === 'fd' && !starts.test(text) && optionIn(text, STARTING.fd ?? {}) !== undefined)
      return unknown(why('startsLater', { base: 'fd' }))
    if (!starts.test(text)) continue
    const end = args.findIndex((arg, at) => at > i && (arg.text === ';' || arg.text === '+'))
    const words = args.slice(i + 1, end < 0 ? undefined : end)
    if (text.endsWith('dir') && words.length > 1) return unknown(why('programFolder', { base: words[0]?.text ?? '' }))
    commands.push(words.map((arg) => (arg.text.includes('{}') ? { ...arg, known: false } : arg)))
  }
  return { ...nothing(), commands }
}

/** Skips the options. An unknown option could take the command's name as its value, so it ends the reading. */
function afterOptions(base: string, args: readonly Arg[], options: Options): Inner {
  let i = 0
  const sets: Arg[] = []
  for (; i < args.length; i++) {
    const arg = args[i]
    if (arg !== undefined && (base === 'env' || base === 'sudo') && /^\w+=/.test(arg.text)) {
      sets.push(arg)
      continue
    }
    if (arg === undefined || !arg.known || arg.glob) return unknown(why('startsLater', { base }))
    if (arg.text === '--') {
      while (/^\w+=/.test(args[++i]?.text ?? '') && base === 'env') sets.push(args[i] ?? arg)
      break
    }
    if (base === 'nice' && /^-\d+$/.test(arg.text)) continue
    if (!arg.text.startsWith('-') || arg.text === '-') break
    const step = arg.text.startsWith('--') ? longOption(arg.text, options) : shortOption(arg.text, options)
    if (step === undefined) return unknown(why('startsLaterOption', { base, option: arg.text }))
    i += step
  }
  if (base === 'command' && args.slice(0, i).some((arg) => /^-\w*[vV]/.test(arg.text))) return nothing()
  const own = i + (options.skip ?? 0)
  // A variable that expands to several words moves the start of the command.
  if (args.slice(0, own).some((arg) => !arg.single)) return unknown(why('startsLater', { base }))
  const rest = args.slice(own)
  if (rest.length === 0) return { ...nothing(), sets }
  return { ...nothing(), sets, commands: [base === 'xargs' ? withInput(args.slice(0, i), rest) : rest] }
}

/** What xargs appends to a command, or inserts for a placeholder, comes from its input. */
function withInput(options: readonly Arg[], command: readonly Arg[]): Arg[] {
  const at = options.findIndex((arg) => /^(-\w*I|--replace)/.test(arg.text))
  if (at < 0) return [...command, { ...plain('…'), known: false, single: false }]
  const mark = options[at]?.text.replace(/^(-\w*?I|--replace=?)/, '') || options[at + 1]?.text || '{}'
  return command.map((arg) => (arg.text.includes(mark) ? { ...arg, known: false } : arg))
}

/** How many further words the option takes; undefined when the option is unknown. */
function longOption(text: string, options: Options): number | undefined {
  const name = text.slice(2).split('=')[0] ?? ''
  const known = (options.long ?? '').split(' ')
  if (known.includes(`${name}=`)) return text.includes('=') ? 0 : 1
  return name !== '' && known.includes(name) ? 0 : undefined
}

function shortOption(text: string, options: Options): number | undefined {
  for (let at = 1; at < text.length; at++) {
    const place = options.short.indexOf(text[at] ?? '')
    if (place < 0 || text[at] === ':') return undefined
    if (options.short[place + 1] === ':') return at === text.length - 1 ? 1 : 0
  }
  return 0
}

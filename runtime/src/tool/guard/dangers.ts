/** Reasons that make a shell line dangerous; each of them raises the call to High risk. */

import { gitDangers } from './git-args.ts'
import type { Arg, Invocation } from './invocation.ts'
import { hasOption, type Spelling } from './options.ts'
import type { ShellReading } from './shell-reading.ts'
import { SHELLS } from './wrappers.ts'

type Rule = (invocation: Invocation) => string | undefined

const DOWNLOADERS = new Set(['curl', 'wget', 'fetch', 'aria2c', 'http', 'https', 'xh', 'nc', 'ncat', 'socat', 'scp'])
const DECODERS = new Set(['base64', 'base32', 'xxd', 'openssl', 'uudecode', 'rev', 'tr', 'gunzip', 'zcat'])
const INTERPRETERS = /^(python[\d.]*|perl|ruby|node|deno|bun|php|lua|tclsh|osascript|pwsh)$/
const CREDENTIALS =
  /(^|\/)(\.ssh|\.aws|\.gnupg|\.kube|\.netrc|\.git-credentials|\.pgpass|\.npmrc|\.pypirc|\.docker\/config\.json|\.config\/(gh|gcloud)|\.(bash|zsh|sh|python|psql|mysql)_history|id_(rsa|dsa|ecdsa|ed25519))(\/|$)|^\/etc\/(shadow|gshadow|sudoers)|^\/proc\/[^/]+\/(environ|mem)/
const DEVICE = /^\/dev\/(?!(null|zero|full|random|urandom|tty|stdin|stdout|stderr|ptmx|shm\/.*|fd\/\d+)$)/
const RAW_SOCKET = /^\/dev\/(tcp|udp)\//
/** Roots, home folders and the current folder: deleting one deletes everything below. */
const EVERYTHING =
  /^(\/|~|\.|\.\.|\*|\/?(\.\.?\/)*\*?|~?\/+\*|~[^/]*\/?\*?|\.\/?\*|\.\.(\/\.\.)*\/?\*?|\/+[^/]+\/*\*?|\/home\/[^/]+\/?\*?|\/Users\/[^/]+\/?\*?)$/

/** Options of netcat and similar tools that connect a program's input and output to the network. */
const HANDS_OVER: Spelling = { long: 'exec sh-exec lua-exec', letters: 'ec', valued: 'gimopqswxGIMOPTVWX' }

const SYSTEM: Record<string, string> = {
  sudo: 'runs as another user',
  su: 'runs as another user',
  doas: 'runs as another user',
  pkexec: 'runs as another user',
  runuser: 'runs as another user',
  fdisk: 'changes disks',
  parted: 'changes disks',
  wipefs: 'changes disks',
  mkswap: 'changes disks',
  mount: 'changes disks',
  umount: 'changes disks',
  shutdown: 'stops the machine',
  reboot: 'stops the machine',
  halt: 'stops the machine',
  poweroff: 'stops the machine',
  crontab: 'schedules work that outlives this run',
  at: 'schedules work that outlives this run',
  batch: 'schedules work that outlives this run',
  'systemd-run': 'schedules work that outlives this run',
  launchctl: 'schedules work that outlives this run',
  insmod: 'changes the kernel',
  modprobe: 'changes the kernel',
  rmmod: 'changes the kernel',
  sysctl: 'changes the kernel',
  iptables: 'changes the firewall',
  nft: 'changes the firewall',
  useradd: 'changes accounts',
  userdel: 'changes accounts',
  usermod: 'changes accounts',
  passwd: 'changes accounts',
  chpasswd: 'changes accounts',
  visudo: 'changes accounts',
  history: 'reads the shell history',
  fc: 'reads the shell history',
  chroot: 'leaves its file system',
  nsenter: 'leaves its file system',
}

const RULES: Rule[] = [
  ({ base }) => (base.startsWith('mkfs') ? 'mkfs changes disks' : undefined),
  ({ base }) => (Object.hasOwn(SYSTEM, base) ? `${base} ${SYSTEM[base]}` : undefined),
  removesEverything,
  ({ base, args }) =>
    ['chmod', 'chown', 'chgrp'].includes(base) &&
    isGiven(args, { long: 'recursive', letters: 'R' }) &&
    args.slice(1).some(isEverything)
      ? `${base} of everything below a root, a home folder or the current folder`
      : undefined,
  ({ base, args }) =>
    base === 'chmod' && args.some((arg) => /^[ugoa]*\+[rwxXt]*s|^[2467]\d{3}$/.test(arg.text))
      ? 'chmod gives a program its owner’s rights'
      : undefined,
  ({ base, args }) =>
    base === 'dd' && args.some((arg) => /^of=/.test(arg.text) && DEVICE.test(arg.text.slice(3)))
      ? 'dd writes to a device'
      : undefined,
  ({ base, args }) =>
    base === 'date' &&
    (isGiven(args, { long: 'set', letters: 's', valued: 'dfrI' }) ||
      args.some((arg, i) => /^\d{8,12}(\.\d\d)?$/.test(arg.text) && args[i - 1]?.text.startsWith('-') !== true))
      ? 'date sets the clock of the machine'
      : undefined,
  killsEverything,
  runsOtherOutput,
  ({ base, args }) => (base === 'git' ? gitDangers(args.map((arg) => arg.text))[0] : undefined),
  ({ base, args }) =>
    ['nc', 'ncat', 'netcat', 'socat'].includes(base) &&
    (isGiven(args, HANDS_OVER) || args.some((arg) => /(^|!!)(exec|system|shell):/i.test(arg.text)))
      ? `${base} gives the network a shell`
      : undefined,
  ({ base, args }) =>
    base === 'systemctl' && args.some((arg) => /^(enable|disable|mask|poweroff|reboot|halt|stop|kill)$/.test(arg.text))
      ? 'systemctl changes services'
      : undefined,
  ({ base, args }) =>
    (base === 'docker' || base === 'podman') &&
    args.some((arg) => /^--privileged$|^-v\/:|^\/:|^--pid=host$/.test(arg.text))
      ? `${base} reaches the whole machine`
      : undefined,
]

export function shellDangers(reading: ShellReading): string[] {
  const found: string[] = reading.recursive.map((name) => `the function ${name} calls itself`)
  for (const invocation of reading.invocations) {
    for (const rule of RULES) found.push(rule(invocation) ?? '')
    for (const { text } of invocation.args) found.push(wordDanger(text) ?? '')
  }
  for (const { target, access } of reading.redirects) {
    found.push(wordDanger(target.text) ?? '')
    if (access === 'write' && DEVICE.test(target.text)) found.push(`it writes to ${target.text}`)
  }
  return [...new Set(found)].filter((danger) => danger !== '')
}

function wordDanger(text: string): string | undefined {
  if (RAW_SOCKET.test(text)) return 'it opens a raw connection'
  return text
    .split(/[=:,@\s]/)
    .map((part) => part.replace(/^~|^\$HOME/, ''))
    .some((part) => CREDENTIALS.test(part))
    ? 'it touches credentials or history'
    : undefined
}

function removesEverything({ base, args }: Invocation): string | undefined {
  if (base === 'find') {
    const roots = args.slice(0, firstFlag(args))
    const deletes = args.some((arg) => arg.text === '-delete')
    return deletes && roots.some((arg) => isEverything(arg) && !/^\.\/?$/.test(arg.text))
      ? 'find deletes below a root or a home folder'
      : undefined
  }
  if (base === 'shred') return 'shred destroys files for good'
  if (base !== 'rm' || !isGiven(args, { long: 'recursive', letters: 'rR' })) return undefined
  if (isGiven(args, { long: 'no-preserve-root' })) return 'rm of a root, a home folder or the current folder'
  const targets = args.filter((arg) => !arg.text.startsWith('-'))
  if (targets.some((arg) => arg.known && isEverything(arg))) return 'rm of a root, a home folder or the current folder'
  return targets.some((arg) => !arg.known) ? 'rm -r of a path that is only known when it runs' : undefined
}

function isEverything(arg: Arg): boolean {
  const text = arg.text.replace(/\/+/g, '/').replace(/\/\.(?=\/|$)/g, '')
  return EVERYTHING.test(text === '' ? '/' : text)
}

function isGiven(args: readonly Arg[], option: Spelling): boolean {
  return hasOption(
    args.map((arg) => arg.text),
    option,
  )
}

function firstFlag(args: readonly Arg[]): number {
  const at = args.findIndex((arg) => /^[-(!]/.test(arg.text))
  return at < 0 ? args.length : at
}

function killsEverything({ base, args }: Invocation): string | undefined {
  if (base === 'kill') {
    const targets = args.slice(args[0]?.text.startsWith('-') && args.length > 1 ? 1 : 0).map((arg) => arg.text)
    return targets.includes('-1') || targets.includes('1') ? 'kill of every process' : undefined
  }
  if (base === 'killall' || base === 'killall5') return `${base} ends programs by name`
  return base === 'pkill' && args.some((arg) => /^-\w*[uUGg]/.test(arg.text)) ? 'pkill of a whole user' : undefined
}

function runsOtherOutput({ base, args, feeds, input }: Invocation): string | undefined {
  const isShell = SHELLS.has(base)
  const runsText = isShell || base === 'eval' || base === 'source' || base === '.' || INTERPRETERS.test(base)
  if (!runsText) return undefined
  if (args.some((arg) => arg.runs)) return `${base} runs the output of another command`
  const readsInput =
    input === undefined && args.every((arg) => /^-(\w|$)/.test(arg.text) && !/^-\w*[ce]$/.test(arg.text))
  if (!readsInput || feeds.length === 0) return undefined
  if (feeds.some((feed) => DOWNLOADERS.has(feed))) return `${base} runs what was downloaded`
  if (feeds.some((feed) => DECODERS.has(feed))) return `${base} runs encoded text`
  return isShell ? `${base} runs what another command prints` : undefined
}

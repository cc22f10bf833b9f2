/** Reasons that make a shell line dangerous; each of them raises the call to High risk. */

import { type CodeOf, distinct, why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import { gitDangers } from './git-args.ts'
import type { Arg, Invocation } from './invocation.ts'
import { hasOption, type Spelling } from './options.ts'
import type { ShellReading } from './shell-reading.ts'
import { SHELLS } from './wrappers.ts'

type Rule = (invocation: Invocation) => Why | undefined

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

const SYSTEM: Record<string, CodeOf<{ base: string }>> = {
  sudo: 'otherUser',
  su: 'otherUser',
  doas: 'otherUser',
  pkexec: 'otherUser',
  runuser: 'otherUser',
  fdisk: 'changesDisks',
  parted: 'changesDisks',
  wipefs: 'changesDisks',
  mkswap: 'changesDisks',
  mount: 'changesDisks',
  umount: 'changesDisks',
  shutdown: 'stopsMachine',
  reboot: 'stopsMachine',
  halt: 'stopsMachine',
  poweroff: 'stopsMachine',
  crontab: 'outlivesRun',
  at: 'outlivesRun',
  batch: 'outlivesRun',
  'systemd-run': 'outlivesRun',
  launchctl: 'outlivesRun',
  insmod: 'changesKernel',
  modprobe: 'changesKernel',
  rmmod: 'changesKernel',
  sysctl: 'changesKernel',
  iptables: 'changesFirewall',
  nft: 'changesFirewall',
  useradd: 'changesAccounts',
  userdel: 'changesAccounts',
  usermod: 'changesAccounts',
  passwd: 'changesAccounts',
  chpasswd: 'changesAccounts',
  visudo: 'changesAccounts',
  history: 'readsHistory',
  fc: 'readsHistory',
  chroot: 'leavesFileSystem',
  nsenter: 'leavesFileSystem',
}

const RULES: Rule[] = [
  ({ base }) => (base.startsWith('mkfs') ? why('changesDisks', { base: 'mkfs' }) : undefined),
  ({ base }) => {
    const code = Object.hasOwn(SYSTEM, base) ? SYSTEM[base] : undefined
    return code === undefined ? undefined : why(code, { base })
  },
  removesEverything,
  ({ base, args }) =>
    ['chmod', 'chown', 'chgrp'].includes(base) &&
    isGiven(args, { long: 'recursive', letters: 'R' }) &&
    args.slice(1).some(isEverything)
      ? why('wholeTree', { base })
      : undefined,
  ({ base, args }) =>
    base === 'chmod' && args.some((arg) => /^[ugoa]*\+[rwxXt]*s|^[2467]\d{3}$/.test(arg.text))
      ? why('ownerRights')
      : undefined,
  ({ base, args }) =>
    base === 'dd' && args.some((arg) => /^of=/.test(arg.text) && DEVICE.test(arg.text.slice(3)))
      ? why('writesDevice')
      : undefined,
  ({ base, args }) =>
    base === 'date' &&
    (isGiven(args, { long: 'set', letters: 's', valued: 'dfrI' }) ||
      args.some((arg, i) => /^\d{8,12}(\.\d\d)?$/.test(arg.text) && args[i - 1]?.text.startsWith('-') !== true))
      ? why('setsClock')
      : undefined,
  killsEverything,
  runsOtherOutput,
  ({ base, args }) => (base === 'git' ? gitDangers(args.map((arg) => arg.text))[0] : undefined),
  ({ base, args }) =>
    ['nc', 'ncat', 'netcat', 'socat'].includes(base) &&
    (isGiven(args, HANDS_OVER) || args.some((arg) => /(^|!!)(exec|system|shell):/i.test(arg.text)))
      ? why('networkShell', { base })
      : undefined,
  ({ base, args }) =>
    base === 'systemctl' && args.some((arg) => /^(enable|disable|mask|poweroff|reboot|halt|stop|kill)$/.test(arg.text))
      ? why('changesServices')
      : undefined,
  ({ base, args }) =>
    (base === 'docker' || base === 'podman') &&
    args.some((arg) => /^--privileged$|^-v\/:|^\/:|^--pid=host$/.test(arg.text))
      ? why('wholeMachine', { base })
      : undefined,
]

export function shellDangers(reading: ShellReading): Why[] {
  const found: (Why | undefined)[] = reading.recursive.map((name) => why('selfCalling', { name }))
  for (const invocation of reading.invocations) {
    for (const rule of RULES) found.push(rule(invocation))
    for (const { text } of invocation.args) found.push(wordDanger(text))
  }
  for (const { target, access } of reading.redirects) {
    found.push(wordDanger(target.text))
    if (access === 'write' && DEVICE.test(target.text)) found.push(why('writesTo', { path: target.text }))
  }
  return distinct(found.filter((danger) => danger !== undefined))
}

function wordDanger(text: string): Why | undefined {
  if (RAW_SOCKET.test(text)) return why('rawConnection')
  return text
    .split(/[=:,@\s]/)
    .map((part) => part.replace(/^~|^\$HOME/, ''))
    .some((part) => CREDENTIALS.test(part))
    ? why('credentials')
    : undefined
}

function removesEverything({ base, args }: Invocation): Why | undefined {
  if (base === 'find') {
    const roots = args.slice(0, firstFlag(args))
    const deletes = args.some((arg) => arg.text === '-delete')
    return deletes && roots.some((arg) => isEverything(arg) && !/^\.\/?$/.test(arg.text))
      ? why('findDeletes')
      : undefined
  }
  if (base === 'shred') return why('shreds')
  if (base !== 'rm' || !isGiven(args, { long: 'recursive', letters: 'rR' })) return undefined
  if (isGiven(args, { long: 'no-preserve-root' })) return why('removesRoot')
  const targets = args.filter((arg) => !arg.text.startsWith('-'))
  if (targets.some((arg) => arg.known && isEverything(arg))) return why('removesRoot')
  return targets.some((arg) => !arg.known) ? why('removesUnknown') : undefined
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

function killsEverything({ base, args }: Invocation): Why | undefined {
  if (base === 'kill') {
    const targets = args.slice(args[0]?.text.startsWith('-') && args.length > 1 ? 1 : 0).map((arg) => arg.text)
    return targets.includes('-1') || targets.includes('1') ? why('killsAll') : undefined
  }
  if (base === 'killall' || base === 'killall5') return why('killsByName', { base })
  return base === 'pkill' && args.some((arg) => /^-\w*[uUGg]/.test(arg.text)) ? why('killsUser') : undefined
}

function runsOtherOutput({ base, args, feeds, input }: Invocation): Why | undefined {
  const isShell = SHELLS.has(base)
  const runsText = isShell || base === 'eval' || base === 'source' || base === '.' || INTERPRETERS.test(base)
  if (!runsText) return undefined
  if (args.some((arg) => arg.runs)) return why('runsOutput', { base })
  const readsInput =
    input === undefined && args.every((arg) => /^-(\w|$)/.test(arg.text) && !/^-\w*[ce]$/.test(arg.text))
  if (!readsInput || feeds.length === 0) return undefined
  if (feeds.some((feed) => DOWNLOADERS.has(feed))) return why('runsDownload', { base })
  if (feeds.some((feed) => DECODERS.has(feed))) return why('runsEncoded', { base })
  return isShell ? why('runsPrinted', { base }) : undefined
}

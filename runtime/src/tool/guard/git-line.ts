/** The connection of one git call: a guarded proxy that reaches the hosts of the call, and what proves who asks. */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WritError } from '../../base/errors.ts'
import type { HostFact } from '../../protocol/facts.ts'
import { type GuardedProxy, openGuardedProxy } from '../browser/guarded-proxy.ts'
import type { World } from '../tool.ts'
import { type Credential, credentialFor } from './git-credentials.ts'
import type { Repository } from './git-repository.ts'
import { PROXY_PORT } from './network-door.ts'
import type { Relay } from './relays.ts'
import { sandboxStatus } from './sandbox.ts'

export interface GitLine {
  /** `-c` settings that lead git through it. */
  settings: string[]
  /** The ssh command line; absent when no host is reached by ssh. */
  ssh?: string
  /** Unix sockets that are opened for the call: that of the ssh agent. */
  sockets: string[]
  /** Where the proxy is met in the sandbox. */
  relay?: Relay
  /** Variables that only the programs of this call see. */
  secrets: Record<string, string>
  /** As git names them. */
  protocols: string[]
  /** Connections that were refused, in words. */
  refusals(): string[]
  close(): Promise<void>
}

/** What a person should know: the call would act in their name at this host. */
export function provesIdentity(host: HostFact, world: World): string[] {
  if (host.scheme === 'ssh') return [`it uses your SSH keys at ${host.host}`]
  return credentialFor(host, world) === undefined ? [] : [`it uses your credential for ${host.host}`]
}

export async function openLine(
  hosts: readonly HostFact[],
  { world, home, repository }: { world: World; home: string; repository?: Repository | undefined },
): Promise<GitLine> {
  const { active } = await sandboxStatus(world.sandbox)
  if (active && process.platform !== 'linux') {
    throw new WritError('GIT_NETWORK', 'git has no network in this sandbox', { hint: 'Fetch and push by hand.' })
  }
  const socket = active ? join(home, 'proxy.sock') : undefined
  const named = hosts.filter(({ host }) => !host.includes('*')).map(({ host, port }) => `${host}:${port}`)
  const proxy = await openGuardedProxy({
    allowedHosts: () => world.allowedHosts,
    allowedDomains: () => named,
    client: 'git',
    ...(socket === undefined ? {} : { socket }),
  })
  const address = socket === undefined ? proxy.url : `http://127.0.0.1:${PROXY_PORT}`
  const isSsh = hosts.some(({ scheme }) => scheme === 'ssh')
  const agent = isSsh ? world.env.SSH_AUTH_SOCK : undefined
  const given = hosts.flatMap((host) => credentialFor(host, world) ?? [])
  return {
    settings: [...proxySettings(address, repository), ...given.map(helperSetting)],
    ...(isSsh ? { ssh: await sshCommand({ address, home, agent, world }) } : {}),
    ...(socket === undefined ? {} : { relay: { port: PROXY_PORT, socket } }),
    sockets: agent === undefined ? [] : [agent],
    secrets: Object.assign({}, ...given.map(variables)),
    protocols: [...new Set(hosts.map(({ scheme }) => scheme).filter((name) => /^(https?|ssh)$/.test(name)))],
    refusals: () => refusalsOf(proxy),
    close: () => proxy.close(),
  }
}

function refusalsOf({ troubles }: GuardedProxy): string[] {
  return [...new Set(troubles.map(({ message }) => `(${message})`))]
}

/** A repository can have proxies of its own, for one host or one remote; they win over the general one. */
function proxySettings(address: string, repository: Repository | undefined): string[] {
  const own = (repository?.settings ?? [])
    .map(({ key }) => key)
    .filter((key) => /^(http|remote)\..+\.proxy$/i.test(key))
  return [`http.proxy=${address}`, ...own.map((key) => `${key}=${address}`), 'http.proxyAuthMethod=basic']
}

/** Told to git only when that very host asks for it. */
function helperSetting({ origin }: Credential, i: number): string {
  const answer = `printf 'username=%s\\npassword=%s\\n' "$WRIT_GIT_USER_${i}" "$WRIT_GIT_PASSWORD_${i}"`
  return `credential.${origin}.helper=!f() { test "$1" = get && ${answer}; }; f`
}

function variables({ username, password }: Credential, i: number): Record<string, string> {
  return { [`WRIT_GIT_USER_${i}`]: username, [`WRIT_GIT_PASSWORD_${i}`]: password }
}

/** No settings, keys or programs of the user's: the agent signs, and only hosts that the user knows are met. */
async function sshCommand({
  address,
  home,
  agent,
  world,
}: {
  address: string
  home: string
  agent: string | undefined
  world: World
}): Promise<string> {
  const known = join(home, 'known_hosts')
  await copyFile(join(world.env.HOME ?? '', '.ssh', 'known_hosts'), known).catch(() => writeFile(known, ''))
  const { port } = new URL(address)
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${known}`,
    `IdentityAgent=${agent ?? 'none'}`,
    'IdentityFile=none',
    'ForwardAgent=no',
    'ControlMaster=no',
    'PermitLocalCommand=no',
    `ProxyCommand=socat - PROXY:127.0.0.1:%h:%p,proxyport=${port}`,
  ]
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', `'${option}'`])].join(' ')
}

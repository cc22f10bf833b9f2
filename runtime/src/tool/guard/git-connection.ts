/** The connection of one git call: a guarded proxy to the hosts of the call, and the credentials for them. */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import { why } from '../../i18n/why.ts'
import type { HostFact } from '../../protocol/facts.ts'
import type { Why } from '../../protocol/why.ts'
import { type GuardedProxy, openGuardedProxy } from '../browser/guarded-proxy.ts'
import type { World } from '../tool.ts'
import { type Credential, credentialFor } from './git-credentials.ts'
import type { Repository } from './git-repository.ts'
import type { Relay } from './relays.ts'
import { sandboxStatus } from './sandbox.ts'
import { PROXY_PORT } from './sandbox-network.ts'

export interface GitConnection {
  /** `-c` settings that route git through the proxy. */
  settings: string[]
  /** The ssh command line; absent when no host uses ssh. */
  ssh?: string
  /** Unix sockets opened for the call: the ssh agent's. */
  sockets: string[]
  /** How the proxy is reached inside the sandbox. */
  relay?: Relay | undefined
  /** Variables that only the programs of this call see. */
  secrets: Record<string, string>
  /** By git's names. */
  protocols: string[]
  /** Refused connections, as sentences. */
  refusals(): string[]
  close(): Promise<void>
}

/** For the approval question: the call would act in the user's name at this host. */
export function provesIdentity(host: HostFact, world: World): Why[] {
  if (host.scheme === 'ssh') return [why('usesSshKeys', { host: host.host })]
  return credentialFor(host, world) === undefined ? [] : [why('usesCredential', { host: host.host })]
}

export async function openGitConnection(
  hosts: readonly HostFact[],
  { world, home, repository }: { world: World; home: string; repository?: Repository | undefined },
): Promise<GitConnection> {
  const { active } = await sandboxStatus(world.sandbox)
  if (active && process.platform !== 'linux') {
    throw new WritError('GIT_NETWORK.sandbox')
  }
  const socket = active ? join(home, 'proxy.sock') : undefined
  const named = hosts.filter(({ host }) => !host.includes('*')).map(({ host, port }) => `${host}:${port}`)
  const proxy = await openGuardedProxy({
    allowedHosts: () => world.allowedHosts,
    allowedDomains: () => named,
    client: 'git',
    socket,
  })
  const address = socket === undefined ? proxy.url : `http://127.0.0.1:${PROXY_PORT}`
  const isSsh = hosts.some(({ scheme }) => scheme === 'ssh')
  const agent = isSsh ? world.env.SSH_AUTH_SOCK : undefined
  const given = hosts.flatMap((host) => credentialFor(host, world) ?? [])
  return {
    settings: [...proxySettings(address, repository), ...given.map(helperSetting)],
    ...(isSsh ? { ssh: await sshCommand({ address, home, agent, world }) } : {}),
    relay: socket === undefined ? undefined : { port: PROXY_PORT, socket },
    sockets: agent === undefined ? [] : [agent],
    secrets: Object.assign({}, ...given.map(variables)),
    protocols: [...new Set(hosts.map(({ scheme }) => scheme).filter((name) => /^(https?|ssh)$/.test(name)))],
    refusals: () => refusalsOf(proxy),
    close: () => proxy.close(),
  }
}

function refusalsOf({ failures }: GuardedProxy): string[] {
  return [...new Set(failures.map(({ message }) => `(${message})`))]
}

/** A repository can set a proxy per host or per remote, which takes precedence over the general one. */
function proxySettings(address: string, repository: Repository | undefined): string[] {
  const own = (repository?.settings ?? [])
    .map(({ key }) => key)
    .filter((key) => /^(http|remote)\..+\.proxy$/i.test(key))
  return [`http.proxy=${address}`, ...own.map((key) => `${key}=${address}`), 'http.proxyAuthMethod=basic']
}

/** Git gets the credential only when this host asks for it. */
function helperSetting({ origin }: Credential, i: number): string {
  const answer = `printf 'username=%s\\npassword=%s\\n' "$WRIT_GIT_USER_${i}" "$WRIT_GIT_PASSWORD_${i}"`
  return `credential.${origin}.helper=!f() { test "$1" = get && ${answer}; }; f`
}

function variables({ username, password }: Credential, i: number): Record<string, string> {
  return { [`WRIT_GIT_USER_${i}`]: username, [`WRIT_GIT_PASSWORD_${i}`]: password }
}

/**
 * Uses none of the user's ssh settings, keys or programs: the ssh agent signs, and only hosts in known_hosts are
 * accepted.
 */
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

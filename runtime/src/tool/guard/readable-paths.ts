/**
 * What a sandboxed command may read outside the workspace: programs and what they are built from, no personal files.
 * Everything not listed is closed.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, normalize } from 'node:path'
import { dependencyPath } from '../../base/package.ts'
import type { World } from '../tool.ts'
import { isWithin } from './paths.ts'

export interface ReadRules {
  /** Closed, except `allow`. */
  deny: string[]
  /** Open inside `deny`; a longer entry of `deny` closes part of it again. */
  allow: string[]
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

const LINUX = {
  closed: ['/'],
  open: [
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/opt',
    '/nix/store',
    '/nix/var/nix/profiles',
    '/gnu/store',
    '/snap',
    '/etc',
    '/home/linuxbrew/.linuxbrew',
    // Targets of links in /etc: certificates (SUSE), the active system (NixOS), the resolver.
    '/var/lib/ca-certificates',
    '/var/cache/fontconfig',
    '/run/current-system',
    '/run/systemd/resolve/resolv.conf',
    '/run/systemd/resolve/stub-resolv.conf',
  ],
}

/** The program that blocks Unix sockets runs inside the sandbox. */
const SANDBOX_PROGRAMS = dependencyPath('@anthropic-ai/sandbox-runtime', 'vendor')

/** System folders cannot be closed on macOS: no program starts without them. */
const DARWIN = {
  closed: [
    '/Users',
    '/Volumes',
    '/private/tmp',
    '/private/var/folders',
    '/private/var/root',
    '/cores',
    '/private/var/db/dslocal',
  ],
  open: [],
}

/** Readable by root only. */
const SYSTEM_SECRETS = words(`
  shadow shadow- gshadow gshadow- sudoers sudoers.d master.passwd security/opasswd ssl/private pki/tls/private
  pki/private wireguard NetworkManager/system-connections wpa_supplicant netplan openvpn ppp ipsec.secrets
  ipsec.d/private swanctl/private krb5.keytab letsencrypt docker kubernetes rancher mysql/debian.cnf
  postfix/sasl_passwd msmtprc restic borgmatic samba/private
`)

/** Programs and packages that users install for themselves, without the files that contain logins. */
const TOOLCHAINS = words(`
  bin .local/bin .local/lib .local/pipx .local/share/pipx/venvs .local/share/uv .local/share/fnm .local/share/mise
  .local/share/rtx .local/share/pnpm .local/share/virtualenvs .local/share/coursier .cargo/bin .cargo/registry
  .cargo/git .cargo/env .rustup .nvm .volta .fnm .nodenv .n .asdf .pyenv .rbenv .rvm .gem/ruby .jenv
  .sdkman/candidates .goenv go/bin go/pkg sdk .deno/bin .bun/bin .bun/install .npm/_cacache .npm-global
  .yarn/berry/cache .pnpm-store .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .gradle/jdks .ivy2/cache
  .sbt/boot .nuget/packages .dotnet .ghcup .stack/programs .stack/snapshots .cabal/packages .cabal/store .opam
  .elan .juliaup .julia/packages .julia/artifacts .pub-cache/hosted .pub-cache/bin .mix/archives .mix/elixir
  .hex/packages .swiftpm/cache .zvm miniconda3 miniforge3 mambaforge anaconda3 .conda/pkgs .conda/envs .cache/pip
  .cache/uv .cache/yarn .cache/pnpm .cache/node .cache/node-gyp .cache/deno .cache/go-build .cache/pypoetry/cache
  .cache/pypoetry/virtualenvs .cache/pre-commit .cache/ms-playwright .cache/puppeteer Library/Caches/Homebrew
  Library/Python Library/pnpm
`)

/** Also closed when the workspace is the home folder, which is otherwise open. */
const PRIVATE = words(`
  .ssh .aws .azure .gnupg .kube .docker .netrc .git-credentials .npmrc .yarnrc .yarnrc.yml .pypirc .pgpass .my.cnf
  .vault-token .terraformrc .terraform.d/credentials.tfrc.json .cargo/credentials .cargo/credentials.toml
  .gem/credentials .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet
  .composer/auth.json .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history
  .sqlite_history .lesshst .viminfo .config .mozilla .thunderbird .password-store .local/share/keyrings
  .local/share/kwalletd .local/share/fish .local/state .claude .codex .gemini .cursor .claude.json .oci .doctl .fly
  .heroku .minikube .s3cfg .boto .electrum .bitcoin .ethereum Library/Keychains Library/Cookies Library/Mail
  Library/Messages Library/Safari
`).concat(['Library/Application Support'])

export function readRules(world: World): ReadRules {
  const system = process.platform === 'darwin' ? DARWIN : LINUX
  const { HOME = '' } = world.env
  const home = isAbsolute(HOME) ? normalize(HOME).replace(/\/+$/, '') : undefined
  const own = home === undefined || home === '' ? [] : TOOLCHAINS.map((name) => join(home, name))
  const closedAtHome = home === undefined || home === '' ? [] : PRIVATE.map((name) => join(home, name))
  const secrets = [...SYSTEM_SECRETS.map((name) => join('/etc', name)), ...closedToOthers()]
  const programs = pathPrograms(world, home)
  const allow = [
    ...system.open,
    SANDBOX_PROGRAMS,
    ...own,
    ...programs,
    ...packagesAbove(world.workspace),
    ...(world.readablePaths ?? []).filter(isAbsolute),
    ...(world.readPaths ?? []),
    ...(world.writePaths ?? []),
  ]
  const there = [...new Set(allow)].filter((path) => existsSync(path))
  const opened = there.filter((path) => !there.some((outer) => outer !== path && isWithin(path, outer)))
  // Each entry is a mount; paths inside a closed folder need none.
  const inOpen = (path: string): boolean => [world.workspace, ...opened].some((outer) => isWithin(path, outer))
  const again = [...secrets, ...closedAtHome].filter((path) => inOpen(path) && existsSync(path))
  return { deny: [...new Set([...system.closed.filter((path) => existsSync(path)), ...again])], allow: opened }
}

/** Folders on the PATH, and the libraries next to them. */
function pathPrograms({ env, workspace }: World, home: string | undefined): string[] {
  const entries = (env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((entry) => normalize(entry).replace(/\/+$/, ''))
  const isTooWide = (path: string): boolean =>
    path === '' || isWithin(workspace, path) || (home !== undefined && isWithin(home, path))
  return entries.filter((entry) => !isTooWide(entry)).flatMap((entry) => [entry, ...beside(entry, isTooWide)])
}

function beside(entry: string, isTooWide: (path: string) => boolean): string[] {
  const prefix = dirname(entry)
  if (basename(entry) === '.bin') return basename(prefix) === 'node_modules' ? [prefix] : []
  if (basename(entry) !== 'bin' || isTooWide(prefix)) return []
  return ['lib', 'lib64', 'libexec', 'include'].map((name) => join(prefix, name))
}

/** Where Node looks for the packages of a workspace inside a larger project. */
function packagesAbove(workspace: string): string[] {
  const above = dirname(workspace)
  return above === workspace ? [] : [join(above, 'node_modules'), ...packagesAbove(above)]
}

let shut: string[] | undefined

/**
 * Root may read what other users may not, but a command that runs as root must not. Looked up once: files that are
 * restricted later are still covered by name.
 */
function closedToOthers(): string[] {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return []
  shut ??= closedBelow('/etc', 4)
  return shut
}

function closedBelow(folder: string, depth: number): string[] {
  return entriesOf(folder).flatMap(({ path, isFolder, isLink }) => {
    if (isLink) return []
    const needed = isFolder ? 0o005 : 0o004
    if ((modeOf(path) & needed) !== needed) return [path]
    return isFolder && depth > 0 ? closedBelow(path, depth - 1) : []
  })
}

function entriesOf(folder: string): { path: string; isFolder: boolean; isLink: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      path: join(folder, entry.name),
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
    }))
  } catch {
    return []
  }
}

function modeOf(path: string): number {
  try {
    return statSync(path).mode
  } catch {
    return 0
  }
}

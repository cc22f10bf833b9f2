/** Files that other programs run or follow as soon as a person opens, enters or publishes their folder. */
import { dirname, relative } from 'node:path'
import { why } from '../../i18n/why.ts'
import type { PathFact } from '../../protocol/facts.ts'
import type { RiskLevel } from '../../protocol/risk.ts'
import type { Why } from '../../protocol/why.ts'
import type { World } from '../tool.ts'
import { isWithin } from './paths.ts'
import { looksBare, namesIn } from './repository-locks.ts'

function words(text: string): string[] {
  return text.trim().toLowerCase().split(/\s+/)
}

/** In any folder. */
const FILES = new Set(
  words(`
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
  .kshrc .cshrc .tcshrc .login .inputrc config.fish .xinitrc .xprofile .xsessionrc .pam_environment
  .envrc .direnvrc .autoenv .autoenv.zsh .rtx.toml
  .gitconfig .gitmodules .pre-commit-config.yaml .pre-commit-config.yml .overcommit.yml .lessfilter
  .simple-git-hooks.json simple-git-hooks.json .simple-git-hooks.js .simple-git-hooks.cjs simple-git-hooks.js simple-git-hooks.cjs
  .mcp.json mcp.json agents.md agent.config.json skill.md claude.md claude.local.md gemini.md .cursorrules .windsurfrules .clinerules .roorules
  .aider.conf.yml opencode.json opencode.jsonc copilot-instructions.md
  .exrc .vimrc .nvimrc .nvim.lua .gvimrc .dir-locals.el .dir-locals-2.el .emacs devcontainer.json .devcontainer.json .gitpod.yml
  .npmrc .yarnrc .yarnrc.yml .bazelrc bunfig.toml .pypirc pip.conf .condarc .gemrc nuget.config
  .gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml .woodpecker.yml .woodpecker.yaml appveyor.yml .appveyor.yml
  azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml cloudbuild.yaml cloudbuild.yml .cirrus.yml
  .cirrus.star buildspec.yml buildspec.yaml .build.yml
  .netrc .curlrc .wgetrc .screenrc .tmux.conf .gdbinit .lldbinit .pythonrc .irbrc .pryrc .rprofile .psqlrc .sqliterc
  .my.cnf .ripgreprc .ssh/config authorized_keys sitecustomize.py usercustomize.py
`),
)
/** Including everything below them. */
const FOLDERS = words(`
  .vscode .idea .fleet .vs .zed .devcontainer .husky .githooks .claude .cursor .windsurf .codex .gemini .continue
  .roo .kiro .amazonq .opencode .mise .jj/repo .sl .github/workflows .github/actions .github/prompts .github/instructions
  .gitea/workflows .forgejo/workflows .circleci .buildkite .woodpecker .cargo .bundle .mvn .ssh .config/fish
  .config/autostart .config/systemd .gradle/init.d .config/mise .lefthook .hg/hgrc .yarn/releases .yarn/plugins
  gradle/wrapper .semaphore .teamcity .builds .tekton
`)
/** Names with endings of several kinds. */
const FORMS =
  /^(\.?lefthook(-local)?\.(ya?ml|toml|json)|\.?mise(\.[\w-]+)*\.toml|\.pnpmfile\.\w+|jenkinsfile(\.[\w.-]+)?)$/
const ENDINGS = ['.code-workspace', '.sublime-project', '.desktop', '.service', '.pth']

/** In the home folder: all of the above, and the folders where the user's programs are found. */
export const AUTORUN_AT_HOME: readonly string[] = [
  ...FILES,
  ...FOLDERS,
  ...words('bin .local/bin .local/lib .local/share/applications .local/share/systemd .xsession .pythonstartup'),
]

/**
 * True when writing these files decides what another program does. Such a call always needs approval. The files of one
 * call count together: git obeys the settings in any folder that has the names of a repository.
 */
/** High needs approval every time; no earlier approval covers it. */
export function riskOfWriting(facts: readonly PathFact[], world: World): { risk: RiskLevel; riskWhy?: Why } {
  return writesAutorun(facts, world) ? { risk: 'High', riskWhy: why('writesAutorun') } : { risk: 'Medium' }
}

export function writesAutorun(facts: readonly PathFact[], world: World): boolean {
  const written = facts.filter(({ access }) => access === 'write')
  return written.some((fact) => isAutorunFile(fact, world)) || makesRepository(written, world)
}

function isAutorunFile({ path, real }: PathFact, { workspace }: World): boolean {
  return [path, relative(workspace, real)].some((written) => isNamed(written.toLowerCase().replaceAll('\\', '/')))
}

/** Whether a folder with one of these files is a repository once all of them are written. */
function makesRepository(facts: readonly PathFact[], { workspace, writePaths = [] }: World): boolean {
  const added = new Map<string, Set<string>>()
  for (const { real } of facts) {
    const root = [workspace, ...writePaths].find((folder) => isWithin(real, folder))
    for (let path = real; root !== undefined && path !== root; path = dirname(path)) {
      const names = added.get(dirname(path)) ?? new Set()
      added.set(dirname(path), names.add(path.slice(dirname(path).length).replace('/', '')))
    }
  }
  return [...added].some(([folder, names]) => looksBare(new Set([...namesIn(folder), ...names])))
}

function isAbove(folders: string, inner: string): boolean {
  const [top = '', ...rest] = inner.split('/')
  return rest.length > 0 && top.startsWith('.') && folders.endsWith(`/${top}/`)
}

/** True for the name of such a file or folder, anywhere below the workspace. */
export function isNamed(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const name = parts.at(-1) ?? ''
  if (FILES.has(name) || FORMS.test(name) || ENDINGS.some((ending) => name.endsWith(ending))) return true
  const folders = `/${parts.join('/')}/`
  // A folder moved to `.github` brings its workflows with it.
  return FOLDERS.some((folder) => folders.includes(`/${folder}/`) || isAbove(folders, folder))
}

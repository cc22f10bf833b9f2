/** Errors of paths, the sandbox and git. */
import { entry } from './entry.ts'

/** The path an error is about. */
export interface PathAt {
  path: string
}

const OWN_GIT = 'Work in a folder that has its own .git, named with -C.'
const OWN_GIT_ZH = '请在有自己的 .git 的目录中操作，并用 -C 指定。'

const noGit = (why: string): readonly [string, string] => [`git may not work here: ${why}`, OWN_GIT]
const noGitZh = (why: string): readonly [string, string] => [`git 不能在此工作：${why}`, OWN_GIT_ZH]

const SHELL_HINT = 'Use the shell tool for this command.'
const SHELL_HINT_ZH = '请用 shell 工具执行此命令。'
const SETTING_HINT = 'Remove the setting, or use the shell tool.'
const SETTING_HINT_ZH = '请删除该设置，或使用 shell 工具。'

export const GUARD_ERRORS = {
  PATH_OUTSIDE_WORKSPACE: entry<PathAt>({
    en: ({ path }) => [`${path} leads outside the workspace`, 'Use a path inside the workspace.'],
    zh: ({ path }) => [`${path} 指向工作区之外`, '请使用工作区内的路径。'],
  }),
  PATH_PROTECTED: entry<PathAt>({
    en: ({ path }) => [`${path} is protected and cannot be written`, 'Write to another path.'],
    zh: ({ path }) => [`${path} 受保护，不能写入`, '请写到其他路径。'],
  }),
  'PATH_PROTECTED.planted': entry<{ files: readonly string[] }>({
    en: ({ files }) => [
      `a program of the repository created ${files.join(', ')}; moved aside`,
      'Check the hooks and settings of the repository.',
    ],
    zh: ({ files }) => [`仓库中的程序创建了 ${files.join('、')}，已移开`, '请检查该仓库的钩子和设置。'],
  }),
  'PATH_PROTECTED.leftover': entry<{ files: readonly string[]; note: string }>({
    en: ({ files, note }) => [
      `${files.join(', ')} was created while a command ran, and cannot be moved aside`,
      `Move it away; if you created it yourself, delete ${note}.`,
    ],
    zh: ({ files, note }) => [
      `${files.join('、')} 是在命令运行期间创建的，且无法移开`,
      `请把它移走；若是你自己创建的，请删除 ${note}。`,
    ],
  }),
  PATH_BLOCKED: entry<PathAt>({
    en: ({ path }) => [`${path} is blocked`, 'agent.security.blockedPaths lists it. Use another file.'],
    zh: ({ path }) => [`${path} 已被屏蔽`, '它列在 agent.security.blockedPaths 中。请使用其他文件。'],
  }),
  'PATH_BLOCKED.tracked': entry<{ path?: string | undefined }>({
    en: ({ path = 'a blocked file' }) => [
      `${path} is tracked by git and blocked, and the hooks or filters of this repository must not read it`,
      'Stage files with hooks and filters switched off, or remove the file from blockedPaths.',
    ],
    zh: ({ path = '某个被屏蔽的文件' }) => [
      `${path} 受 git 跟踪且已被屏蔽，而此仓库的钩子或过滤器不得读取它`,
      '请在关闭钩子和过滤器后暂存文件，或把该文件从 blockedPaths 中去掉。',
    ],
  }),
  'PATH_BLOCKED.unnamed': entry<{ object: string }>({
    en: ({ object }) => [
      `${object} is the content of a file or folder, and it is unknown which one`,
      'Name the file, as in HEAD:src/main.ts.',
    ],
    zh: ({ object }) => [`${object} 是某个文件或目录的内容，但无法确定是哪一个`, '请写明文件，例如 HEAD:src/main.ts。'],
  }),
  'PATH_BLOCKED.tooMany': entry<{ most: number }>({
    en: ({ most }) => [
      `more than ${most} words that may name a git object`,
      'Put -- before paths, or request less at a time.',
    ],
    zh: ({ most }) => [`可能指向 git 对象的词超过 ${most} 个`, '请在路径前加 --，或一次少请求一些。'],
  }),
  'PATH_BLOCKED.lineRange': entry<{ subcommand: string }>({
    en: ({ subcommand }) => [
      `git ${subcommand} -L cannot leave out the blocked files of this repository`,
      'Use git log -p -- with the path.',
    ],
    zh: ({ subcommand }) => [`git ${subcommand} -L 无法排除此仓库中被屏蔽的文件`, '请使用 git log -p -- 加路径。'],
  }),
  'PATH_BLOCKED.stashSave': entry({
    en: () => ['git stash save cannot leave out blocked files', 'Use git stash push, with -m for the message.'],
    zh: () => ['git stash save 无法排除被屏蔽的文件', '请使用 git stash push，并用 -m 填写说明。'],
  }),
  PATH_CHANGED: entry<PathAt>({
    retryable: true,
    en: ({ path }) => [`${path} changed while it was being opened`, 'Try again.'],
    zh: ({ path }) => [`${path} 在打开期间发生了变化`, '请重试。'],
  }),
  PROTECTED_CHANGED: entry<{ files: readonly string[]; asides: readonly string[]; stuck: readonly string[] }>({
    en: ({ files, asides, stuck }) => [
      `the agent's own files were changed, and ${
        stuck.length === 0 ? 'were restored' : `not all could be restored (${stuck.join(', ')})`
      }: ${files.join(', ')}${asides.length === 0 ? '' : `; the written content is in ${asides.join(', ')}`}`,
      'Check what was written before you start another run. A sandbox would have prevented it: run `writ doctor`.',
    ],
    zh: ({ files, asides, stuck }) => [
      `智能体自身的文件被改动，${
        stuck.length === 0 ? '已恢复' : `未能全部恢复（${stuck.join('、')}）`
      }：${files.join('、')}${asides.length === 0 ? '' : `；写入的内容保存在 ${asides.join('、')}`}`,
      '请先查看写入了什么，再开始新的运行。有沙箱就能防止这种情况：请运行 `writ doctor`。',
    ],
  }),

  SANDBOX_REQUIRED: entry<{ why: string }>({
    en: ({ why }) => [
      `the sandbox is required but does not work: ${why}`,
      'Run `writ doctor`. On Debian: apt install bubblewrap socat ripgrep. Or set agent.security.sandbox to "auto".',
    ],
    zh: ({ why }) => [
      `必须使用沙箱，但沙箱无法工作：${why}`,
      '请运行 `writ doctor`。Debian 上：apt install bubblewrap socat ripgrep。或把 agent.security.sandbox 设为 "auto"。',
    ],
  }),
  'SANDBOX_REQUIRED.localPush': entry({
    en: () => ['the hooks of the repository that receives the push would run without a sandbox', SHELL_HINT],
    zh: () => ['接收推送的仓库的钩子会在没有沙箱的情况下运行', SHELL_HINT_ZH],
  }),
  'SANDBOX_REQUIRED.unsafePaths': entry({
    en: () => ['--unsafe-paths may write anywhere, and there is no sandbox', 'Leave out --unsafe-paths.'],
    zh: () => ['--unsafe-paths 可能写到任何位置，而这里没有沙箱', '请去掉 --unsafe-paths。'],
  }),
  'SANDBOX_REQUIRED.setting': entry<{ setting: string }>({
    en: ({ setting }) => [
      `the setting ${setting} of this repository starts a program, and there is no sandbox to run it in`,
      SETTING_HINT,
    ],
    zh: ({ setting }) => [`此仓库的设置 ${setting} 会启动程序，而这里没有可用的沙箱`, SETTING_HINT_ZH],
  }),
  'SANDBOX_REQUIRED.unknownSetting': entry<{ setting: string }>({
    en: ({ setting }) => [
      `the setting ${setting} of this repository may start a program, and there is no sandbox to run it in`,
      SETTING_HINT,
    ],
    zh: ({ setting }) => [`此仓库的设置 ${setting} 可能启动程序，而这里没有可用的沙箱`, SETTING_HINT_ZH],
  }),
  'SANDBOX_REQUIRED.hooks': entry<{ hooks: readonly string[] }>({
    en: ({ hooks }) => [
      `this repository has hooks (${hooks.join(', ')}), and there is no sandbox to run them in`,
      SHELL_HINT,
    ],
    zh: ({ hooks }) => [`此仓库有钩子（${hooks.join('、')}），而这里没有可用的沙箱`, SHELL_HINT_ZH],
  }),
  'SANDBOX_FULL.blocked': entry<{ count: number; most: number }>({
    en: ({ count, most }) => [
      `the workspace and the folders opened with it have ${count} blocked files; the sandbox can hide at most ${most}`,
      'Start in a smaller folder, open smaller ones, or list the folders of these files in `blockedPaths`.',
    ],
    zh: ({ count, most }) => [
      `工作区及一并开放的目录中有 ${count} 个被屏蔽的文件，沙箱最多能隐藏 ${most} 个`,
      '请在更小的目录中启动，开放更小的目录，或在 `blockedPaths` 中列出这些文件所在的目录。',
    ],
  }),
  'SANDBOX_FULL.unsearchable': entry<{ most: number }>({
    en: ({ most }) => [
      `the workspace and the folders opened with it have more than ${most} files, or a folder whose name is not UTF-8: blocked files in them cannot be found`,
      'Start in a smaller folder, open smaller ones, or rename that folder.',
    ],
    zh: ({ most }) => [
      `工作区及一并开放的目录中文件超过 ${most} 个，或有名称不是 UTF-8 的目录，无法找出其中被屏蔽的文件`,
      '请在更小的目录中启动，开放更小的目录，或给该目录改名。',
    ],
  }),
  'SANDBOX_FULL.folders': entry<{ most: number }>({
    en: ({ most }) => [`the workspace has more than ${most} folders`, 'Start in a smaller folder.'],
    zh: ({ most }) => [`工作区的目录超过 ${most} 个`, '请在更小的目录中启动。'],
  }),
  'SANDBOX_FULL.name': entry<{ folder: string }>({
    en: ({ folder }) => [
      `${folder} contains a folder whose name is not UTF-8`,
      'Rename it: Writ cannot read what is in it.',
    ],
    zh: ({ folder }) => [`${folder} 中有名称不是 UTF-8 的目录`, '请给它改名：Writ 无法读取其中的内容。'],
  }),
  'SANDBOX_FULL.ownFiles': entry<{ most: number }>({
    en: ({ most }) => [
      `the agent's own folders have more than ${most} files`,
      'Without a sandbox all of them are checked for every command. Install bubblewrap, or keep fewer files in `.agents`, `.claude` and `.writ`.',
    ],
    zh: ({ most }) => [
      `智能体自身的目录中文件超过 ${most} 个`,
      '没有沙箱时，每个命令都要检查全部文件。请安装 bubblewrap，或减少 `.agents`、`.claude` 和 `.writ` 中的文件。',
    ],
  }),
  'SANDBOX_FULL.kernel': entry({
    en: () => ['the sandbox cannot make the kernel settings read-only', 'This is a defect in Writ; please report it.'],
    zh: () => ['沙箱无法把内核设置设为只读', '这是 Writ 的缺陷，请报告。'],
  }),
  'SANDBOX_FULL.connection': entry({
    en: () => ['the sandbox cannot open a connection for this call', 'This is a defect in Writ; please report it.'],
    zh: () => ['沙箱无法为此调用打开连接', '这是 Writ 的缺陷，请报告。'],
  }),
  'SANDBOX_FULL.foreign': entry<{ folder: string }>({
    en: ({ folder }) => [`${folder} belongs to another user`, 'Remove it, or set TMPDIR.'],
    zh: ({ folder }) => [`${folder} 属于其他用户`, '请删除它，或设置 TMPDIR。'],
  }),

  'GIT_CONFIG.line': entry<{ file: string; line: number }>({
    en: ({ file, line }) => [`line ${line} of ${file} is not a setting that git can read`, 'Correct the file by hand.'],
    zh: ({ file, line }) => [`${file} 第 ${line} 行不是 git 能读取的设置`, '请手动更正该文件。'],
  }),
  'GIT_CONFIG.includes': entry<PathAt>({
    en: ({ path }) => [`the settings in ${path} include too many files`, 'Correct its include.path settings by hand.'],
    zh: ({ path }) => [`${path} 中的设置包含的文件层数过多`, '请手动更正其中的 include.path 设置。'],
  }),
  'GIT_CONFIG.file': entry<PathAt>({
    en: ({ path }) => [`${path} is not a small regular file`, 'Check the repository by hand.'],
    zh: ({ path }) => [`${path} 不是小的普通文件`, '请手动检查该仓库。'],
  }),
  'GIT_NETWORK.sandbox': entry({
    en: () => ['git has no network in this sandbox', 'Fetch and push by hand.'],
    zh: () => ['git 在此沙箱中没有网络', '请手动拉取和推送。'],
  }),
  'GIT_NETWORK.program': entry<{ setting: string }>({
    en: ({ setting }) => [
      `the setting ${setting} of this repository may start a program, which must not run with network access`,
      'Remove the setting, or use git by hand.',
    ],
    zh: ({ setting }) => [
      `此仓库的设置 ${setting} 可能启动程序，而该程序不得在有网络时运行`,
      '请删除该设置，或手动使用 git。',
    ],
  }),
  'GIT_REPOSITORY.bareOption': entry({
    en: () => noGit('--bare takes any folder as a repository'),
    zh: () => noGitZh('--bare 会把任何目录当作仓库'),
  }),
  'GIT_REPOSITORY.gitDir': entry<{ folder: string }>({
    en: ({ folder }) => noGit(`--git-dir names ${folder}, which is not the repository of that folder`),
    zh: ({ folder }) => noGitZh(`--git-dir 指定了 ${folder}，它不是该目录的仓库`),
  }),
  'GIT_REPOSITORY.worktree': entry<{ gitDir: string; worktree: string }>({
    en: ({ gitDir, worktree }) => noGit(`core.worktree of ${gitDir} points to ${worktree}`),
    zh: ({ gitDir, worktree }) => noGitZh(`${gitDir} 的 core.worktree 指向 ${worktree}`),
  }),
  'GIT_REPOSITORY.link': entry<PathAt>({
    en: ({ path }) => noGit(`${path} is a symbolic link`),
    zh: ({ path }) => noGitZh(`${path} 是符号链接`),
  }),
  'GIT_REPOSITORY.bare': entry<PathAt>({
    en: ({ path }) => noGit(`${path} is a bare repository, or made to look like one`),
    zh: ({ path }) => noGitZh(`${path} 是裸仓库，或被伪装成裸仓库`),
  }),
  'GIT_REPOSITORY.missing': entry<PathAt>({
    en: ({ path }) => noGit(`${path} does not point to a repository`),
    zh: ({ path }) => noGitZh(`${path} 没有指向任何仓库`),
  }),
  'GIT_REPOSITORY.unclaimed': entry<{ gitDir: string }>({
    en: ({ gitDir }) => noGit(`${gitDir} does not know this working tree`),
    zh: ({ gitDir }) => noGitZh(`${gitDir} 不认识此工作树`),
  }),
  'GIT_REPOSITORY.other': entry<{ path: string; target: string }>({
    en: ({ path, target }) => noGit(`${path} points to ${target}, another repository`),
    zh: ({ path, target }) => noGitZh(`${path} 指向另一个仓库 ${target}`),
  }),
}

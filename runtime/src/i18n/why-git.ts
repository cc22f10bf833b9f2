/** What git commands would do, and why that is not fully known. */
import { reason } from './why-entry.ts'

type Command = { subcommand: string }

export const GIT_REASONS = {
  gitConfigProgram: reason(
    () => 'git -c can name a program to run',
    () => 'git -c 可以指定要运行的程序',
  ),
  gitExecPath: reason(
    () => 'git --exec-path names other programs',
    () => 'git --exec-path 会改用其他程序',
  ),
  gitPublishes: reason<Command>(
    ({ subcommand }) => `git ${subcommand} publishes: others can see it`,
    ({ subcommand }) => `git ${subcommand} 会发布内容，其他人可以看到`,
  ),
  gitLosesWork: reason<Command>(
    ({ subcommand }) => `git ${subcommand} can destroy work: uncommitted changes, or commits without another reference`,
    ({ subcommand }) => `git ${subcommand} 可能毁掉工作成果：未提交的改动，或没有其他引用的提交`,
  ),
  gitRunsPrograms: reason<Command>(
    ({ subcommand }) => `git ${subcommand} runs programs that its arguments or settings name`,
    ({ subcommand }) => `git ${subcommand} 会运行其参数或设置指定的程序`,
  ),
  gitAlias: reason<Command>(
    ({ subcommand }) => `git ${subcommand} is an alias or an extension; it is unknown what it runs`,
    ({ subcommand }) => `git ${subcommand} 是别名或扩展，不清楚它会运行什么`,
  ),
  gitRare: reason<Command>(
    ({ subcommand }) => `git ${subcommand} is a rarely used command`,
    ({ subcommand }) => `git ${subcommand} 是很少使用的命令`,
  ),
  gitSendsName: reason<Command>(
    ({ subcommand }) => `git ${subcommand} sends a name to the remote that is not known as a branch there`,
    ({ subcommand }) => `git ${subcommand} 会向远程仓库发送一个名称，而那里没有已知的同名分支`,
  ),
  gitMatchesMany: reason<Command>(
    ({ subcommand }) => `git ${subcommand} matches too many files to check`,
    ({ subcommand }) => `git ${subcommand} 匹配的文件过多，无法逐一检查`,
  ),
  gitPrints: reason<Command>(
    ({ subcommand }) => `git ${subcommand} prints file contents, including closed files`,
    ({ subcommand }) => `git ${subcommand} 会打印文件内容，包括禁止读取的文件`,
  ),
  checkoutLoses: reason(
    () => 'git checkout can destroy uncommitted changes',
    () => 'git checkout 可能毁掉未提交的改动',
  ),
  settingStarts: reason<{ key: string }>(
    ({ key }) => `${key} of this repository may start a program`,
    ({ key }) => `此仓库的设置 ${key} 可能启动程序`,
  ),
  hookStarts: reason<{ hook: string }>(
    ({ hook }) => `the hook ${hook} of this repository may start a program`,
    ({ hook }) => `此仓库的钩子 ${hook} 可能启动程序`,
  ),
  objectLater: reason(
    () => 'the file behind an object is only known when git cat-file runs',
    () => 'git cat-file 的对象对应哪个文件，运行时才能确定',
  ),
  literalPathspecs: reason(
    () => 'with --literal-pathspecs closed files cannot be excluded',
    () => '使用 --literal-pathspecs 时无法排除禁止读取的文件',
  ),
  patchFiles: reason(
    () => 'the files that the patch reads and writes are only known when it is applied',
    () => '补丁读写哪些文件，应用时才能确定',
  ),
  legacyRemote: reason<{ name: string }>(
    ({ name }) => `remote ${name} uses a legacy format`,
    ({ name }) => `远程仓库 ${name} 使用旧格式`,
  ),
  usesCredential: reason<{ host: string }>(
    ({ host }) => `it uses your credential for ${host}`,
    ({ host }) => `会使用你在 ${host} 的凭据`,
  ),
  usesSshKeys: reason<{ host: string }>(
    ({ host }) => `it uses your SSH keys at ${host}`,
    ({ host }) => `会在 ${host} 使用你的 SSH 密钥`,
  ),
}

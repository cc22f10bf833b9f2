/** Git as a program: asks nobody, and stays in the workspace. */
import { dirname } from 'node:path'
import type { World } from '../tool.ts'
import { splitGit } from './git-args.ts'
import { type ProcessEnd, runProcess, scrubEnv } from './process.ts'

export type Git = (args: readonly string[]) => Promise<ProcessEnd>

/** Never waits for a person: no editor, no pager, no password prompt. */
const QUIET = {
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_OPTIONAL_LOCKS: '0',
}
/** Settings of a repository that would print what files hold where nobody asked for it. */
const SILENT = ['commit.verbose=false', 'stash.showPatch=false', 'diff.submodule=short']
const LOOK_MS = 3_000

export function runGit(
  args: readonly string[],
  { world, timeoutMs, signal }: { world: World; timeoutMs: number; signal: AbortSignal },
): Promise<ProcessEnd> {
  // `git config` would show them as if they were the repository's.
  const settings = splitGit(args).subcommand === 'config' ? [] : SILENT.flatMap((setting) => ['-c', setting])
  return runProcess({
    file: 'git',
    args: ['--no-pager', ...settings, ...args],
    cwd: world.workspace,
    // A repository around the workspace would let git change files outside of it.
    env: { ...scrubEnv(world.env), ...QUIET, GIT_CEILING_DIRECTORIES: dirname(world.workspace) },
    timeoutMs,
    signal,
  })
}

/** A git for looking things up before a call; no program that the repository names for watching files is started. */
export function lookingGit(
  globals: readonly string[],
  world: World,
  signal: AbortSignal = new AbortController().signal,
): Git {
  return (args) => runGit(['-c', 'core.fsmonitor=false', ...globals, ...args], { world, timeoutMs: LOOK_MS, signal })
}

/** Whether the repository holds such files or ever did, in what the revisions reach too; true when nobody can tell. */
export async function wereTracked(
  pathspecs: readonly string[],
  git: Git,
  revisions: readonly string[] = [],
): Promise<boolean> {
  // Without the full history, a branch that was merged after it had dropped such a file would not be looked at.
  const walk = ['rev-list', '--all', '--reflog', '--full-history', '--max-count=1', ...revisions]
  const ends = await Promise.all([git(['ls-files', '--', ...pathspecs]), git([...walk, '--', ...pathspecs])])
  return ends.some((end) => end.cut !== undefined || (end.exitCode === 0 && end.output !== ''))
}

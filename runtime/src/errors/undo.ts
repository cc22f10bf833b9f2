/** Errors of undo. */
import { entry } from './entry.ts'

export const UNDO_ERRORS = {
  'UNDO_UNAVAILABLE.noGit': entry({
    exit: 1,
    status: 409,
    en: () => ['undo needs git, which is not installed', 'Install git; later runs can then be undone.'],
    zh: () => ['撤销需要 git，但尚未安装', '请安装 git；此后的运行即可撤销。'],
  }),
  'UNDO_UNAVAILABLE.off': entry({
    exit: 1,
    status: 409,
    en: () => ['nothing is recorded for undo here', 'Set agent.undo.enabled, and use a data folder.'],
    zh: () => ['此处没有为撤销做记录', '请启用 agent.undo.enabled，并使用数据目录。'],
  }),
  'UNDO_UNAVAILABLE.notOwn': entry<{ folder: string }>({
    exit: 1,
    status: 409,
    private: true,
    en: ({ folder }) => [`${folder} is accessible to other users`, 'Delete it; Writ creates it again.'],
    zh: ({ folder }) => [`${folder} 可被其他用户访问`, '请删除它；Writ 会重新创建。'],
  }),
  'UNDO_UNAVAILABLE.changed': entry<{ folder: string }>({
    exit: 1,
    status: 409,
    private: true,
    en: ({ folder }) => [`the settings in ${folder} are not Writ's`, 'Delete the folder; Writ creates it again.'],
    zh: ({ folder }) => [`${folder} 中的设置不是 Writ 写入的`, '请删除该文件夹；Writ 会重新创建。'],
  }),
  UNDO_NOTHING: entry({
    exit: 1,
    status: 404,
    en: () => ['there are no recorded changes to undo', 'List the latest runs with: writ trace'],
    zh: () => ['没有可撤销的记录', '用 writ trace 列出最近的运行。'],
  }),
  'UNDO_NOTHING.run': entry<{ run: string }>({
    exit: 1,
    status: 409,
    en: ({ run }) => [
      `run ${run} has no recorded changes`,
      'Only turns that may change files are recorded; workflows, decisions and scouts are not.',
    ],
    zh: ({ run }) => [`运行 ${run} 没有已记录的改动`, '只记录可能改动文件的对话轮次；工作流、决策和侦察不记录。'],
  }),
  'UNDO_NOTHING.tooLarge': entry<{ run: string }>({
    exit: 1,
    status: 409,
    en: ({ run }) => [`run ${run} was not recorded: the workspace was too large`, 'Raise agent.undo.maxBytes.'],
    zh: ({ run }) => [`运行 ${run} 没有记录：工作区过大`, '请提高 agent.undo.maxBytes。'],
  }),
  'UNDO_NOTHING.failed': entry<{ run: string; why: string }>({
    exit: 1,
    status: 409,
    private: true,
    en: ({ run, why }) => [`run ${run} could not be recorded: ${why}`, 'Restore its files from your own repository.'],
    zh: ({ run, why }) => [`运行 ${run} 未能记录：${why}`, '请用你自己的代码仓库恢复文件。'],
  }),
  UNDO_GONE: entry({
    exit: 1,
    status: 409,
    en: () => [
      'the recording of this run is not on this machine, or was removed as too old',
      'Undo it on the machine where it ran; the latest 100 recordings are kept.',
    ],
    zh: () => ['本机没有这次运行的记录，或因过旧已删除', '请在运行所在的机器上撤销；最多保留最近 100 条记录。'],
  }),
  UNDO_DAMAGED: entry({
    exit: 1,
    status: 409,
    en: () => ['the recording of this run was changed', 'Nothing was restored. Use your own repository or backup.'],
    zh: () => ['这次运行的记录已被改动', '没有恢复任何文件。请使用你自己的代码仓库或备份。'],
  }),
  UNDO_CHANGED: entry({
    exit: 1,
    status: 409,
    en: () => ['it was changed while the undo ran, and was left as it is', 'Look at it, then undo again.'],
    zh: () => ['撤销过程中它被改动，已保持原样', '请查看后再次撤销。'],
  }),
  UNDO_UNCONFIRMED: entry({
    exit: 2,
    en: () => [
      'undo needs a confirmation, but there is no terminal to ask in',
      'Add --yes, or --dry-run to only look.',
    ],
    zh: () => ['撤销需要确认，但没有可以提问的终端', '请加 --yes，或加 --dry-run 只查看。'],
  }),
  UNDO_GIT_FAILED: entry<{ command: string; why: string }>({
    exit: 1,
    status: 500,
    private: true,
    en: ({ command, why }) => [`git ${command} failed: ${why}`, 'Check the disk space and the files of the workspace.'],
    zh: ({ command, why }) => [`git ${command} 失败：${why}`, '请检查磁盘空间和工作区的文件。'],
  }),
}

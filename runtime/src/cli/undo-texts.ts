/** Texts of `writ undo` and `/undo`. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  title: (p: { run: string; task: string }) => `Undo run ${p.run}: ${p.task}`,
  nothing: 'Its files are as they were before.',
  killed: 'The run was killed. What changed up to ten seconds later counts as its own, also if it was you.',
  late: 'may be yours: changed after its last recorded step',
  passedOver: (p: { run: string; task: string; files: number }) =>
    `Run ${p.run} (${p.task}): nothing can be restored, ${p.files === 1 ? 'its file was' : `its ${p.files} files were`} changed since. To see which: writ undo ${p.run}`,
  change: { modified: 'restore', deleted: 'bring back', created: 'delete' },
  conflicts: 'Left as they are:',
  why: { changed: 'changed after the run', shared: 'another run or an undo worked at the same time' },
  unrestored: 'Not recorded, so not restored:',
  skipped: {
    ignored: 'ignored by git',
    large: 'too large',
    nested: 'another repository',
    closed: 'closed to tools',
    special: 'cannot be recorded',
  },
  unsure: 'may have changed',
  outside: 'Outside the workspace, not restored:',
  remote: 'Effects elsewhere, not undone:',
  git: 'Your repository is not touched; commits and branches are kept:',
  ask: 'Restore these files? [y/N] ',
  dryRun: 'Nothing was changed (--dry-run).',
  declined: 'Nothing was changed.',
  done: (p: { files: number }) => `Undone: ${p.files} ${p.files === 1 ? 'change' : 'changes'}.`,
  back: (p: { folder: string; tree: string }) =>
    `To see a file as it was just before: git --git-dir=${p.folder} show ${p.tree}:FILE`,
  failed: (p: { path: string; why: string }) => `not restored: ${p.path}: ${p.why}`,
  traced: (p: { files: number; by: string }) => `undone by ${p.by}: ${p.files} ${p.files === 1 ? 'change' : 'changes'}`,
  more: (p: { n: number }) => `… and ${p.n} more`,
}

export type UndoTexts = typeof en

const zh: UndoTexts = {
  title: ({ run, task }) => `撤销运行 ${run}：${task}`,
  nothing: '它的文件与运行之前相同。',
  killed: '该运行被强制终止。之后最多十秒内的改动都算作它的，即使是你做的。',
  late: '可能是你的：在其最后记录的步骤之后改动',
  passedOver: ({ run, task, files }) =>
    `运行 ${run}（${task}）：没有可以恢复的内容，它的 ${files} 个文件之后都有改动。查看是哪些：writ undo ${run}`,
  change: { modified: '恢复', deleted: '找回', created: '删除' },
  conflicts: '保持不变：',
  why: { changed: '运行之后又有改动', shared: '另一次运行或撤销同时在工作' },
  unrestored: '没有记录，因此不恢复：',
  skipped: {
    ignored: '被 git 忽略',
    large: '过大',
    nested: '另一个代码仓库',
    closed: '不向工具开放',
    special: '无法记录',
  },
  unsure: '可能有改动',
  outside: '在工作区之外，不恢复：',
  remote: '对外部的影响，不撤销：',
  git: '不会触碰你的代码仓库；提交和分支保留：',
  ask: '恢复这些文件吗？[y/N] ',
  dryRun: '没有任何改动（--dry-run）。',
  declined: '没有任何改动。',
  done: ({ files }) => `已撤销 ${files} 处改动。`,
  back: ({ folder, tree }) => `查看某个文件在撤销之前的内容：git --git-dir=${folder} show ${tree}:FILE`,
  failed: ({ path, why }) => `未恢复：${path}：${why}`,
  traced: ({ files, by }) => `已由 ${by} 撤销：${files} 处改动`,
  more: ({ n }) => `……另有 ${n} 项`,
}

export function undoTexts(lang: Lang): UndoTexts {
  return lang === 'zh' ? zh : en
}

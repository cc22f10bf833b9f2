/** Errors of file_edit and apply_patch. */
import { entry } from './entry.ts'

/** A file that could not be edited. */
export interface EditedPath {
  path: string
}

/** A line of a patch that cannot be read. */
export interface PatchLine {
  /** Of the patch, counted from 1. */
  line: number
}

/** A part of a patch that does not fit its file. */
export interface FailedHunk extends EditedPath {
  /** Counted from 1. */
  hunk: number
  /** Of the file, as the hunk states it. */
  line: number
  nearest: string
}

const NEAREST_EN = (nearest: string, otherwise: string) =>
  nearest === '' ? otherwise : `Copy the text exactly. Nearest lines:\n${nearest}`
const NEAREST_ZH = (nearest: string, otherwise: string) =>
  nearest === '' ? otherwise : `请逐字照抄。最接近的行：\n${nearest}`

export const EDIT_ERRORS = {
  EDIT_NOT_FOUND: entry<EditedPath & { nearest: string }>({
    en: ({ path, nearest }) => [`${path} does not contain the old text`, NEAREST_EN(nearest, 'Read the file again.')],
    zh: ({ path, nearest }) => [`${path} 中没有 old 的文本`, NEAREST_ZH(nearest, '请重新读取该文件。')],
  }),
  EDIT_AMBIGUOUS: entry<EditedPath & { count: number; lines: readonly number[] }>({
    en: ({ path, count, lines }) => [
      `${path} contains the old text ${count} times (lines ${lines.join(', ')}${lines.length < count ? ', …' : ''})`,
      'Add surrounding lines to old, or set all to true.',
    ],
    zh: ({ path, count, lines }) => [
      `old 的文本在 ${path} 中出现 ${count} 次（第 ${lines.join('、')}${lines.length < count ? '…' : ''} 行）`,
      '请在 old 中加上前后的行，或将 all 设为 true。',
    ],
  }),
  EDIT_TOO_MANY: entry<EditedPath & { most: number }>({
    en: ({ path, most }) => [`${path} contains the old text more than ${most} times`, 'Edit it with a command.'],
    zh: ({ path, most }) => [`old 的文本在 ${path} 中出现超过 ${most} 次`, '请用命令编辑它。'],
  }),
  EDIT_WITHOUT_CHANGE: entry<EditedPath>({
    en: ({ path }) => [`the edit changes nothing in ${path}`, 'old and new must differ.'],
    zh: ({ path }) => [`此编辑没有改动 ${path}`, 'old 与 new 必须不同。'],
  }),
  FILE_MISSING: entry<EditedPath>({
    en: ({ path }) => [`${path} does not exist`, 'Check the path.'],
    zh: ({ path }) => [`${path} 不存在`, '请检查路径。'],
  }),
  FILE_NOT_TEXT: entry<EditedPath>({
    en: ({ path }) => [`${path} is a binary file or not UTF-8`, 'Only UTF-8 text can be edited.'],
    zh: ({ path }) => [`${path} 是二进制文件或不是 UTF-8`, '只能编辑 UTF-8 文本。'],
  }),
  FILE_TOO_LARGE: entry<EditedPath & { most: number }>({
    en: ({ path, most }) => [`${path} is larger than ${most} bytes`, 'Edit it with a command.'],
    zh: ({ path, most }) => [`${path} 超过 ${most} 字节`, '请用命令编辑它。'],
  }),
  FILE_CHANGED: entry<EditedPath>({
    retryable: true,
    en: ({ path }) => [`${path} changed after the call was checked; nothing was written`, 'Read it and try again.'],
    zh: ({ path }) => [`${path} 在检查调用之后发生了变化；没有写入任何内容`, '请重新读取后再试。'],
  }),
  PATCH_INVALID: entry<PatchLine & { text: string }>({
    en: ({ line, text }) => [
      `line ${line} of the patch does not fit a unified diff: ${text}`,
      'Write it as git diff does.',
    ],
    zh: ({ line, text }) => [`补丁第 ${line} 行不符合统一差异格式：${text}`, '请按 git diff 的格式书写。'],
  }),
  'PATCH_INVALID.empty': entry({
    en: () => ['the patch changes no file', 'Write it as git diff does, with ---, +++ and @@ lines.'],
    zh: () => ['补丁没有改动任何文件', '请按 git diff 的格式书写，包含 ---、+++ 和 @@ 行。'],
  }),
  'PATCH_INVALID.count': entry<PatchLine>({
    en: ({ line }) => [
      `the hunk at line ${line} of the patch has more or fewer lines than its @@ header says`,
      'Correct the numbers in the @@ header.',
    ],
    zh: ({ line }) => [`补丁第 ${line} 行的块与其 @@ 头中的行数不符`, '请更正 @@ 头中的数字。'],
  }),
  'PATCH_INVALID.name': entry<PatchLine>({
    en: ({ line }) => [
      `line ${line} of the patch does not name one file`,
      'Use the same path twice, as --- a/PATH and +++ b/PATH, or rename from and rename to.',
    ],
    zh: ({ line }) => [
      `补丁第 ${line} 行没有指明唯一的文件`,
      '请写两次相同的路径，即 --- a/PATH 和 +++ b/PATH，或使用 rename from 和 rename to。',
    ],
  }),
  'PATCH_INVALID.twice': entry<EditedPath>({
    en: ({ path }) => [`the patch changes ${path} twice`, 'Put all hunks of a file in one place.'],
    zh: ({ path }) => [`补丁两次改动 ${path}`, '请把同一文件的所有块放在一起。'],
  }),
  'PATCH_INVALID.unsupported': entry<PatchLine & { text: string }>({
    en: ({ line, text }) => [
      `line ${line} of the patch: ${text} is not supported`,
      'Only text, renames and the modes 100644 and 100755 are.',
    ],
    zh: ({ line, text }) => [`补丁第 ${line} 行：不支持 ${text}`, '只支持文本、重命名以及模式 100644 和 100755。'],
  }),
  'PATCH_INVALID.tooMany': entry<{ most: number }>({
    en: ({ most }) => [`the patch changes more than ${most} files`, 'Make several calls.'],
    zh: ({ most }) => [`补丁改动的文件超过 ${most} 个`, '请分多次调用。'],
  }),
  PATCH_FAILED: entry<FailedHunk>({
    en: ({ path, hunk, line, nearest }) => [
      `hunk ${hunk} does not fit ${path} at line ${line}; nothing was written`,
      NEAREST_EN(nearest, 'Read the file again.'),
    ],
    zh: ({ path, hunk, line, nearest }) => [
      `第 ${hunk} 块与 ${path} 第 ${line} 行不符；没有写入任何内容`,
      NEAREST_ZH(nearest, '请重新读取该文件。'),
    ],
  }),
  'PATCH_FAILED.exists': entry<EditedPath>({
    en: ({ path }) => [`the patch creates ${path}, which exists; nothing was written`, 'Change it instead.'],
    zh: ({ path }) => [`补丁要创建的 ${path} 已存在；没有写入任何内容`, '请改为修改它。'],
  }),
  'PATCH_FAILED.rest': entry<EditedPath>({
    en: ({ path }) => [
      `the patch deletes ${path}, but not all of its lines; nothing was written`,
      'Remove every line, or do not delete the file.',
    ],
    zh: ({ path }) => [`补丁要删除 ${path}，但没有包含其全部行；没有写入任何内容`, '请移除所有行，或不要删除该文件。'],
  }),
  'PATCH_FAILED.work': entry<EditedPath>({
    en: ({ path }) => [
      `the hunks of ${path} take too long to find; nothing was written`,
      'Correct their line numbers.',
    ],
    zh: ({ path }) => [`查找 ${path} 的块耗时过长；没有写入任何内容`, '请更正块的行号。'],
  }),
  'PATCH_FAILED.halfway': entry<{ paths: readonly string[]; why: string }>({
    exit: 1,
    en: ({ paths, why }) => [
      `the patch failed halfway (${why}), and could not be undone in ${paths.join(', ')}`,
      'Check these files.',
    ],
    zh: ({ paths, why }) => [`补丁中途失败（${why}），且无法撤销：${paths.join('、')}`, '请检查这些文件。'],
  }),
}

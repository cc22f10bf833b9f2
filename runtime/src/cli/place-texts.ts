/** What is said of folders, files and other things named on the command line that cannot be used. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  data: (p: { folder: string; why: string }) => `the data folder ${p.folder} cannot be used: ${p.why}`,
  dataHint: 'Choose another folder with --data or WRIT_DATA.',
  journal: (p: { folder: string; why: string }) => `the journal in ${p.folder} cannot be read: ${p.why}`,
  journalHint: 'Give this user access to it, or name another folder with --data or WRIT_DATA.',
  unwritable: (p: { file: string; why: string }) => `${p.file} cannot be written: ${p.why}`,
  unwritableHint: 'Name a file in a folder that is there and that you may write to.',
  ownUnwritableHint: 'Give this user write access there; XDG_CONFIG_HOME names another folder for your own settings.',
  hereUnwritableHint: 'Give this user write access there, or go to another folder.',
  unreadableHint: 'Check the name of the file, and that you may read it.',
  notText: 'Save it as UTF-8 text.',
  existsHint: 'Edit it, or move it away first.',
  oldKeysLeft: (p: { keys: readonly string[] }) =>
    `Left where they are, since they have no meaning in Writ: ${p.keys.join(', ')}.`,
  oldKeysHint: 'Remove them by hand; `writ config schema` lists what can be set.',
  scopesHint: 'Write them with commas between: --scopes read,run.',
  port: (p: { text: string }) => `--port is a number from 0 to 65535, not "${p.text}"`,
  databaseUnset: 'agent.store is "postgres", and WRIT_DATABASE_URL is not set',
  databaseUnsetHint: 'Set WRIT_DATABASE_URL to postgres://user@host/database, or agent.store to "sqlite".',
}

export type PlaceTexts = typeof en

const zh: PlaceTexts = {
  data: ({ folder, why }) => `数据文件夹 ${folder} 无法使用：${why}`,
  dataHint: '请用 --data 或 WRIT_DATA 另选文件夹。',
  journal: ({ folder, why }) => `${folder} 里的日志无法读取：${why}`,
  journalHint: '请给当前用户访问权限，或用 --data 或 WRIT_DATA 指明另一个文件夹。',
  unwritable: ({ file, why }) => `${file} 无法写入：${why}`,
  unwritableHint: '请给出一个已有且可写的文件夹里的文件。',
  ownUnwritableHint: '请给当前用户那里的写入权限；XDG_CONFIG_HOME 可为你自己的设置另选文件夹。',
  hereUnwritableHint: '请给当前用户那里的写入权限，或换到另一个文件夹。',
  unreadableHint: '请检查文件名，以及你是否有权读取它。',
  notText: '请存为 UTF-8 文本。',
  existsHint: '请直接编辑它，或先把它移开。',
  oldKeysLeft: ({ keys }) => `以下旧键在 Writ 中没有含义，已原样保留：${keys.join('、')}。`,
  oldKeysHint: '请手动删除；`writ config schema` 列出可以设置的内容。',
  scopesHint: '请用逗号分隔：--scopes read,run。',
  port: ({ text }) => `--port 应为 0 到 65535 的数，而不是“${text}”`,
  databaseUnset: 'agent.store 为 "postgres"，但没有设置 WRIT_DATABASE_URL',
  databaseUnsetHint: '请把 WRIT_DATABASE_URL 设为 postgres://user@host/database，或把 agent.store 设为 "sqlite"。',
}

export function placeTexts(lang: Lang): PlaceTexts {
  return lang === 'zh' ? zh : en
}

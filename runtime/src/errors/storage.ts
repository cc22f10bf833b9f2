/** Errors of the store, the data folder and Redis. */
import { entry, type ReportedAt } from './entry.ts'

/** A fault of the store, not of the request. */
const STORE = { exit: 1, status: 503, retryable: true, private: true } as const

export const STORAGE_ERRORS = {
  STORE_BUSY: entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [`the store is locked by another process: ${where} (${why})`, 'Try again later.'],
    zh: ({ where, why }) => [`存储被另一个进程锁定：${where}（${why}）`, '请稍后重试。'],
  }),
  STORE_SLOW: entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [
      `database statement timed out: ${where} (${why})`,
      'The database may be locked or busy. Try again, or request less at once.',
    ],
    zh: ({ where, why }) => [
      `数据库语句超时：${where}（${why}）`,
      '数据库可能被锁定或正忙。请重试，或减少单次请求量。',
    ],
  }),
  'STORE_FAILED.disk': entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [`disk error: ${where} (${why})`, 'Check free space, quota and disk health.'],
    zh: ({ where, why }) => [`磁盘错误：${where}（${why}）`, '请检查可用空间、配额和磁盘健康状况。'],
  }),
  STORE_FAILED: entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [`the store cannot be used: ${where} (${why})`, 'Run `writ doctor`.'],
    zh: ({ where, why }) => [`存储无法使用：${where}（${why}）`, '请运行 `writ doctor`。'],
  }),
  STORE_CORRUPT: entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [
      `the store is damaged or not a Writ store: ${where} (${why})`,
      'Restore it from a backup or use another data folder. Never edit the file by hand.',
    ],
    zh: ({ where, why }) => [
      `存储已损坏，或不是 Writ 的存储：${where}（${why}）`,
      '请从备份恢复，或改用其他数据目录。不要手动修改该文件。',
    ],
  }),
  'STORE_CORRUPT.event': entry<{ run: string; seq: number }>({
    ...STORE,
    en: ({ run, seq }) => [
      `event ${seq} of run ${run} is no longer valid JSON`,
      'Restore the store from a backup. Never edit its tables by hand.',
    ],
    zh: ({ run, seq }) => [`运行 ${run} 的事件 ${seq} 已不是有效的 JSON`, '请从备份恢复存储。不要手动修改它的表。'],
  }),
  STORE_FULL: entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [`the disk is full: ${where} (${why})`, 'Free some space. The last step was not stored.'],
    zh: ({ where, why }) => [`磁盘已满：${where}（${why}）`, '请释放空间。最后一步未保存。'],
  }),
  STORE_CONFLICT: entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [
      `a database constraint was violated: ${where} (${why})`,
      'This is a defect in Writ; please report it.',
    ],
    zh: ({ where, why }) => [`违反了数据库约束：${where}（${why}）`, '这是 Writ 的缺陷，请报告。'],
  }),
  STORE_READONLY: entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [
      `no write access to the store: ${where} (${why})`,
      'Give this user write access, or use another data folder.',
    ],
    zh: ({ where, why }) => [`没有存储的写入权限：${where}（${why}）`, '请授予当前用户写入权限，或改用其他数据目录。'],
  }),
  'STORE_READONLY.database': entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [
      `no write access to the store: ${where} (${why})`,
      'Grant the database user write access.',
    ],
    zh: ({ where, why }) => [`没有存储的写入权限：${where}（${why}）`, '请授予数据库用户写入权限。'],
  }),
  STORE_UNREACHABLE: entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [`the store cannot be opened: ${where} (${why})`, 'Check the path and its permissions.'],
    zh: ({ where, why }) => [`存储无法打开：${where}（${why}）`, '请检查路径及其权限。'],
  }),
  'STORE_UNREACHABLE.link': entry<{ where: string }>({
    ...STORE,
    en: ({ where }) => [`the store cannot be opened: ${where}`, 'Check the path and its permissions.'],
    zh: ({ where }) => [`存储无法打开：${where}`, '请检查路径及其权限。'],
  }),
  'STORE_UNREACHABLE.database': entry<ReportedAt>({
    ...STORE,
    en: ({ where, why }) => [
      `the database cannot be reached: ${where} (${why})`,
      'Check that the server is running, and check host, port, user and password.',
    ],
    zh: ({ where, why }) => [
      `无法连接数据库：${where}（${why}）`,
      '请检查服务器是否在运行，以及主机、端口、用户名和密码。',
    ],
  }),
  'STORE_UNREACHABLE.address': entry({
    ...STORE,
    en: () => [
      'the database address is not a postgres:// URL',
      'Write it as postgres://user:password@host:5432/database.',
    ],
    zh: () => ['数据库地址不是 postgres:// 地址', '请写成 postgres://user:password@host:5432/database。'],
  }),
  STORE_TOO_NEW: entry<{ version: number; name: string; known: number }>({
    ...STORE,
    en: ({ version, name, known }) => [
      `the store has schema version ${version} (${name}); this Writ supports up to ${known}`,
      'Use the newer Writ that wrote it, or another data folder.',
    ],
    zh: ({ version, name, known }) => [
      `存储的结构版本为 ${version}（${name}）；此版本的 Writ 最高支持 ${known}`,
      '请使用写入它的较新版 Writ，或改用其他数据目录。',
    ],
  }),
  JOURNAL_GAP: entry<{ run: string; expected: number; given: number }>({
    ...STORE,
    en: ({ run, expected, given }) => [
      `run ${run}: expected event ${expected}, got ${given}`,
      'Nothing was stored. Read the run again and continue from its last event.',
    ],
    zh: ({ run, expected, given }) => [
      `运行 ${run}：应为事件 ${expected}，实际为 ${given}`,
      '未保存任何内容。请重新读取该运行，从最后一个事件继续。',
    ],
  }),
  RUN_TAKEN: entry<{ run: string; seq: number; acted: boolean }>({
    exit: 1,
    status: 409,
    retryable: true,
    en: ({ run, seq, acted }) => [`another worker continued run ${run} at event ${seq}`, takenHint(acted)],
    zh: ({ run, seq, acted }) => [`另一个工作进程已从事件 ${seq} 接手运行 ${run}`, takenHintZh(acted)],
  }),
  'RUN_TAKEN.session': entry<{ run: string; acted: boolean }>({
    exit: 1,
    status: 409,
    retryable: true,
    en: ({ run, acted }) => [`another worker now holds the session of run ${run}`, takenHint(acted)],
    zh: ({ run, acted }) => [`运行 ${run} 的会话现在由另一个工作进程持有`, takenHintZh(acted)],
  }),
  INVALID_ID: entry<{ id: string }>({
    en: ({ id }) => [
      `the id contains characters that cannot be stored: ${id}`,
      'Use letters, digits, dashes and underscores.',
    ],
    zh: ({ id }) => [`id 含有无法保存的字符：${id}`, '请使用字母、数字、连字符和下划线。'],
  }),
  FILE_EXISTS: entry<{ file: string }>({
    en: ({ file }) => [`file already exists: ${file}`, 'Choose another name for the backup.'],
    zh: ({ file }) => [`文件已存在：${file}`, '请给备份换个名字。'],
  }),
  'DATA_INVALID.noDatabase': entry<{ file: string }>({
    en: ({ file }) => [`${file} exists without its database`, 'Move it away, or use another data folder.'],
    zh: ({ file }) => [`存在 ${file}，但没有对应的数据库`, '请把它移走，或改用其他数据目录。'],
  }),
  'DATA_INVALID.notAFile': entry<{ file: string }>({
    en: ({ file }) => [`${file} is not a regular file`, 'Move it away, or use another data folder.'],
    zh: ({ file }) => [`${file} 不是普通文件`, '请把它移走，或改用其他数据目录。'],
  }),
  DATA_FOREIGN: entry<{ file: string }>({
    en: ({ file }) => [`the tables in ${file} are not those of a Writ store`, 'Use another data folder.'],
    zh: ({ file }) => [`${file} 中的表不属于 Writ 存储`, '请改用其他数据目录。'],
  }),
  DATA_CHANGED: entry<{ file: string }>({
    en: ({ file }) => [`${file} changed during inspection`, 'Stop the process that writes to it, then adopt it again.'],
    zh: ({ file }) => [`${file} 在检查期间发生了变化`, '请先停止写入它的进程，再重新接管。'],
  }),
  DATA_KEY_SHORT: entry<{ least: number }>({
    en: ({ least }) => [`WRIT_DATA_KEY has fewer than ${least} characters`, 'Create one with `openssl rand -hex 32`.'],
    zh: ({ least }) => [`WRIT_DATA_KEY 少于 ${least} 个字符`, '可以用 `openssl rand -hex 32` 生成一个。'],
  }),
  NO_JOURNAL: entry<{ folder: string }>({
    en: ({ folder }) => [`no journal in ${folder}`, 'Check the path of the data folder.'],
    zh: ({ folder }) => [`${folder} 中没有日志`, '请检查数据目录的路径。'],
  }),
  DATA_NOT_ADOPTED: entry<{ folder: string }>({
    en: ({ folder }) => [
      `${folder} was not created by you on this machine; Writ will not act on it`,
      `Review it and accept it with \`writ data adopt ${folder}\`, or use another folder with --data.`,
    ],
    zh: ({ folder }) => [
      `${folder} 不是你在这台机器上创建的，Writ 不会对它执行操作`,
      `请先查看内容，再用 \`writ data adopt ${folder}\` 接管；或用 --data 指定其他目录。`,
    ],
  }),
  DATA_LOG_UNKNOWN: entry<{ file: string }>({
    en: ({ file }) => [
      `there is a log beside ${file} that none of your processes left there`,
      'Move the -wal or -journal file away, or accept its changes with `writ data adopt DIR`.',
    ],
    zh: ({ file }) => [
      `${file} 旁边有一个不是由你的进程留下的日志文件`,
      '请移走 -wal 或 -journal 文件，或用 `writ data adopt DIR` 接受它的改动。',
    ],
  }),
  DATA_UNBINDABLE: entry<{ why: string }>({
    en: ({ why }) => [
      `your configuration folder is not writable: ${why}`,
      'Grant this user write access, choose another folder with XDG_CONFIG_HOME, or set WRIT_DATA_KEY.',
    ],
    zh: ({ why }) => [
      `你的配置目录无法写入：${why}`,
      '请授予当前用户写入权限，用 XDG_CONFIG_HOME 指定其他目录，或设置 WRIT_DATA_KEY。',
    ],
  }),
  TRANSCRIPT_BUSY: entry<{ session: string }>({
    retryable: true,
    en: ({ session }) => [`other processes kept writing to session ${session}`, 'Try again; nothing was stored.'],
    zh: ({ session }) => [`其他进程一直在写会话 ${session}`, '请重试；这次未保存任何内容。'],
  }),
  TRANSCRIPT_CORRUPT: entry<{ session: string }>({
    en: ({ session }) => [
      `the stored value of session ${session} is not a message history`,
      'Another program wrote it. Delete it, or use another session key.',
    ],
    zh: ({ session }) => [`会话 ${session} 中保存的内容不是消息历史`, '它由其他程序写入。请删除，或改用其他会话键。'],
  }),
  REDIS_UNSET: entry({
    en: () => ['Redis is not configured', 'Set WRIT_REDIS_URL, for example to redis://127.0.0.1:6379.'],
    zh: () => ['未配置 Redis', '请设置 WRIT_REDIS_URL，例如 redis://127.0.0.1:6379。'],
  }),
  'REDIS_UNREACHABLE.address': entry({
    en: () => [
      'WRIT_REDIS_URL is not a redis:// or rediss:// address',
      'Write it as redis://user:password@host:6379/0.',
    ],
    zh: () => ['WRIT_REDIS_URL 不是 redis:// 或 rediss:// 地址', '请写成 redis://user:password@host:6379/0。'],
  }),
  REDIS_UNREACHABLE: entry<ReportedAt>({
    retryable: true,
    en: ({ where, why }) => [
      `cannot connect to Redis at ${where} (${why})`,
      'Check that the server is running, and check WRIT_REDIS_URL.',
    ],
    zh: ({ where, why }) => [`无法连接 ${where} 上的 Redis（${why}）`, '请检查服务器是否在运行，以及 WRIT_REDIS_URL。'],
  }),
  REDIS_REFUSED: entry<ReportedAt>({
    en: ({ where, why }) => [
      `Redis at ${where} refused the command: ${why}`,
      'Check the rights of the Redis user and the memory of the server.',
    ],
    zh: ({ where, why }) => [`${where} 上的 Redis 拒绝了命令：${why}`, '请检查 Redis 用户的权限和服务器内存。'],
  }),
}

function takenHint(acted: boolean): string {
  return acted
    ? 'A call of this step was made, but its result could not be stored. Check what it did before you repeat it.'
    : 'Nothing of this step was done. Follow the run, or start a new one.'
}

function takenHintZh(acted: boolean): string {
  return acted
    ? '这一步已发出一次调用，但结果未能保存。重复之前请先确认它做了什么。'
    : '这一步没有执行。请跟随该运行，或新建一个运行。'
}

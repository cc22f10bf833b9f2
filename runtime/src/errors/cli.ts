/** Errors of the command line: what it was given to read, write or look up. */
import type { Lang } from '../base/lang.ts'
import { entry } from './entry.ts'

/** Which command reads the lines, and so what each of them must look like. */
type LineKind = 'case' | 'trajectory' | 'text' | 'event'

const LINE_FORMS: Record<LineKind, Record<Lang, string>> = {
  trajectory: {
    en: 'Each line is {"id", "task", "intent"?, "route"?, "tools"?, "steps":[{"tool", "args", "result"?, "error"?}]}.',
    zh: '每行的格式为 {"id", "task", "intent"?, "route"?, "tools"?, "steps":[{"tool", "args", "result"?, "error"?}]}。',
  },
  case: {
    en: 'Each line is {"tool", "args", "expect": "allow", "ask" or "deny", "note"?}, or an event as printed by `writ export`.',
    zh: '每行的格式为 {"tool", "args", "expect": "allow"、"ask" 或 "deny", "note"?}，或 `writ export` 输出的事件。',
  },
  text: { en: 'Each line is {"id", "tool"?, "text"}.', zh: '每行的格式为 {"id", "tool"?, "text"}。' },
  event: {
    en: 'Each line is one event, as printed by `writ run --json`.',
    zh: '每行一个事件，与 `writ run --json` 的输出相同。',
  },
}

/** A fault of the store, not of the request. */
const STORE = { exit: 1, status: 503, retryable: true, private: true } as const
const OTHER_FOLDER = 'Choose another folder with --data or WRIT_DATA.'
const OTHER_FOLDER_ZH = '请用 --data 或 WRIT_DATA 指定其他目录。'
const RUNS = 'List the latest runs with `writ trace`.'
const RUNS_ZH = '用 `writ trace` 列出最近的运行。'
const READABLE = 'Check the file name and its permissions.'
const READABLE_ZH = '请检查文件名及其权限。'

export const CLI_ERRORS = {
  TASK_EMPTY: entry({
    en: () => ['the task is empty', 'Describe the task: writ run "list the files here".'],
    zh: () => ['任务为空', '请说明任务：writ run "列出文件"。'],
  }),
  TASK_TOO_LARGE: entry<{ max: number }>({
    en: ({ max }) => [
      `the task is longer than ${max} bytes`,
      'Put it in a file in the workspace and mention the file in the task.',
    ],
    zh: ({ max }) => [`任务超过 ${max} 字节`, '请把它放进工作区的文件，并在任务中给出文件名。'],
  }),
  TASK_NOT_TEXT: entry({
    en: () => ['the task is not UTF-8 text, or contains NUL bytes', 'Use plain text.'],
    zh: () => ['任务不是 UTF-8 文本，或含有 NUL 字节', '请使用纯文本。'],
  }),
  'SESSION_UNKNOWN.named': entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [
      `there is no session ${id} here`,
      'Leave out --session to start a new one; list the runs here with `writ trace`.',
    ],
    zh: ({ id }) => [`这里没有会话 ${id}`, '不写 --session 会开始新会话；用 `writ trace` 列出这里的运行。'],
  }),
  'SESSION_UNKNOWN.stored': entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [`there is no session ${id} here`, RUNS],
    zh: ({ id }) => [`这里没有会话 ${id}`, RUNS_ZH],
  }),
  'RUN_UNKNOWN.noneOpen': entry({
    status: 404,
    en: () => ['all runs here have ended', RUNS],
    zh: () => ['这里的运行都已结束', RUNS_ZH],
  }),
  'MEMORY_UNKNOWN.named': entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [`there is no memory ${id}`, 'List the ids with `writ memory list`.'],
    zh: ({ id }) => [`没有 ID 为 ${id} 的记忆`, '用 `writ memory list` 查看 ID。'],
  }),
  SCRIPT_UNREADABLE: entry<{ file: string; why: string }>({
    en: ({ file, why }) => [`cannot read the script ${file}: ${why}`, 'Give --script the path of a JSON file.'],
    zh: ({ file, why }) => [`无法读取脚本 ${file}：${why}`, '请把 --script 设为 JSON 文件的路径。'],
  }),
  RECORD_UNWRITABLE: entry<{ file: string; why: string }>({
    en: ({ file, why }) => [
      `cannot write the record ${file}: ${why}`,
      'Give --record the path of a file in a writable folder.',
    ],
    zh: ({ file, why }) => [`无法写入记录文件 ${file}：${why}`, '请把 --record 设为可写目录中的文件。'],
  }),
  OUTPUT_UNWRITABLE: entry<{ file: string; why: string }>({
    exit: 1,
    en: ({ file, why }) => [
      `cannot write ${file}: ${why}`,
      'Choose a file in an existing folder that you can write to.',
    ],
    zh: ({ file, why }) => [`无法写入 ${file}：${why}`, '请选择已存在且可写的目录中的文件。'],
  }),
  'OUTPUT_UNWRITABLE.stdout': entry<{ why: string }>({
    exit: 1,
    en: ({ why }) => [
      `cannot write to standard output: ${why}`,
      'The output is incomplete. Free some space at its destination, or redirect it elsewhere.',
    ],
    zh: ({ why }) => [`无法写入标准输出：${why}`, '输出不完整。请在目标位置释放空间，或改为输出到其他位置。'],
  }),
  'STORE_UNREACHABLE.dataFolder': entry<{ folder: string; why: string }>({
    ...STORE,
    en: ({ folder, why }) => [`the data folder ${folder} cannot be used: ${why}`, OTHER_FOLDER],
    zh: ({ folder, why }) => [`数据目录 ${folder} 无法使用：${why}`, OTHER_FOLDER_ZH],
  }),
  'STORE_UNREACHABLE.journal': entry<{ folder: string; why: string }>({
    ...STORE,
    en: ({ folder, why }) => [
      `cannot read the journal in ${folder}: ${why}`,
      'Grant this user access, or choose another folder with --data or WRIT_DATA.',
    ],
    zh: ({ folder, why }) => [
      `无法读取 ${folder} 中的日志：${why}`,
      '请授予当前用户访问权限，或用 --data 或 WRIT_DATA 指定其他目录。',
    ],
  }),
  'STORE_UNREACHABLE.databaseUnset': entry({
    ...STORE,
    en: () => [
      'agent.store is "postgres", but WRIT_DATABASE_URL is not set',
      'Set WRIT_DATABASE_URL to postgres://user@host/database, or agent.store to "sqlite".',
    ],
    zh: () => [
      'agent.store 为 "postgres"，但没有设置 WRIT_DATABASE_URL',
      '请把 WRIT_DATABASE_URL 设为 postgres://user@host/database，或把 agent.store 设为 "sqlite"。',
    ],
  }),
  'NO_JOURNAL.here': entry<{ folder: string }>({
    en: ({ folder }) => [`no journal in ${folder}`, 'Choose its folder with --data, or run a task first.'],
    zh: ({ folder }) => [`${folder} 中没有日志`, '请用 --data 指定日志所在的目录，或先运行一个任务。'],
  }),
  'DATA_NOT_ADOPTED.declined': entry<{ folder: string }>({
    en: ({ folder }) => [
      `${folder} was not adopted`,
      'Use `writ data adopt --yes` to adopt it without a question, or choose another folder with --data or WRIT_DATA. Commands that only read, such as `writ trace`, work without adoption.',
    ],
    zh: ({ folder }) => [
      `没有接管 ${folder}`,
      '可用 `writ data adopt --yes` 直接接管，或用 --data 或 WRIT_DATA 指定其他目录。`writ trace` 等只读命令不需要接管。',
    ],
  }),
  INPUT_UNREADABLE: entry<{ file: string; why: string }>({
    en: ({ file, why }) => [`cannot read ${file}: ${why}`, READABLE],
    zh: ({ file, why }) => [`无法读取 ${file}：${why}`, READABLE_ZH],
  }),
  'INPUT_UNREADABLE.notText': entry<{ file: string }>({
    en: ({ file }) => [`${file} is not UTF-8 text`, 'Save it as UTF-8 text.'],
    zh: ({ file }) => [`${file} 不是 UTF-8 文本`, '请保存为 UTF-8 文本。'],
  }),
  'INPUT_UNREADABLE.workflowFolder': entry<{ why: string }>({
    en: ({ why }) => [
      `cannot list workflows: ${why}`,
      'Choose a folder with YAML or JSON files: writ workflow list FOLDER',
    ],
    zh: ({ why }) => [`无法列出工作流：${why}`, '请指定包含 YAML 或 JSON 文件的目录：writ workflow list FOLDER'],
  }),
  INPUT_TOO_LARGE: entry<{ file: string; max: number }>({
    en: ({ file, max }) => [
      `${file} is larger than ${max} bytes`,
      'Split it: a batch contains the intents of one window.',
    ],
    zh: ({ file, max }) => [`${file} 超过 ${max} 字节`, '请拆分：一个批次只包含一个窗口的意图。'],
  }),
  'LINE_INVALID.json': entry<{ where: string; kind: LineKind }>({
    en: ({ where, kind }) => [`${where}: not valid JSON`, LINE_FORMS[kind].en],
    zh: ({ where, kind }) => [`${where}：不是有效的 JSON`, LINE_FORMS[kind].zh],
  }),
  'LINE_INVALID.value': entry<{ where: string; path: string; why: Record<Lang, string>; kind: LineKind }>({
    en: ({ where, path, why, kind }) => [`${where}: ${path}: ${why.en}`, LINE_FORMS[kind].en],
    zh: ({ where, path, why, kind }) => [`${where}：${path}：${why.zh}`, LINE_FORMS[kind].zh],
  }),
  'LINE_INVALID.sameTool': entry<{ where: string; path: string; name: string }>({
    en: ({ where, path, name }) => [`${where}: ${path}: two tools are named "${name}"`, LINE_FORMS.trajectory.en],
    zh: ({ where, path, name }) => [`${where}：${path}：有两个工具都名为 "${name}"`, LINE_FORMS.trajectory.zh],
  }),
  'LINE_INVALID.event': entry<{ where: string; path: string }>({
    en: ({ where, path }) => [`${where}: not an event: "${path}" is missing or invalid`, LINE_FORMS.event.en],
    zh: ({ where, path }) => [`${where}：不是事件："${path}" 缺失或无效`, LINE_FORMS.event.zh],
  }),
  'LINE_INVALID.head': entry<{ where: string }>({
    en: ({ where }) => [`${where}: not a head`, 'A head is a hash printed by `writ audit verify`.'],
    zh: ({ where }) => [`${where}：不是链头`, '链头是 `writ audit verify` 输出的哈希。'],
  }),
  EVENT_INVALID: entry<{ run: string; why: string }>({
    en: ({ run, why }) => [`run ${run} has an event without the data its type needs: ${why}`, LINE_FORMS.event.en],
    zh: ({ run, why }) => [`运行 ${run} 有一个事件缺少其类型所需的数据：${why}`, LINE_FORMS.event.zh],
  }),
  BACKUP_ELSEWHERE: entry({
    en: () => [
      'the store is in PostgreSQL, which has its own backup tools',
      'Use pg_dump --format=custom --schema=writ "$WRIT_DATABASE_URL" > FILE, or base backups with WAL archiving.',
    ],
    zh: () => [
      '存储在 PostgreSQL 中，请使用它自己的备份工具',
      '可用 pg_dump --format=custom --schema=writ "$WRIT_DATABASE_URL" > FILE，或基础备份加 WAL 归档。',
    ],
  }),
  'FILE_EXISTS.export': entry<{ file: string }>({
    en: ({ file }) => [`file already exists: ${file}`, 'Choose another name for the export; nothing was overwritten.'],
    zh: ({ file }) => [`文件已存在：${file}`, '请给导出文件换个名字；没有覆盖任何文件。'],
  }),
  'FILE_EXISTS.config': entry<{ file: string }>({
    en: ({ file }) => [`file already exists: ${file}`, 'Edit it, or move it away first. It was not changed.'],
    zh: ({ file }) => [`文件已存在：${file}`, '请直接编辑它，或先把它移走。文件没有改动。'],
  }),
  CONFIG_UNWRITABLE: entry<{ file: string; why: string }>({
    en: ({ file, why }) => [`cannot write ${file}: ${why}`, 'Grant this user write access, or use another folder.'],
    zh: ({ file, why }) => [`无法写入 ${file}：${why}`, '请授予当前用户写入权限，或换到其他目录。'],
  }),
  'CONFIG_UNWRITABLE.own': entry<{ file: string; why: string }>({
    en: ({ file, why }) => [
      `cannot write ${file}: ${why}`,
      'Grant this user write access, or choose another folder for your settings with XDG_CONFIG_HOME.',
    ],
    zh: ({ file, why }) => [
      `无法写入 ${file}：${why}`,
      '请授予当前用户写入权限，或用 XDG_CONFIG_HOME 为你的设置指定其他目录。',
    ],
  }),
  TRUST_TOO_LARGE: entry<{ workspace: string }>({
    en: ({ workspace }) => [
      `${workspace} has too many or too large files in its skills and workflows`,
      'At most 5000 files of 16 MB each can be trusted. Move the others elsewhere.',
    ],
    zh: ({ workspace }) => [
      `${workspace} 的技能和工作流中文件过多或过大`,
      '最多可以信任 5000 个文件，每个不超过 16 MB。请把其余文件移到别处。',
    ],
  }),
  'ROUTINE_ALLOW.unconfirmed': entry({
    en: () => [
      'the commands in --allow need approval, but there is no terminal to ask in',
      'Add --yes to approve them without a question.',
    ],
    zh: () => ['--allow 中的命令需要审批，但没有可以询问的终端', '加上 --yes 即可直接批准。'],
  }),
  'ROUTINE_ALLOW.declined': entry({
    en: () => [
      'the routine was not added: its commands were not approved',
      'Add it again with fewer commands in --allow, or without --allow.',
    ],
    zh: () => ['没有添加该例行任务：其命令未获批准', '请减少 --allow 中的命令，或去掉 --allow 后重新添加。'],
  }),
  SERVER_RUNNING: entry<{ url: string }>({
    en: ({ url }) => [
      `Writ is already running here: ${url}`,
      'Open that address, or stop that server first. `--data FOLDER --port 0` starts a separate one.',
    ],
    zh: ({ url }) => [
      `Writ 已在此运行：${url}`,
      '请打开该地址，或先停止那个服务器。`--data FOLDER --port 0` 可另外启动一个。',
    ],
  }),
  SETUP_NO_TERMINAL: entry({
    exit: 2,
    en: () => [
      'there is no terminal to ask in',
      'Use flags: `writ setup --provider openai --key-from-stdin < FILE`, or set the key in the environment.',
    ],
    zh: () => [
      '没有可以询问的终端',
      '请使用参数：`writ setup --provider openai --key-from-stdin < 文件`，或在环境变量中设置密钥。',
    ],
  }),
  SETUP_CANCELLED: entry({
    exit: 2,
    en: () => ['nothing was chosen, so nothing was changed', 'Run `writ setup` again and type one of the numbers.'],
    zh: () => ['没有选择，因此没有更改任何内容', '请重新运行 `writ setup` 并输入其中一个编号。'],
  }),
  SETUP_KEY_INVALID: entry({
    exit: 2,
    en: () => [
      'this is not an API key: it is empty, or has spaces or special characters',
      'Copy the key again, alone.',
    ],
    zh: () => ['这不是 API 密钥：它为空，或含有空格或特殊字符', '请重新复制密钥，不要带其他内容。'],
  }),
  SETUP_KEY_REJECTED: entry<{ provider: string }>({
    exit: 1,
    en: ({ provider }) => [`${provider} rejected the key; nothing was stored`, 'Check the key and its account.'],
    zh: ({ provider }) => [`${provider} 拒绝了该密钥；未保存任何内容`, '请检查密钥及其账户。'],
  }),
  SETUP_MODEL_UNLISTED: entry<{
    provider: string
    model: string
    meant: string | undefined
    models: readonly string[]
  }>({
    exit: 1,
    en: ({ provider, model, meant, models }) => [
      `${provider} does not list the model "${model}"; nothing was stored`,
      `${meant === undefined ? `It lists: ${models.slice(0, 8).join(', ')}.` : `Did you mean "${meant}"?`} To use the name anyway, set agent.model in your agent.config.json.`,
    ],
    zh: ({ provider, model, meant, models }) => [
      `${provider} 没有列出模型“${model}”；未保存任何内容`,
      `${meant === undefined ? `列出的有：${models.slice(0, 8).join('、')}。` : `是否想用“${meant}”？`}如仍要使用该名称，请在你的 agent.config.json 中设置 agent.model。`,
    ],
  }),
  SETUP_MODEL_IS_KEY: entry({
    exit: 2,
    en: () => [
      'this looks like an API key, not the name of a model; nothing was stored',
      'The key is asked for separately and is not shown. If others could see it here, replace it.',
    ],
    zh: () => [
      '这像是 API 密钥，而不是模型名称；未保存任何内容',
      '密钥会单独询问，且不显示。如果别人可能在此看到它，请更换密钥。',
    ],
  }),
  SETUP_ADDRESS_WRONG: entry<{ url: string; meant?: string | undefined }>({
    exit: 1,
    en: ({ url, meant }) => [
      `${url} does not answer like a model server: the base URL is probably wrong; nothing was stored`,
      meant === undefined ? 'The address usually ends with /v1.' : `Did you mean ${meant}?`,
    ],
    zh: ({ url, meant }) => [
      `${url} 的回答不像模型服务器：基础地址可能有误；未保存任何内容`,
      meant === undefined ? '该地址通常以 /v1 结尾。' : `是否想用 ${meant}？`,
    ],
  }),
  SETUP_MODEL_MISSING: entry<{ provider: string }>({
    exit: 2,
    en: ({ provider }) => [`no model of ${provider} was named, and none was found`, 'Name one with --model NAME.'],
    zh: ({ provider }) => [`没有指定 ${provider} 的模型，也没有找到`, '请用 --model NAME 指定。'],
  }),
  SETUP_ADDRESS_INVALID: entry({
    exit: 2,
    en: () => [
      'this is not a valid address of a model server',
      'Use http:// or https://, without user name, password and query: "http://127.0.0.1:8080/v1".',
    ],
    zh: () => [
      '这不是有效的模型服务器地址',
      '请使用 http:// 或 https://，不带用户名、密码和查询部分："http://127.0.0.1:8080/v1"。',
    ],
  }),
}

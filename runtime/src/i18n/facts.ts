/**
 * Facts and hints that are said where no reader is known: by the store, the journal's audit, the choice of a model.
 * They are English there; here they get a reader's words.
 */
export function factText(text: string, lang: 'en' | 'zh'): string {
  if (lang === 'en') return text
  const whole = Object.hasOwn(FACTS, text) ? FACTS[text] : undefined
  if (whole !== undefined) return whole
  for (const [pattern, said] of PARTS) {
    const found = pattern.exec(text)
    if (found !== null) return said(...found.slice(1).map((part) => part ?? ''))
  }
  return text
}

export const FACTS: Readonly<Record<string, string>> = {
  // The journal's audit
  'the event does not match its hash': '事件与它的哈希不符',
  'the run has ended and its seal is missing': '运行已经结束，但缺少封印',
  'the run was deleted, and is there again': '运行已被删除，却又出现了',
  'the events belong to no run of this store': '这些事件不属于本存储中的任何运行',
  'the run is not in the list of runs': '运行不在运行列表中',
  'the run is listed under another session': '运行被列在另一个会话之下',
  'the entry was not written by Writ: no seal knows it': '该条目不是 Writ 写入的：没有对应的封印',
  'the entry was deleted, and is there again': '该条目已被删除，却又出现了',
  'the entry is not the one that was sealed': '该条目不是当初封存的那一个',
  'the entry is gone; no tombstone says that it was deleted': '该条目不见了，也没有墓碑说明它被删除',
  // The store
  'Try again when it has finished.': '请等它结束后再试。',
  'Check its space, its quota and its health.': '请检查磁盘的空间、配额和健康状况。',
  'Restore it from a backup, or use another data folder; never edit the file by hand.':
    '请从备份恢复，或改用别的数据目录；不要手工修改这个文件。',
  'Restore it from a backup.': '请从备份恢复。',
  'Restore the store from a backup; never edit its tables by hand.': '请从备份恢复存储；不要手工修改它的表。',
  'This is a defect in Writ; please report it.': '这是 Writ 的缺陷，请报告。',
  'Run `writ doctor`.': '请运行 `writ doctor`。',
  'Give this user write access, or set another data folder.': '请给当前用户写权限，或改用别的数据目录。',
  'Give the database user the right to write there.': '请给数据库用户写权限。',
  'Check the path and its permissions.': '请检查路径及其权限。',
  'Free some space; nothing of the last step was stored.': '请腾出空间；最后一步的内容没有保存。',
  'Another process may keep it locked or busy: try again, or ask for less at once.':
    '可能有别的进程锁住或占用了它：请再试一次，或一次少取一些。',
  'Check that the server is running, and the host, port, user and password.':
    '请检查服务器是否在运行，以及主机、端口、用户和密码。',
  'the database address is not a postgres:// URL': '数据库地址不是 postgres:// 地址',
  'Write it as postgres://user:password@host:5432/database.': '请写成 postgres://user:password@host:5432/database。',
  'Use the newer Writ that wrote it, or another data folder.': '请使用写入它的较新版 Writ，或改用别的数据目录。',
  'A call of this step was made, and its result could not be stored. Check what it did before you repeat it.':
    '这一步已经发出了一次调用，但其结果未能保存。重复之前请先确认它做了什么。',
  'Nothing of this step was done; follow the run, or start a new one.': '这一步没有执行；请跟随该运行，或新开一个。',
  'Nothing was stored. Read the run again and go on from its last event.':
    '没有保存任何内容。请重新读取该运行，从它的最后一个事件继续。',
  'Move it away, or use another data folder.': '请把它移开，或改用别的数据目录。',
  'Use another data folder; Writ does not work with this one.': '请改用别的数据目录；Writ 不会使用这一个。',
  'Check the path of the data folder.': '请检查数据目录的路径。',
  'Stop what writes to it, then adopt it again.': '请先停止写入它的进程，再重新接管。',
  'Make one with `openssl rand -hex 32`.': '可以用 `openssl rand -hex 32` 生成一个。',
  'Move the -wal or -journal file away, or accept what it changes with `writ data adopt DIR`.':
    '请把 -wal 或 -journal 文件移开，或用 `writ data adopt DIR` 接受它的改动。',
  'Give this user write access there, name another with XDG_CONFIG_HOME, or set WRIT_DATA_KEY.':
    '请给当前用户那里的写入权限，或用 XDG_CONFIG_HOME 另选文件夹，或设置 WRIT_DATA_KEY。',
  'Give the backup another name.': '请给备份换个名字。',
  'there is no Redis here': '这里没有 Redis',
  'Set WRIT_REDIS_URL, for example to redis://127.0.0.1:6379.': '请设置 WRIT_REDIS_URL，例如 redis://127.0.0.1:6379。',
  'WRIT_REDIS_URL is not a redis:// or rediss:// address': 'WRIT_REDIS_URL 不是 redis:// 或 rediss:// 地址',
  'Check that the server is running, and WRIT_REDIS_URL.': '请检查服务器是否在运行，以及 WRIT_REDIS_URL。',
  'Try again; nothing of this was stored.': '请再试一次；这次没有保存任何内容。',
  // Runs and sessions
  'List runs with `writ trace`.': '用 `writ trace` 列出运行。',
  'Start it again the way it was started.': '请用当初的方式重新开始。',
  'Start a new turn in its session instead.': '请改为在它的会话中开始新的一轮。',
  'Answer it first, or cancel its run.': '请先回答它，或取消它的运行。',
  'Somebody else has answered it, or its run has ended.': '已有别人回答，或它的运行已经结束。',
  'Wait until it has ended, or cancel it; a session does one thing at a time.':
    '请等它结束，或取消它；一个会话一次只做一件事。',
  // Models and scripts
  'the model is "scripted", and there is no script': '模型是 "scripted"，但没有脚本',
  'Give `--script FILE` on the command line, or a scripted model to createAgent.':
    '请在命令行用 `--script FILE` 给出脚本，或把脚本模型交给 createAgent。',
  'the Mock route has no backend of its own': 'Mock 路由没有自己的后端',
  'Give its answer with --batch, or let a script answer with --script.':
    '请用 --batch 给出它的回答，或用 --script 让脚本回答。',
  'agent.decision.cloudFields is empty: a model may be sent nothing':
    'agent.decision.cloudFields 为空：不得向模型发送任何内容',
  'Name the fields it may be sent, or choose another --route.': '请写明可以发送的字段，或选择其他 --route。',
  'a batch needs the route it came by': '批次需要注明来自哪个路由',
  'Decide again with `writ decide`.': '请用 `writ decide` 重新裁决。',
  'the CloudLlm route needs a provider’s model': 'CloudLlm 路由需要提供方的模型',
  'Set agent.model, such as "openai/gpt-5-mini", or choose another --route.':
    '请设置 agent.model，例如 "openai/gpt-5-mini"，或另选 --route。',
  'the provider ended the answer in the middle': '提供方在回答中途断开',
  'Set agent.baseURL to the server’s address, for example "http://127.0.0.1:8080/v1".':
    '请把 agent.baseURL 设为服务器地址，例如 "http://127.0.0.1:8080/v1"。',
  'the script is not JSON': '脚本不是 JSON',
  'A script is a JSON array of {"purpose", "text" | "calls" | "raw" | "error", …}.':
    '脚本是一个 JSON 数组，每一项为 {"purpose", "text" | "calls" | "raw" | "error", …}。',
}

/** Of a store: each is followed by where, and by what the system said. */
const STORE: Readonly<Record<string, string>> = {
  'another process kept the store locked': '另一个进程一直锁着存储',
  'the disk refused': '磁盘拒绝了操作',
  'the store is damaged or not a Writ store': '存储已损坏，或不是 Writ 的存储',
  'a rule of the tables was broken': '违反了表的规则',
  'the store cannot be used': '存储无法使用',
  'the store cannot be written': '存储无法写入',
  'the store cannot be opened': '存储无法打开',
  'the disk is full': '磁盘已满',
  "the database's disk is full": '数据库的磁盘已满',
  'the database did not finish a statement in its time': '数据库没有在时限内完成一条语句',
  'the database says it is damaged': '数据库报告自身已损坏',
  'the database cannot be reached': '无法连接数据库',
}

const KINDS: Readonly<Record<string, string>> = {
  'a string': '文本',
  'a number': '数字',
  'a boolean': '布尔值',
  'an array': '数组',
  'an object': '对象',
  missing: '缺失',
}
const kind = (name: string) => KINDS[name] ?? ` ${name}`
const either = (names: string) => names.replaceAll(' or ', ' 或 ')

const PARTS: readonly [RegExp, (...parts: string[]) => string][] = [
  [
    /^run (\S+) was interrupted because this process was asked to end$/,
    (run) => `运行 ${run} 已中断：本进程被要求结束`,
  ],
  [
    /^Resume it with `(writ .+)`; a server resumes its runs when it starts again\.$/,
    (command) => `可用 \`${command}\` 恢复；服务器会在重新启动时恢复它的运行。`,
  ],
  // Commands
  [
    /^the agent's own files were changed, and were put back: (.+?)(?:; what was written is in (.+?))?\. Look at what/,
    (files, aside) =>
      `智能体自身的文件被改动，已恢复：${files}。${aside === '' ? '' : `写入的内容保存在 ${aside}。`}请先查看再开始新的运行。`,
  ],
  [
    /^the agent's own files were changed, and could not all be put back \((.+?)\): (.+?)(?:; what was written is in (.+?))?\. Look at what/,
    (stuck, files) => `智能体自身的文件被改动：${files}。其中 ${stuck} 无法恢复，请手动检查后再开始新的运行。`,
  ],
  [new RegExp(`^(${Object.keys(STORE).join('|')}): (.+)$`, 's'), (fact = '', where) => `${STORE[fact]}：${where}`],
  [
    /^(.+) was not made by you on this machine, so nothing is done with it$/s,
    (folder) => `${folder} 不是你在这台机器上创建的，因此不会使用它`,
  ],
  [
    /^Look at what is in it and accept it with `writ data adopt (.+)`, or use another folder with --data\.$/s,
    (folder) => `请先查看其中的内容，再用 \`writ data adopt ${folder}\` 接管；或用 --data 另选文件夹。`,
  ],
  [/^(.+) lies there without its database$/s, (file) => `只有 ${file}，却没有对应的数据库`],
  [/^(.+) is not a regular file$/s, (file) => `${file} 不是普通文件`],
  [/^the tables in (.+) are not those of a Writ store$/s, (file) => `${file} 中的表不是 Writ 存储的表`],
  [/^there is no journal in (.+)$/s, (folder) => `${folder} 中没有日志`],
  [/^(.+) changed while it was looked at$/s, (file) => `${file} 在查看期间发生了变化`],
  [/^WRIT_DATA_KEY has fewer than (\d+) characters$/, (n) => `WRIT_DATA_KEY 少于 ${n} 个字符`],
  [
    /^beside (.+) lies a log that no process of yours left there$/s,
    (file) => `${file} 旁边有一个不是由你的进程留下的日志文件`,
  ],
  [/^your own configuration folder cannot be written: (.+)$/s, (why) => `你的配置文件夹无法写入：${why}`],
  [/^expected event (\d+), found (\d+)$/, (expected, found) => `应为事件 ${expected}，实际为 ${found}`],
  [/^expected seal (\d+), found (\d+)$/, (expected, found) => `应为封印 ${expected}，实际为 ${found}`],
  [
    /^the chain does not hold the head ([0-9a-f]+): it was cut off or rewritten$/,
    (head) => `链中没有链头 ${head}：链被截断或重写过`,
  ],
  [/^seal (\d+) does not match its hash$/, (n) => `封印 ${n} 与它的哈希不符`],
  [/^event (\d+) is not the one that was sealed$/, (seq) => `事件 ${seq} 不是当初封存的那一个`],
  [
    /^the run was sealed at event (\d+) and is gone; no tombstone says that it was deleted$/,
    (seq) => `运行曾在事件 ${seq} 处封存，现已不见；没有墓碑记录它被删除`,
  ],
  [
    /^the run was sealed at event (\d+) and ends at (\d+)$/,
    (sealed, end) => `运行曾在事件 ${sealed} 处封存，现在到 ${end} 就结束了`,
  ],
  [/^event (\d+) of run (\S+) is not JSON any more$/, (seq, run) => `运行 ${run} 的事件 ${seq} 已经不是 JSON`],
  [
    /^the store has schema version (\d+) \((.+)\); this Writ knows up to (\d+)$/,
    (version, name, known) => `存储的结构版本是 ${version}（${name}）；这个 Writ 最多支持到 ${known}`,
  ],
  [
    /^another worker went on with run (\S+) at seq (\d+)$/,
    (run, seq) => `另一个工作进程已从事件 ${seq} 起接手运行 ${run}`,
  ],
  [/^another worker has the session of run (\S+) now$/, (run) => `运行 ${run} 的会话现在由另一个工作进程持有`],
  [
    /^run (\S+): expected event (\d+), was given (\d+)$/,
    (run, next, given) => `运行 ${run}：应为事件 ${next}，得到 ${given}`,
  ],
  [/^others kept writing to the session (.+)$/, (session) => `别的进程一直在写会话 ${session}`],
  [/^there is no run (\S+)$/, (run) => `没有运行 ${run}`],
  [/^run (\S+) is a (\w+) run and is not taken up by itself$/, (run, mode) => `运行 ${run} 属于 ${mode}，不能单独继续`],
  [/^run (\S+) has ended \((\w+)\)$/, (run, reason) => `运行 ${run} 已经结束（${reason}）`],
  [/^session (\S+) waits for the answer to a question$/, (session) => `会话 ${session} 正在等一个问题的回答`],
  [/^the question of call (\S+) is not open any more$/, (call) => `调用 ${call} 的问题已经不再等待回答`],
  [/^another turn of (.+) is still under way$/, (name) => `${name} 的另一轮仍在进行`],
  [/^(\S+) is no provider’s model$/, (model) => `${model} 不是提供方的模型`],
  [/^there is already a file (.+)$/, (file) => `文件 ${file} 已经存在`],
  [/^Redis at (\S+) refused: (.+)$/s, (where, why) => `${where} 上的 Redis 拒绝了：${why}`],
  [/^Redis at (\S+) cannot be reached \((.+)\)$/s, (where, why) => `无法连接 ${where} 上的 Redis（${why}）`],
  [
    /^(\S+) needs (\w+(?: or \w+)*) in the environment$/,
    (model, names = '') => `${model} 需要环境变量 ${either(names)}`,
  ],
  [
    /^export (\w+)=…, or set agent\.model to "rules" to go on without a provider\.$/,
    (name) => `请运行 export ${name}=…，或把 agent.model 设为 "rules"，不用提供方也能继续。`,
  ],
  [
    /^(".+") names no model\.(?: Did you mean (".+")\?)?$/,
    (named, meant) => `${named} 不是已知的模型。${meant === '' ? '' : `是否想写 ${meant}？`}`,
  ],
  [
    /^Write provider\/name, where provider is one of (.+); or "rules", or "scripted"\.$/,
    (names = '') =>
      `请写成 provider/name，其中 provider 为 ${names.replaceAll(', ', '、')} 之一；或写 "rules" 或 "scripted"。`,
  ],
  [/^compatible\/(.+) has no address$/, (name) => `compatible/${name} 没有地址`],
  [/^the provider withheld its answer \((.+)\)$/, (why) => `提供方扣留了回答（${why}）`],
  [
    /^the script has no entry left for purpose "(.+?)"(, after an empty reply)?$/,
    (purpose, blank) => `脚本中已没有用途为 "${purpose}" 的条目${blank === '' ? '' : '（上一次回复为空）'}`,
  ],
  // Decisions
  [/^run (\S+) is a decision, and its window is over$/, (run) => `运行 ${run} 是一次决策，它的窗口已经结束`],
  [/^It is one of (RuleBased, .+)\.$/, (names) => `可用的有 ${names}。`],
  [/^the script must be a JSON array, not (.+)$/, (found = '') => `脚本必须是 JSON 数组，实际为${kind(found)}`],
  [
    /^(\S+) must be (a string|an array|an object), not (.+)$/,
    (at, wanted = '', found = '') => `${at} 必须是${kind(wanted)}，实际为${kind(found)}`,
  ],
  [/^(\S+) must be a whole number, (\d+) or more$/, (at, least) => `${at} 必须是不小于 ${least} 的整数`],
  [
    /^(\S+) must be (detect, route, main, decide, scout) or (scout:<n>)$/,
    (at, names, last) => `${at} 必须是 ${names} 或 ${last}`,
  ],
  [
    /^(\S+) is not a key of a script(?:; did you mean (.+)\?)?$/,
    (at, meant) => `${at} 不是脚本的键${meant === '' ? '' : `；是否想写 ${meant}？`}`,
  ],
  [/^(\S+) is missing$/, (at) => `缺少 ${at}`],
  [
    /^(\S+) is the whole reply; text and calls cannot stand beside it$/,
    (at) => `${at} 就是完整的回复，不能同时写 text 和 calls`,
  ],
  [/^The reply is not valid JSON: (.+)\.$/s, (why) => `回复不是合法的 JSON：${why}。`],
]

/** What is said about measuring and keeping a store. */
import { factText } from '../i18n/facts.ts'
import type { Lang } from '../i18n/locale.ts'

const en = {
  badTime: (p: { flag: string; text: string }) => `--${p.flag} ${p.text} is not a time`,
  timeHint: 'Write 7d, 24h, or a date such as 2026-01-31.',
  stats: {
    runs: (p: { started: number; ended: number; open: number }) =>
      `${p.started} runs: ${p.ended} ended, ${p.open} open`,
    failed: (p: { failed: number; rate: string }) => `${p.failed} ended otherwise than as wished (${p.rate})`,
    span: (p: { from: string; to: string }) => `from ${p.from} to ${p.to} (UTC)`,
    nothing: 'Nothing happened in that time.',
    ends: 'How runs ended',
    all: 'all',
    time: { count: 'count', avg: 'avg ms', p50: 'p50 ms', p95: 'p95 ms', max: 'max ms' },
    steps: 'Steps',
    step: 'a reply and its calls',
    node: 'a workflow node',
    tools: 'Tools',
    failures: 'failed',
    refused: 'refused',
    models: 'Models',
    tokensIn: 'tokens in',
    tokensOut: 'tokens out',
    retries: 'retried',
    cost: 'cost USD',
    unknown: 'unknown',
    total: 'all models',
    unpriced: (p: { models: string }) => `No price is known for ${p.models}; put one under agent.prices.`,
    prices: (p: { dates: string }) =>
      `Costs are list prices as read ${p.dates}; caching and discounts are not in them.`,
    reasons: 'Why calls and actions were refused',
    stages: 'Where in the gate',
    questions: 'Questions to a person',
    asked: 'asked',
    answers: { y: 'yes, once', a: 'yes, for the session', n: 'no' },
    inspections: 'Planted orders found',
    scouts: 'Scouts',
    started: 'started',
    decisions: 'Decisions',
    decision: {
      batches: 'batches',
      authorized: 'actions authorised',
      denied: 'actions denied',
      executed: 'actions executed',
      failed: 'actions failed',
    },
    routines: 'Routines',
    routine: { fired: 'fired', skipped: 'left out', finished: 'finished' },
  },
  export: {
    oneOf: 'give --run, --session or --since, not several of them',
    done: (p: { events: number; runs: number }) => `${p.events} events of ${p.runs} runs written.`,
    exists: (p: { file: string }) => `there is already a file ${p.file}`,
    existsHint: 'Give the export another name; nothing is written over.',
  },
  prune: {
    oneOf: 'give --before, --keep or --session, not several of them',
    which: 'what shall be deleted?',
    whichHint: 'Give --keep 30d, --before 2026-01-31 or --session ID, or set agent.retention.days.',
    would: (p: { runs: number; events: number }) => `${p.runs} runs with ${p.events} events would be deleted.`,
    done: (p: { runs: number; events: number }) =>
      `${p.runs} runs with ${p.events} events deleted; each left a tombstone in the chain of seals.`,
    kept: (p: { run: string; seq: number; why: string }) =>
      `Not deleted, since it does not verify: run ${p.run}, event ${p.seq}: ${p.why}`,
    noSession: (p: { id: string }) => `there is no session ${p.id} here`,
  },
  backup: {
    postgres: 'the store is in PostgreSQL, which has its own backups',
    postgresHint:
      'Use pg_dump --format=custom --schema=writ "$WRIT_DATABASE_URL" > FILE, or base backups with WAL archiving.',
    done: (p: { file: string; runs: number; events: number }) =>
      `${p.file}: ${p.runs} runs with ${p.events} events, verified. To restore, put it in a data folder as journal.db.`,
    broken: (p: { n: number }) =>
      `The copy is exact, and what it copies does not verify in ${p.n} places: see writ audit verify.`,
  },
  work: {
    badNumber: (p: { text: string; min: number }) => `--at-once ${p.text} is not a number from ${p.min} to 100`,
    shared: (p: { n: number }) => `At work: jobs of this database, ${p.n} at once; routines; runs that were cut off.`,
    single: 'At work: routines, and runs that were cut off. Jobs from other processes need PostgreSQL (agent.store).',
    goesOn: (p: { run: string }) => `Going on with run ${p.run}, whose worker is gone.`,
    failed: (p: { run: string; why: string }) => `${p.run === '' ? 'Looking for work' : `Run ${p.run}`}: ${p.why}`,
    pruned: (p: { runs: number }) => `${p.runs} runs older than agent.retention.days deleted.`,
    ending: 'Ending: no new work is taken, and what is under way may finish.',
  },
}

export type OperateTexts = typeof en

const zh: OperateTexts = {
  badTime: ({ flag, text }) => `--${flag} ${text} 不是时间`,
  timeHint: '请写 7d、24h 或日期，例如 2026-01-31。',
  stats: {
    runs: ({ started, ended, open }) => `${started} 次运行：已结束 ${ended}，未结束 ${open}`,
    failed: ({ failed, rate }) => `${failed} 次未能如愿结束（${rate}）`,
    span: ({ from, to }) => `自 ${from} 至 ${to}（UTC）`,
    nothing: '这段时间里什么也没有发生。',
    ends: '运行如何结束',
    all: '合计',
    time: { count: '次数', avg: '平均毫秒', p50: 'p50 毫秒', p95: 'p95 毫秒', max: '最长毫秒' },
    steps: '步骤',
    step: '一次回复及其调用',
    node: '一个工作流节点',
    tools: '工具',
    failures: '失败',
    refused: '被拒',
    models: '模型',
    tokensIn: '输入 token',
    tokensOut: '输出 token',
    retries: '重试',
    cost: '费用（美元）',
    unknown: '未知',
    total: '全部模型',
    unpriced: ({ models }) => `不知道 ${models} 的价格；可写在 agent.prices 下。`,
    prices: ({ dates }) => `费用按 ${dates} 查得的标价计算，不含缓存与折扣。`,
    reasons: '调用与动作为何被拒',
    stages: '在闸门的哪一关',
    questions: '向人提问',
    asked: '提问',
    answers: { y: '同意一次', a: '本会话都同意', n: '不同意' },
    inspections: '发现的植入指令',
    scouts: '侦察员',
    started: '启动',
    decisions: '决策',
    decision: {
      batches: '批次',
      authorized: '已授权动作',
      denied: '被拒动作',
      executed: '已执行动作',
      failed: '失败动作',
    },
    routines: '例行任务',
    routine: { fired: '触发', skipped: '略过', finished: '完成' },
  },
  export: {
    oneOf: '--run、--session 与 --since 只能给一个',
    done: ({ events, runs }) => `已写出 ${runs} 次运行的 ${events} 个事件。`,
    exists: ({ file }) => `已有文件 ${file}`,
    existsHint: '请换个名字；不会覆盖任何文件。',
  },
  prune: {
    oneOf: '--before、--keep 与 --session 只能给一个',
    which: '要删除什么？',
    whichHint: '请给出 --keep 30d、--before 2026-01-31 或 --session ID，或设置 agent.retention.days。',
    would: ({ runs, events }) => `将删除 ${runs} 次运行的 ${events} 个事件。`,
    done: ({ runs, events }) => `已删除 ${runs} 次运行的 ${events} 个事件；每次都在封印链中留下墓碑。`,
    kept: ({ run, seq, why }) => `未删除，因为校验不符：运行 ${run}，事件 ${seq}：${why}`,
    noSession: ({ id }) => `这里没有会话 ${id}`,
  },
  backup: {
    postgres: '存储在 PostgreSQL 中，它有自己的备份方式',
    postgresHint: '请用 pg_dump --format=custom --schema=writ "$WRIT_DATABASE_URL" > FILE，或用基础备份加 WAL 归档。',
    done: ({ file, runs, events }) =>
      `${file}：${runs} 次运行、${events} 个事件，已校验。恢复时把它放进数据文件夹，命名为 journal.db。`,
    broken: ({ n }) => `副本与原件一致，但原件有 ${n} 处校验不符：见 writ audit verify。`,
  },
  work: {
    badNumber: ({ text, min }) => `--at-once ${text} 不是 ${min} 到 100 的数`,
    shared: ({ n }) => `开始工作：本数据库的作业，同时 ${n} 个；例行任务；被中断的运行。`,
    single: '开始工作：例行任务与被中断的运行。接收其他进程的作业需要 PostgreSQL（agent.store）。',
    goesOn: ({ run }) => `继续运行 ${run}，原来的进程已不在。`,
    failed: ({ run, why }) => `${run === '' ? '寻找工作时' : `运行 ${run}`}：${factText(why, 'zh')}`,
    pruned: ({ runs }) => `已删除 ${runs} 次早于 agent.retention.days 的运行。`,
    ending: '正在结束：不再领取新作业，进行中的可以做完。',
  },
}

export function operateTexts(lang: Lang): OperateTexts {
  return lang === 'zh' ? zh : en
}

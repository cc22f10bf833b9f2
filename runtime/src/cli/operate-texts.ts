/** Texts of stats, export, prune, backup and work. */
import type { Lang } from '../i18n/locale.ts'

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

const en = {
  stats: {
    runs: (p: { started: number; ended: number; open: number }) =>
      `${count(p.started, 'run')}: ${p.ended} ended, ${p.open} open`,
    failed: (p: { failed: number; rate: string }) => `${p.failed} failed (${p.rate})`,
    span: (p: { from: string; to: string }) => `from ${p.from} to ${p.to} (UTC)`,
    nothing: 'No runs in that time.',
    ends: 'How runs ended',
    all: 'all',
    time: { count: 'count', avg: 'avg ms', p50: 'p50 ms', p95: 'p95 ms', max: 'max ms' },
    steps: 'Steps',
    step: 'model reply and its calls',
    node: 'workflow node',
    tools: 'Tools',
    failures: 'failed',
    refused: 'denied',
    models: 'Models',
    tokensIn: 'tokens in',
    tokensCached: 'cached',
    tokensOut: 'tokens out',
    retries: 'retries',
    cost: 'cost USD',
    unknown: 'unknown',
    total: 'all models',
    unpriced: (p: { models: string }) => `No price known for ${p.models}; set one in agent.prices.`,
    prices: (p: { dates: string }) => `Costs are list prices of ${p.dates}, without caching and discounts.`,
    reasons: 'Reasons for denial',
    stages: 'Denials by gate stage',
    questions: 'Approval questions',
    asked: 'asked',
    answers: { y: 'yes, once', a: 'yes, for the session', n: 'no' },
    inspections: 'Prompt injection found',
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
    routine: { fired: 'started', skipped: 'skipped', finished: 'finished' },
  },
  export: {
    done: (p: { events: number; runs: number }) => `Exported ${count(p.events, 'event')} of ${count(p.runs, 'run')}.`,
    files: (p: { files: number }) =>
      `Not exported: pictures and PDFs (${p.files}); the files are in "results" of the data folder.`,
  },
  prune: {
    would: (p: { runs: number; events: number }) =>
      `Would delete ${count(p.runs, 'run')} with ${count(p.events, 'event')}.`,
    done: (p: { runs: number; events: number }) =>
      `Deleted ${count(p.runs, 'run')} with ${count(p.events, 'event')}; each run left a tombstone in the chain.`,
    nothing: 'Nothing to delete.',
    ask: 'This cannot be undone. Delete? [y/N]',
    declined: 'Nothing was deleted.',
    kept: (p: { run: string; seq: number; why: string }) =>
      `Not deleted because it does not verify: run ${p.run}, event ${p.seq}: ${p.why}`,
  },
  backup: {
    done: (p: { file: string; runs: number; events: number }) =>
      `${p.file}: ${count(p.runs, 'run')} with ${count(p.events, 'event')}, verified. To restore, copy it to journal.db in a data folder.`,
    files: (p: { folder: string }) =>
      `Not in the backup: attachments, pictures and long results. Copy ${p.folder} as well.`,
    broken: (p: { n: number }) =>
      `The copy is exact, but the original does not verify in ${count(p.n, 'place')}: see \`writ audit verify\`.`,
  },
  work: {
    shared: (p: { n: number }) =>
      `Worker started: jobs of this database (up to ${p.n} at a time), routines, interrupted runs.`,
    single: 'Worker started: routines, interrupted runs. Jobs of other processes need PostgreSQL (agent.store).',
    resumed: (p: { run: string }) => `Resuming run ${p.run}; its worker died.`,
    failed: (p: { run: string; why: string }) => `${p.run === '' ? 'Worker' : `Run ${p.run}`}: ${p.why}`,
    pruned: (p: { runs: number }) => `Deleted ${count(p.runs, 'run')} older than agent.retention.days.`,
    ending: 'Stopping: no new work is started, running work may finish.',
  },
}

export type OperateTexts = typeof en

const zh: OperateTexts = {
  stats: {
    runs: ({ started, ended, open }) => `${started} 次运行：已结束 ${ended}，未结束 ${open}`,
    failed: ({ failed, rate }) => `失败 ${failed} 次（${rate}）`,
    span: ({ from, to }) => `自 ${from} 至 ${to}（UTC）`,
    nothing: '这段时间内没有运行。',
    ends: '运行的结果',
    all: '合计',
    time: { count: '次数', avg: '平均毫秒', p50: 'p50 毫秒', p95: 'p95 毫秒', max: '最长毫秒' },
    steps: '步骤',
    step: '模型回复及其调用',
    node: '工作流节点',
    tools: '工具',
    failures: '失败',
    refused: '拒绝',
    models: '模型',
    tokensIn: '输入 token',
    tokensCached: '其中缓存',
    tokensOut: '输出 token',
    retries: '重试',
    cost: '费用（美元）',
    unknown: '未知',
    total: '全部模型',
    unpriced: ({ models }) => `没有 ${models} 的价格；可在 agent.prices 中设置。`,
    prices: ({ dates }) => `费用按 ${dates} 的标价计算，不含缓存和折扣。`,
    reasons: '拒绝的原因',
    stages: '按闸门阶段统计的拒绝',
    questions: '审批询问',
    asked: '询问',
    answers: { y: '允许一次', a: '本会话内始终允许', n: '不允许' },
    inspections: '发现的提示注入',
    scouts: '侦察员',
    started: '启动',
    decisions: '决策',
    decision: {
      batches: '批次',
      authorized: '已授权动作',
      denied: '已拒绝动作',
      executed: '已执行动作',
      failed: '失败动作',
    },
    routines: '例行任务',
    routine: { fired: '启动', skipped: '跳过', finished: '完成' },
  },
  export: {
    done: ({ events, runs }) => `已导出 ${runs} 次运行的 ${events} 个事件。`,
    files: ({ files }) => `未导出其中提到的 ${files} 个图片或 PDF；文件位于数据文件夹的 "results" 中。`,
  },
  prune: {
    would: ({ runs, events }) => `将删除 ${runs} 次运行的 ${events} 个事件。`,
    done: ({ runs, events }) => `已删除 ${runs} 次运行的 ${events} 个事件；每次运行都在链中留下了墓碑。`,
    nothing: '没有可删除的内容。',
    ask: '此操作无法撤销。确定删除？[y/N]',
    declined: '没有删除任何内容。',
    kept: ({ run, seq, why }) => `未删除，因为无法通过校验：运行 ${run}，事件 ${seq}：${why}`,
  },
  backup: {
    done: ({ file, runs, events }) =>
      `${file}：${runs} 次运行、${events} 个事件，已校验。恢复时请把它复制为数据目录中的 journal.db。`,
    files: ({ folder }) => `备份不包含附件、图片和长结果。请同时复制 ${folder}。`,
    broken: ({ n }) => `副本与原件一致，但原件有 ${n} 处无法通过校验：见 \`writ audit verify\`。`,
  },
  work: {
    shared: ({ n }) => `工作进程已启动：此数据库的作业（最多同时 ${n} 个）、例行任务、已中断的运行。`,
    single: '工作进程已启动：例行任务、已中断的运行。处理其他进程的作业需要 PostgreSQL（agent.store）。',
    resumed: ({ run }) => `正在恢复运行 ${run}；其工作进程已退出。`,
    failed: ({ run, why }) => `${run === '' ? '工作进程' : `运行 ${run}`}：${why}`,
    pruned: ({ runs }) => `已删除 ${runs} 次早于 agent.retention.days 的运行。`,
    ending: '正在停止：不再开始新的工作，正在进行的可以完成。',
  },
}

export function operateTexts(lang: Lang): OperateTexts {
  return lang === 'zh' ? zh : en
}

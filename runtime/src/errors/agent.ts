/** Errors of runs, sessions, jobs and the agent’s assembly. */
import { dollars } from '../base/dollars.ts'
import { entry } from './entry.ts'

const MODES_ZH: Readonly<Record<string, string>> = { workflow: '工作流', scout: '侦察', decision: '决策' }

const SCOPES = { run: 'run', principal: 'total', day: 'daily' } as const
const SCOPES_ZH = { run: '本次运行', principal: '累计', day: '今日' } as const

/** What a model call would have cost, and the limit it exceeds. */
export interface OverBudget {
  scope: keyof typeof SCOPES
  level: 'ask' | 'stop'
  limit: number
  spent: number
  usd: number
}

export const AGENT_ERRORS = {
  OUTPUT_SCHEMA: entry<{ why: string }>({
    exit: 2,
    en: ({ why }) => [`the output schema is not a valid JSON Schema: ${why}`, 'Correct the schema.'],
    zh: ({ why }) => [`输出 schema 不是有效的 JSON Schema：${why}`, '请更正该 schema。'],
  }),
  'OUTPUT_SCHEMA.endless': entry({
    exit: 2,
    en: () => ['the output schema refers to itself without end', 'Remove the circular $ref.'],
    zh: () => ['输出 schema 无限引用自身', '请去掉循环的 $ref。'],
  }),
  'OUTPUT_SCHEMA.tooLong': entry<{ size: number; most: number }>({
    exit: 2,
    en: ({ size, most }) => [
      `the output schema has ${size} characters; at most ${most} are allowed`,
      'Use a smaller schema.',
    ],
    zh: ({ size, most }) => [`输出 schema 有 ${size} 个字符，最多允许 ${most} 个`, '请使用较小的 schema。'],
  }),
  'OUTPUT_SCHEMA.rules': entry({
    exit: 2,
    en: () => [
      'the built-in rules cannot answer in the format of a schema',
      'Connect a model with: writ setup, or name one with --model',
    ],
    zh: () => ['内置规则不能按 schema 的格式回答', '请用 writ setup 连接模型，或用 --model 指定模型。'],
  }),
  'OUTPUT_SCHEMA.file': entry<{ file: string; why: string }>({
    exit: 2,
    en: ({ file, why }) => [`cannot read the output schema ${file}: ${why}`, 'Name a file with a JSON Schema object.'],
    zh: ({ file, why }) => [`无法读取输出 schema ${file}：${why}`, '请指定一个内容为 JSON Schema 对象的文件。'],
  }),
  BUDGET_EXCEEDED: entry<OverBudget>({
    status: 429,
    exit: 1,
    en: ({ scope, level, limit, spent, usd }) => [
      `${SCOPES[scope]} budget: ${dollars(spent)} spent, this call can cost ${dollars(usd)}, ${level === 'stop' ? 'the limit is' : 'approval is needed above'} ${dollars(limit)}`,
      `Raise agent.budget.${scope}.${level} in your own configuration, or lower agent.maxOutputTokens.`,
    ],
    zh: ({ scope, level, limit, spent, usd }) => [
      `${SCOPES_ZH[scope]}预算：已花费 ${dollars(spent)}，这次调用最多花费 ${dollars(usd)}，${level === 'stop' ? '上限为' : '需要审批的界限为'} ${dollars(limit)}`,
      `请在你自己的配置中提高 agent.budget.${scope}.${level}，或降低 agent.maxOutputTokens。`,
    ],
  }),
  PRICE_UNKNOWN: entry<{ model: string }>({
    exit: 1,
    en: ({ model }) => [
      `the price of ${model} is unknown, so it cannot be counted against the budget`,
      `Set agent.prices["${model}"], or approve it when asked.`,
    ],
    zh: ({ model }) => [`${model} 的价格未知，无法计入预算`, `请设置 agent.prices["${model}"]，或在询问时批准。`],
  }),
  RUN_UNKNOWN: entry<{ run: string }>({
    status: 404,
    en: ({ run }) => [`unknown run ${run}`, 'List runs with `writ trace`.'],
    zh: ({ run }) => [`没有运行 ${run}`, '用 `writ trace` 列出运行。'],
  }),
  RUN_NOT_RESUMABLE: entry<{ run: string; mode: string }>({
    status: 409,
    en: ({ run, mode }) => [
      `run ${run} is a ${mode} run and cannot be resumed on its own`,
      'Start it again the way it was started.',
    ],
    zh: ({ run, mode }) => [`运行 ${run} 属于${MODES_ZH[mode] ?? mode}，不能单独恢复`, '请用当初的方式重新启动。'],
  }),
  'RUN_NOT_RESUMABLE.damaged': entry<{ run: string; seq: number }>({
    status: 409,
    en: ({ run, seq }) => [
      `run ${run} cannot be resumed: its journal is damaged at event ${seq}`,
      'Check the journal with `writ audit verify`, and start a new turn in its session.',
    ],
    zh: ({ run, seq }) => [
      `运行 ${run} 无法恢复：日志在事件 ${seq} 处已损坏`,
      '请用 `writ audit verify` 检查日志，并在它的会话中开始新的一轮。',
    ],
  }),
  RUN_ENDED: entry<{ run: string; reason: string }>({
    status: 409,
    en: ({ run, reason }) => [`run ${run} has ended (${reason})`, 'Start a new turn in its session instead.'],
    zh: ({ run, reason }) => [`运行 ${run} 已结束（${reason}）`, '请改为在它的会话中开始新的一轮。'],
  }),
  'RUN_ENDED.decision': entry<{ run: string }>({
    status: 409,
    en: ({ run }) => [
      `run ${run} is a decision whose window is over; it cannot be resumed`,
      'Decide again with `writ decide`.',
    ],
    zh: ({ run }) => [`运行 ${run} 是一次决策，其窗口已过，无法恢复`, '请用 `writ decide` 重新决策。'],
  }),
  'RUN_ENDED.guard': entry<{ run: string }>({
    status: 409,
    en: ({ run }) => [
      `run ${run} is of an outside agent and has no open question; it cannot be resumed here`,
      'Go on in that agent.',
    ],
    zh: ({ run }) => [`运行 ${run} 属于外部智能体，且没有待批准的问题，不能在此恢复`, '请在该智能体中继续。'],
  }),
  ANSWER_NO_TERMINAL: entry<{ run: string }>({
    exit: 2,
    status: 409,
    en: ({ run }) => [
      `run ${run} waits for an approval, but there is no terminal to ask in`,
      'Run the command in a terminal, or answer in the console.',
    ],
    zh: ({ run }) => [`运行 ${run} 在等待审批，但没有可以询问的终端`, '请在终端中运行此命令，或在控制台中答复。'],
  }),
  RUN_INTERRUPTED: entry<{ run: string; isWorkflow: boolean }>({
    exit: 143,
    retryable: true,
    en: ({ run, isWorkflow }) => [
      `run ${run} was interrupted because this process was asked to end`,
      `Resume it with \`${resumeCommand(run, isWorkflow)}\`. A server resumes its runs when it starts again.`,
    ],
    zh: ({ run, isWorkflow }) => [
      `运行 ${run} 已中断：本进程被要求结束`,
      `可用 \`${resumeCommand(run, isWorkflow)}\` 恢复。服务器重新启动时会恢复它的运行。`,
    ],
  }),
  AGENT_CLOSED: entry({
    status: 409,
    en: () => ['the agent was closed', 'Create another one with createAgent, and close it after its last run.'],
    zh: () => ['该智能体已关闭', '请用 createAgent 新建一个，并在最后一次运行之后再关闭。'],
  }),
  STREAM_LEFT: entry({
    status: 409,
    en: () => [
      'the stream was left before its run had ended, so there is no result',
      'Read the stream to its end, or resume the run.',
    ],
    zh: () => ['运行尚未结束，事件流就已停止读取，因此没有结果', '请把事件流读完，或恢复该运行。'],
  }),
  SESSION_UNKNOWN: entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [
      `there is no session ${id} here`,
      'Leave out sessionId to start a new one. Sessions are in the data folder they were started in.',
    ],
    zh: ({ id }) => [`这里没有会话 ${id}`, '不给出 sessionId 会开始新会话。会话保存在启动它时所用的数据文件夹中。'],
  }),
  SESSION_BUSY: entry<{ session: string }>({
    status: 409,
    retryable: true,
    en: ({ session }) => [
      `another turn of session ${session} is still running`,
      'Wait until it has ended, or cancel it. A session runs one turn at a time.',
    ],
    zh: ({ session }) => [`会话 ${session} 的另一轮仍在运行`, '请等它结束，或取消它。一个会话同一时间只运行一轮。'],
  }),
  SESSION_NOT_YOURS: entry<{ session: string; owner: string }>({
    status: 403,
    en: ({ session, owner }) => [`session ${session} belongs to another principal (${owner})`, 'Start a new session.'],
    zh: ({ session, owner }) => [`会话 ${session} 属于另一个主体（${owner}）`, '请新建一个会话。'],
  }),
  SESSION_WAITING: entry<{ session: string }>({
    status: 409,
    en: ({ session }) => [`session ${session} is waiting for an approval`, 'Answer it first, or cancel its run.'],
    zh: ({ session }) => [`会话 ${session} 正在等待审批`, '请先答复，或取消它的运行。'],
  }),
  QUESTION_CLOSED: entry<{ call: string }>({
    status: 409,
    en: ({ call }) => [
      `the approval of call ${call} is no longer open`,
      'It was answered already, or its run has ended. See the run with `writ trace`.',
    ],
    zh: ({ call }) => [`调用 ${call} 的审批已关闭`, '它已被答复，或其运行已结束。可用 `writ trace` 查看该运行。'],
  }),
  JOB_GONE: entry({
    status: 503,
    en: () => [
      'the job is no longer in the queue: it was given up',
      'Check the logs of the workers. The journal shows how far the run got.',
    ],
    zh: () => ['任务已不在队列中：它已被放弃', '请查看工作进程的日志。运行的进展见日志。'],
  }),
  ROUTE_UNKNOWN: entry<{ name: string; routes: readonly string[] }>({
    en: ({ name, routes }) => [`unknown route "${name}"`, `Give one of ${routes.join(', ')}.`],
    zh: ({ name, routes }) => [`没有名为“${name}”的路由`, `请给出其中之一：${routes.join('、')}。`],
  }),
  ROUTE_MISSING: entry<{ routes: readonly string[] }>({
    en: ({ routes }) => ['a batch needs its route', `Give one of ${routes.join(', ')}.`],
    zh: ({ routes }) => ['批次需要注明路由', `请给出其中之一：${routes.join('、')}。`],
  }),
  SCRIPT_MISSING: entry({
    en: () => [
      'the model is "scripted", but there is no script',
      'Give `--script FILE` on the command line, or pass a scripted model to createAgent.',
    ],
    zh: () => [
      '模型是 "scripted"，但没有脚本',
      '请在命令行用 `--script FILE` 给出脚本，或把脚本模型传给 createAgent。',
    ],
  }),
  /** `reply` is the text the turn was committed with, in the language of the run. */
  PROVIDER_ERROR: entry<{ reply: string }>({
    status: 502,
    en: ({ reply }) => [
      reply,
      'Send the message again. If it keeps failing, check the key, the model name and the network: `writ doctor`.',
    ],
    zh: ({ reply }) => [reply, '请重新发送该消息。若仍然失败，请检查密钥、模型名称和网络：`writ doctor`。'],
  }),
  INTERNAL_ERROR: entry<{ reply: string }>({
    status: 500,
    en: ({ reply }) => [reply, 'Send the message again. The journal has the details: `writ trace`.'],
    zh: ({ reply }) => [reply, '请重新发送该消息。详情见日志：`writ trace`。'],
  }),
  AUDIT_HEADS_UNWRITABLE: entry<{ file: string; why: string }>({
    en: ({ file, why }) => [
      `cannot write ${file}: ${why}`,
      'Correct agent.audit.headsFile, or make the file writable.',
    ],
    zh: ({ file, why }) => [`无法写入 ${file}：${why}`, '请更正 agent.audit.headsFile，或使该文件可写。'],
  }),
  'ANSWER_INVALID.several': entry({
    status: 400,
    en: () => ['an answer has at most one of remember, reason and edit', 'Send one of them.'],
    zh: () => ['一个答复最多包含 remember、reason、edit 之一', '请只发送其中一项。'],
  }),
  'ANSWER_INVALID.offer': entry<{ count: number }>({
    status: 400,
    en: ({ count }) => [
      'this question does not offer that rule',
      count === 0
        ? 'It offers none. Answer without "remember".'
        : `Answer "y" and use an offer from 0 to ${count - 1}.`,
    ],
    zh: ({ count }) => [
      '该审批没有提供这条规则',
      count === 0 ? '它没有可记住的规则，请去掉 "remember"。' : `请答复 "y"，并使用 0 到 ${count - 1} 的选项。`,
    ],
  }),
  'ANSWER_INVALID.reason': entry<{ most: number }>({
    status: 400,
    en: ({ most }) => ['a reason belongs to the answer "n"', `Use "n" and at most ${most} characters.`],
    zh: ({ most }) => ['理由只能与答复 "n" 一起使用', `请使用 "n"，理由最多 ${most} 个字符。`],
  }),
  'ANSWER_INVALID.edit': entry({
    status: 400,
    en: () => [
      'changed arguments belong to the answer "y", as an object without masked values',
      'Replace every [REDACTED:…] with its value, or leave the call as it is.',
    ],
    zh: () => [
      '修改后的参数只能与答复 "y" 一起使用，且必须是不含遮盖值的对象',
      '请把每个 [REDACTED:…] 换成实际的值，或不修改该调用。',
    ],
  }),
  RULE_NOT_STORED: entry({
    en: () => ['rules cannot be stored here', 'Remember it for the session.'],
    zh: () => ['这里无法保存规则', '请只在本会话中记住它。'],
  }),
  RULE_UNKNOWN: entry<{ id: string }>({
    status: 404,
    en: ({ id }) => [`no remembered rule ${id}`, 'List them with `writ policy rules`, or /approvals in a chat.'],
    zh: ({ id }) => [`没有已记住的规则 ${id}`, '可用 `writ policy rules` 查看，或在对话中使用 /approvals。'],
  }),
}

function resumeCommand(run: string, isWorkflow: boolean): string {
  return `writ ${isWorkflow ? 'workflow resume' : 'resume'} ${run}`
}

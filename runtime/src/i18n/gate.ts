import type { AskedClass } from '../protocol/command.ts'
import { SCALE_FACTS, type ScaleFact } from './scale-facts.ts'

/** Why a call's target or deed is in doubt; every question names its rule. */
export type ProvenanceRule =
  | 'flagged'
  | 'ordered'
  | 'several'
  | 'other'
  | 'unasked'
  | 'surplus'
  | 'discloses'
  | 'withheld'
  | 'picture'
  | 'nowhere'
  | 'carries'
  | 'link'
  | 'untrusted'
  | 'suggested'

/** How far the user's words ask for an action. */
export type Warrant = 'asked' | 'implied' | 'delegated' | 'unsaid' | 'none'

export interface ProvenanceDoubt {
  rule: ProvenanceRule
  /** What decided, besides the text: the kind of action and its warrant, and what was suspicious in this run. */
  facts: { deed: string; warrant: Warrant; suspicious: readonly string[]; because?: readonly ScaleFact[] } | undefined
  target: string | undefined
  tool: string
  /** The tool result in question, by tool and call. */
  from: string | undefined
}

/** What a task's intent still allows. */
interface IntentLeft {
  intent: string
  allowed: readonly string[]
  soft: readonly string[]
  left: number
  /** The next block ends the run. */
  isLastWarning: boolean
}

/** The gate's reasons for denying or asking, for users and models. */
export interface GateTexts {
  runOver(why: 'cancelled' | 'ended' | 'deadline' | 'budget'): string
  unknownTool(tool: string): string
  toolNotAllowed(tool: string): string
  useListedTools: string
  didYouMean(tool: string): string
  autonomyForbids(tool: string): string
  riskExceedsCapability(risk: string, route: string, max: string): string
  riskExceedsConfig(risk: string, max: string, why: string | undefined): string
  confidenceTooLow(confidence: number, floor: number): string
  maxToolCalls(limit: number): string
  toolCallLimit(limit: number): string
  reportNow: string
  rateLimited(tool: string, perSecond: number, burst: number): string
  actionCap(cap: number): string
  readBeforeReport: string
  readFirst: string
  scoutsDisabled: string
  scoutEntryForbidden(mode: string): string
  scoutOptOut: string
  scoutBudget(used: number, budget: number): string
  scoutCooldown(turns: number): string
  scoutQueueFull(busy: { asked: number; running: number; waiting: number }): string
  answerDirectly: string
  fewerTasks: string
  softBlocked(intent: string, family: string, count: string): string
  familyBlocked(intent: string, family: string, tool: string): string
  intentHint(left: IntentLeft): string
  actionBlocked(type: string): string
  actionDeferred: string
  actionCapability(type: string, route: string): string
  targetNotInContext(target: string | null): string
  intentIdle(type: string): string
  provenance(doubt: ProvenanceDoubt): string
  provenanceHint: string
  argsInvalid(tool: string, errors: readonly string[]): string
  fixArgs: string
  pathOutside(path: string): string
  pathProtected(path: string): string
  pathClosed(path: string): string
  pathBlocked(path: string, rule: string): string
  pathBlockedHint(rule: string): string
  hostForbidden(host: string, port: number, why: string): string
  notWebAddress(url: string): string
  domainNotAllowed(host: string, allowed: readonly string[]): string
  methodNotAllowed(method: string, allowed: readonly string[]): string
  configLocked(keys: readonly string[]): string
  unchecked(why: string): string
  commandNotListed(commands: readonly string[]): string
  commandUnparsed(why: string): string
  ruleDenied(rule: { from: string; reason?: string }): string
  ruleAsked(rule: { from: string; reason?: string }): string
  ruleHint(rule: { from: string }): string
  /** Why a class of commands always needs approval. */
  asked: Record<AskedClass, string>
  noConfirmChannel(question: string): string
  noConfirmHint: string
  secretCannotWait: { message: string; hint: string }
  /** Of a question that waits for its answer already. */
  stillAsked(asked: { run: string; data: string }): { message: string; hint: string }
  userRejected: string
  userRejectedWhy(reason: string): string
}

/** The facts behind a question, in one line. */
function factLine(
  facts: ProvenanceDoubt['facts'],
  texts: { warrants: Record<Warrant, string>; suspicious: string; because: Readonly<Record<ScaleFact, string>> },
): string {
  if (facts === undefined) return ''
  const { deed, warrant, suspicious, because = [] } = facts
  const read = suspicious.length === 0 ? '' : `${texts.suspicious}${suspicious.join(', ')}`
  const why = because.map((fact) => `; ${texts.because[fact]}`).join('')
  return ` (${deed}: ${texts.warrants[warrant]}${why}${read})`
}

const upTo = (max: string): string => (max === 'Low' ? max : `Low- to ${max}`)

const en: GateTexts = {
  runOver: (why) =>
    ({
      cancelled: 'the run was cancelled',
      ended: 'the run has ended; no further calls are possible',
      deadline: 'the run has timed out',
      budget: 'the run has used up its token budget',
    })[why],
  unknownTool: (tool) => `there is no tool named "${tool}"`,
  toolNotAllowed: (tool) => `the tool "${tool}" is not available in this run`,
  useListedTools: 'Use one of the tools listed in the instructions.',
  didYouMean: (tool) => `Did you mean ${tool}?`,
  autonomyForbids: (tool) => `ReadOnly mode: only low-risk reads run; "${tool}" is not one`,
  riskExceedsCapability: (risk, route, max) =>
    route === 'RuleBased'
      ? `${risk} risk: the built-in rules may only run ${max}-risk calls without approval`
      : `${risk} risk: ${route === 'Mock' ? 'a scripted model' : route} may only run ${upTo(max)}-risk calls without approval`,
  riskExceedsConfig: (risk, max, why) =>
    `${risk} risk${why === undefined ? '' : ` (${why})`}: only ${upTo(max)}-risk calls run without approval`,
  confidenceTooLow: (confidence, floor) => `confidence ${confidence} is below the minimum of ${floor}`,
  maxToolCalls: (limit) => `all ${limit} tool calls of this run are used`,
  toolCallLimit: (limit) => `the limit of ${limit} tool calls is reached; no other tool can be called`,
  reportNow: 'Call report_findings now with what you have read.',
  rateLimited: (tool, perSecond, burst) =>
    `rate limit of "${tool}" exceeded (${perSecond} per second, bursts of ${burst})`,
  actionCap: (cap) => `this intent already has the maximum of ${cap} approved actions`,
  readBeforeReport: 'report_findings needs at least one successful read_doc first',
  readFirst: '请先使用 read_doc (use read_doc first)',
  scoutsDisabled: 'scouts are off (agent.scout.enabled)',
  scoutEntryForbidden: (mode) => `a ${mode} run cannot send scouts; only the main conversation can`,
  scoutOptOut: 'the user asked not to look things up',
  scoutBudget: (used, budget) => `the session has used ${used} of its ${budget} tokens (agent.sessionTokenBudget)`,
  scoutCooldown: (turns) =>
    `scouts were sent recently; none can be sent for ${turns} more turn${turns === 1 ? '' : 's'}, including this one (agent.scout.cooldownTurns)`,
  scoutQueueFull: ({ asked, running, waiting }) =>
    `no capacity for ${asked} more: ${running} scouts are running and ${waiting} are queued (agent.scout.maxQueue, overflow)`,
  answerDirectly: 'Answer with what you know, and say what is uncertain.',
  fewerTasks: 'Send fewer, or send them later.',
  softBlocked: (intent, family, count) =>
    `the task's intent ${intent} allows only a few calls of family ${family}: this is call ${count}`,
  familyBlocked: (intent, family, tool) =>
    `the task's intent ${intent} does not allow family ${family} (tool "${tool}")`,
  intentHint: ({ intent, allowed, soft, left, isLastWarning }) =>
    `Allowed families: ${allowed.join(', ') || 'none'}.${soft.length === 0 ? '' : ` Calls left of ${soft.join(', ')}: ${left}.`}${isLastWarning ? ' The next blocked call ends the run.' : ''} To change this, edit agent.execution.intentGuard.intents.${intent}.`,
  actionBlocked: (type) => `actions of type ${type} are blocked`,
  actionDeferred: 'a Deferred action is not executed in this batch',
  actionCapability: (type, route) => `${route} may not propose ${type}`,
  intentIdle: (type) => `the intent is Idle: it predicts no activity, so ${type} is not justified`,
  targetNotInContext: (target) =>
    `the target ${target === null ? '(none)' : `"${target}"`} was not observed in this window`,
  provenance({ rule, target, tool, from = 'an earlier call', facts }) {
    const it = target === undefined ? `"${tool}"` : `"${target}"`
    const text = {
      flagged: `${it} appears only in the result of ${from}, which contains prompt injection`,
      ordered: `${it} appears only in the result of ${from}, and that text itself asks for this action`,
      several: `${it} is one of several candidates in the result of ${from}, and that text itself asks for it`,
      other: `${it} appears only in the result of ${from}, but you named a different target`,
      unasked: `you did not ask for anything like "${tool}", and the result of ${from} was read before`,
      surplus: `"${tool}" has already run as often as you asked; ${it} would be one more (read: ${from})`,
      withheld: `you did not name ${it}, and the result of ${from} was withheld for prompt injection`,
      picture: `you did not name ${it}, and ${from} showed a picture or scan whose content cannot be inspected`,
      nowhere: `${it} was named neither by you nor by any text in this run (last read: ${from})`,
      link: `the call would pass on ${it}, which the result of ${from} asks to spread or which is suspicious`,
      carries: `${it} would send data to an address that the result of ${from} asked to open`,
      untrusted: `${it} appears only in the result of ${from}, an untrusted source`,
      suggested: `the result of ${from} explains "${tool}" better than your words do`,
      discloses: `${it} is on a host you did not name, and the request may contain data read in this run (last read: ${from})`,
    }[rule]
    const warrants = {
      asked: 'you asked for it',
      implied: 'not named in your words',
      delegated: 'you left it to a text',
      unsaid: 'you asked for something else',
      none: 'you only asked for information',
    }
    return `${text} [rule: ${rule}]${factLine(facts, { warrants, suspicious: '; suspicious results: ', because: SCALE_FACTS.en })}`
  },
  provenanceHint: 'Name the target yourself, or list the tool in agent.security.trustedSources.',
  argsInvalid: (tool, errors) => `invalid arguments for "${tool}": ${errors.join('; ')}`,
  fixArgs: "Correct the arguments to match the tool's schema.",
  pathOutside: (path) => `"${path}" is outside the workspace`,
  pathProtected: (path) =>
    `"${path}" belongs to the runtime (policy, journal, skills or identity) and cannot be changed`,
  pathClosed: (path) => `"${path}" is one of Writ's own records; no tool can read it`,
  pathBlocked: (path, rule) => `"${path}" is blocked by agent.security.blockedPaths ("${rule}")`,
  pathBlockedHint: (rule) =>
    `To unblock it, the user adds "${rule}" to agent.security.unblockedPaths in their own configuration, or removes their own entry from blockedPaths.`,
  notWebAddress: (url) => `${JSON.stringify(url)} is not an http or https address with a host`,
  hostForbidden: (host, port, why) => `${host}:${port} is blocked for all tools (${why})`,
  domainNotAllowed: (host, allowed) => `${host} is not an allowed domain (allowed: ${allowed.join(', ') || 'none'})`,
  methodNotAllowed: (method, allowed) =>
    `${method} is not an allowed method (allowed: ${allowed.join(', ') || 'none'})`,
  configLocked: (keys) => `the configuration is locked: ${keys.join(', ')}`,
  unchecked: (why) => `cannot check what this call would affect: ${why}`,
  commandNotListed: (commands) => `not in the list of allowed commands: ${commands.join(', ')}`,
  commandUnparsed: (why) => `cannot fully parse the command line: ${why}`,
  ruleDenied: ({ from, reason }) => `${reason ?? 'a rule denies this call'} [rule: ${from}]`,
  ruleAsked: ({ from, reason }) => `${reason ?? 'a rule requires approval for this call'} [rule: ${from}]`,
  ruleHint: ({ from }) => `The user can change this rule in ${from}.`,
  asked: {
    publish: 'publishing always needs approval',
    'lose-work': 'it can destroy work',
    'delete-outside': 'it deletes outside the workspace',
    remote: 'it changes another system',
    send: 'it sends data to another system',
    credentials: 'it shows or changes credentials',
    pay: 'it orders or pays',
    'run-programs': 'it runs programs from elsewhere',
    system: 'it changes the machine',
  },
  noConfirmChannel: (question) => `needs approval, but there is no terminal to ask in: ${question}`,
  noConfirmHint: 'Run in a terminal, use --yes, or allow it in the configuration.',
  secretCannotWait: {
    message: 'needs approval, but contains a secret: the journal does not store secrets, so the call cannot wait',
    hint: 'Put the secret in an environment variable and name the variable in the call.',
  },
  stillAsked: ({ run, data }) => ({
    message: 'needs approval, which was asked for before and not given yet',
    hint: `A person answers with \`writ resume ${run} --data ${data}\`. Then make the same call again.`,
  }),
  userRejected: 'the user said no',
  userRejectedWhy: (reason) => `the user said no: ${reason}`,
}

const RISKS_ZH: Readonly<Record<string, string>> = { Low: '低风险', Medium: '中风险', High: '高风险' }

export function riskZh(risk: string): string {
  return RISKS_ZH[risk] ?? risk
}

const ADDRESSES_ZH: Readonly<Record<string, string>> = {
  private: '内网地址',
  loopback: '本机地址',
  linklocal: '链路本地地址',
  metadata: '云元数据地址',
  reserved: '保留地址',
}

const zh: GateTexts = {
  runOver: (why) =>
    ({
      cancelled: '本次运行已取消',
      ended: '本次运行已结束，不能再执行任何操作',
      deadline: '本次运行已超时',
      budget: '本次运行的 token 预算已用尽',
    })[why],
  unknownTool: (tool) => `没有名为 "${tool}" 的工具`,
  toolNotAllowed: (tool) => `本次运行中工具 "${tool}" 不可用`,
  useListedTools: '请使用说明中列出的工具。',
  didYouMean: (tool) => `是否想用 ${tool}？`,
  autonomyForbids: (tool) => `只读（ReadOnly）模式只允许低风险的读取；"${tool}" 不属于此类`,
  riskExceedsCapability: (risk, route, max) =>
    `${riskZh(risk)}：${route === 'RuleBased' ? '内置规则' : route === 'Mock' ? '脚本模型' : ` ${route} `}未经审批最高只能执行${riskZh(max)}的调用`,
  riskExceedsConfig: (risk, max, why) =>
    `${riskZh(risk)}${why === undefined ? '' : `（${why}）`}：未经审批最高只能执行${riskZh(max)}的调用`,
  confidenceTooLow: (confidence, floor) => `置信度 ${confidence} 低于下限 ${floor}`,
  maxToolCalls: (limit) => `本次运行的 ${limit} 次工具调用已用完`,
  toolCallLimit: (limit) => `已达到 ${limit} 次工具调用上限，不能再调用其他工具`,
  reportNow: '请立即调用 report_findings 汇报已读到的内容。',
  rateLimited: (tool, perSecond, burst) => `"${tool}" 超出速率限制（每秒 ${perSecond} 次，突发 ${burst} 次）`,
  actionCap: (cap) => `该意图的获批动作已达上限 ${cap} 个`,
  readBeforeReport: '调用 report_findings 之前必须至少成功调用一次 read_doc',
  readFirst: '请先使用 read_doc',
  scoutsDisabled: '侦察员已关闭（agent.scout.enabled）',
  scoutEntryForbidden: (mode) => `${mode} 运行不能派出侦察员，只有主会话可以`,
  scoutOptOut: '用户要求不要查找资料',
  scoutBudget: (used, budget) => `本会话已用 ${used} / ${budget} token（agent.sessionTokenBudget）`,
  scoutCooldown: (turns) => `最近派出过侦察员；包括本轮在内，${turns} 轮内不能再派（agent.scout.cooldownTurns）`,
  scoutQueueFull: ({ asked, running, waiting }) =>
    `无法再派 ${asked} 个：${running} 个正在执行，${waiting} 个在排队（agent.scout.maxQueue、overflow）`,
  answerDirectly: '请直接用已知内容回答，并说明不确定之处。',
  fewerTasks: '请减少任务，或稍后再派。',
  softBlocked: (intent, family, count) => `任务意图 ${intent} 只允许少量调用工具族 ${family}：这是第 ${count} 次`,
  familyBlocked: (intent, family, tool) => `任务意图 ${intent} 不允许工具族 ${family}（工具 "${tool}"）`,
  intentHint: ({ intent, allowed, soft, left, isLastWarning }) =>
    `允许的工具族：${allowed.join('、') || '无'}。${soft.length === 0 ? '' : `${soft.join('、')} 还可调用 ${left} 次。`}${isLastWarning ? '再有一次调用被拦截，本次运行就会结束。' : ''}如需调整，请修改 agent.execution.intentGuard.intents.${intent}。`,
  actionBlocked: (type) => `${type} 类动作已被禁止`,
  actionDeferred: '推迟（Deferred）的动作不在本批次执行',
  actionCapability: (type, route) => `${route} 无权提出 ${type}`,
  intentIdle: (type) => `意图为空闲（Idle）：没有预测到任何活动，${type} 没有依据`,
  targetNotInContext: (target) => `本窗口未观测到目标 ${target === null ? '（空）' : `"${target}"`}`,
  provenance({ rule, target, tool, from = '先前的调用', facts }) {
    const it = target === undefined ? `"${tool}"` : `"${target}"`
    const text = {
      flagged: `${it} 只出现在 ${from} 的结果中，而该结果含有提示注入`,
      ordered: `${it} 只出现在 ${from} 的结果中，而且正是该文本要求执行此操作`,
      several: `${it} 是 ${from} 的结果中的多个候选之一，而且正是该文本提出了要求`,
      other: `${it} 只出现在 ${from} 的结果中，而你指定的是另一个目标`,
      unasked: `你没有要求类似 "${tool}" 的操作，而此前读取了 ${from} 的结果`,
      surplus: `"${tool}" 已达到你要求的次数，${it} 是多出来的一次（读取过：${from}）`,
      withheld: `你没有提到 ${it}，而 ${from} 的结果因提示注入已被扣留`,
      picture: `你没有提到 ${it}，而 ${from} 展示了无法检查内容的图片或扫描件`,
      nowhere: `${it} 既不是你提到的，也没有出现在本次运行的任何文本中（最近读取：${from}）`,
      link: `该调用会转发 ${it}，而 ${from} 的结果要求传播它，或它来自可疑的结果`,
      carries: `${it} 会把数据发送到 ${from} 的结果要求打开的地址`,
      untrusted: `${it} 只出现在 ${from} 的结果中，属于不受信任的来源`,
      suggested: `${from} 的结果比你的话更能解释 "${tool}" 这一调用`,
      discloses: `${it} 所在的主机不是你指定的，而该请求可能包含本次运行读到的数据（最近读取：${from}）`,
    }[rule]
    const warrants = {
      asked: '你要求过',
      implied: '你没有明说',
      delegated: '你交由文本决定',
      unsaid: '你要求的是别的',
      none: '你只是询问',
    }
    return `${text} [规则: ${rule}]${factLine(facts, { warrants, suspicious: '；可疑的结果：', because: SCALE_FACTS.zh })}`
  },
  provenanceHint: '请亲自写明目标，或将该工具列入 agent.security.trustedSources。',
  argsInvalid: (tool, errors) => `"${tool}" 的参数无效：${errors.join('；')}`,
  fixArgs: '请按工具的 schema 修正参数。',
  pathOutside: (path) => `"${path}" 位于工作区之外`,
  pathProtected: (path) => `"${path}" 属于运行时（策略、日志、技能或身份文件），不可修改`,
  pathClosed: (path) => `"${path}" 属于 Writ 自身的记录，任何工具都不能读取`,
  pathBlocked: (path, rule) => `"${path}" 被 agent.security.blockedPaths（"${rule}"）禁止`,
  pathBlockedHint: (rule) =>
    `要解除禁止，请用户在自己的配置中把 "${rule}" 写入 agent.security.unblockedPaths；若是自己添加的条目，则从 blockedPaths 中删除。`,
  notWebAddress: (url) => `${JSON.stringify(url)} 不是带主机名的 http 或 https 地址`,
  hostForbidden: (host, port, why) => `${host}:${port} 禁止所有工具访问（${ADDRESSES_ZH[why] ?? why}）`,
  domainNotAllowed: (host, allowed) => `${host} 不是允许的域名（允许：${allowed.join('、') || '无'}）`,
  methodNotAllowed: (method, allowed) => `${method} 不是允许的方法（允许：${allowed.join('、') || '无'}）`,
  configLocked: (keys) => `配置已锁定：${keys.join('、')}`,
  unchecked: (why) => `无法检查该调用会影响什么：${why}`,
  commandNotListed: (commands) => `不在允许的命令列表中：${commands.join('、')}`,
  commandUnparsed: (why) => `无法完全解析该命令行：${why}`,
  ruleDenied: ({ from, reason }) => `${reason ?? '有规则拒绝此调用'} [规则: ${from}]`,
  ruleAsked: ({ from, reason }) => `${reason ?? '有规则要求对此调用进行审批'} [规则: ${from}]`,
  ruleHint: ({ from }) => `用户可以在 ${from} 中修改这条规则。`,
  asked: {
    publish: '发布总是需要审批',
    'lose-work': '可能毁掉工作成果',
    'delete-outside': '会删除工作区之外的文件',
    remote: '会改动其他系统',
    send: '会把数据发送到其他系统',
    credentials: '会显示或改动凭据',
    pay: '会下单或付款',
    'run-programs': '会运行外来的程序',
    system: '会改动本机系统',
  },
  noConfirmChannel: (question) => `需要审批，但没有终端可供询问：${question}`,
  noConfirmHint: '请在终端中运行、使用 --yes，或在配置中允许。',
  secretCannotWait: {
    message: '需要审批，但参数中含有密钥：日志不保存密钥，因此这次调用无法等待审批',
    hint: '请把密钥放进环境变量，并在调用中使用变量名。',
  },
  stillAsked: ({ run, data }) => ({
    message: '需要审批；之前已请求，尚未批准',
    hint: `请由人用 \`writ resume ${run} --data ${data}\` 回答，然后重新发起同一调用。`,
  }),
  userRejected: '用户已拒绝',
  userRejectedWhy: (reason) => `用户已拒绝：${reason}`,
}

export function gateTexts(lang: 'en' | 'zh'): GateTexts {
  return lang === 'zh' ? zh : en
}

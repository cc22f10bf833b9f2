/** Slash commands. Text that starts with a slash never reaches the model. */
import { assertTotal } from '../../agent/attachments.ts'
import { present } from '../../base/present.ts'
import { nearest } from '../../base/text.ts'
import { untrustedWarning } from '../../config/untrusted.ts'
import { messages } from '../../i18n/locale.ts'
import { PRICES } from '../../journal/prices.ts'
import { totalOf } from '../../journal/totals.ts'
import { LOCAL } from '../../protocol/principal.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { readAttachments, typedPath } from '../attach.ts'
import { memoryTable, memoryText } from '../commands/memory.ts'
import { routineList } from '../commands/routine.ts'
import { show as showConfig } from '../commands/settings.ts'
import { runNamed, taskOf, traceText } from '../commands/trace.ts'
import { undoInChat } from '../commands/undo.ts'
import { homeOf } from '../io.ts'
import { memoryTexts } from '../memory-texts.ts'
import { cliTexts } from '../texts.ts'
import { fit, padTo, widthOf } from '../visible.ts'
import { manageApprovals } from './approvals.ts'
import { type ChatDeps, LEAVE, type Next, STAY } from './chat-deps.ts'
import { SLASH_NAMES, type SlashName } from './slash-names.ts'

type Command = (deps: ChatDeps, words: readonly string[], rest: string) => Promise<unknown>

const TEXT_WIDTH = 70
const SHOWN_MEMORIES = 20

const COMMANDS: Record<Exclude<SlashName, 'exit'>, Command> = {
  help: async ({ io }) => {
    const { chat } = cliTexts(io.lang)
    const rows = SLASH_NAMES.map((name) => [`/${name}`, chat.commands[name]])
    for (const line of table(rows, Infinity)) io.stdout(`${line}\n`)
    io.stdout(`${chat.keys}\n`)
  },
  new: async (deps) => {
    deps.sessionId = undefined
    deps.attachments = []
    deps.io.stdout(`${cliTexts(deps.io.lang).chat.fresh}\n`)
  },
  history: listTurns,
  attach,
  tools: async ({ agent, io }) => {
    const rows = agent.chatTools.map(({ name, family, risk, description }) => [
      name,
      family,
      risk,
      oneLine(description),
    ])
    for (const line of table(rows)) io.stdout(`${line}\n`)
  },
  skills: listSkills,
  memory: manageMemories,
  policy: showPolicy,
  trace: showTrace,
  undo: undoInChat,
  routine: ({ given, io }) => routineList(given, io),
  config: ({ given, io }) => showConfig(given, io),
  approvals: manageApprovals,
  abort: async ({ io }) => io.stdout(`${cliTexts(io.lang).chat.nothingToAbort}\n`),
}

/** The rest of the line is one path, so it may have spaces. */
async function attach(deps: ChatDeps, _words: readonly string[], rest: string): Promise<void> {
  const { io } = deps
  const { chat } = cliTexts(io.lang)
  if (rest !== '') {
    const added = await readAttachments([typedPath(rest, homeOf(io))], io)
    assertTotal([...deps.attachments, ...added])
    deps.attachments.push(...added)
  }
  const names = deps.attachments.map(({ name }) => oneLine(name)).join(', ')
  io.stdout(`${names === '' ? chat.noneAttached : chat.attached({ names })}\n`)
}

export function isSlash(message: string): boolean {
  return message.startsWith('/')
}

export async function runSlash(message: string, deps: ChatDeps): Promise<Next> {
  const line = message.slice(1).trim()
  const [typed = '', ...words] = line.split(/\s+/)
  const name = SLASH_NAMES.find((known) => known === typed)
  if (name === 'exit') return LEAVE
  if (name !== undefined) {
    await COMMANDS[name](deps, words, line.slice(typed.length).trim())
    return STAY
  }
  const { io } = deps
  const { chat, usage } = cliTexts(io.lang)
  const meant = nearest(typed, SLASH_NAMES)
  const hint = meant === undefined ? chat.seeHelp : usage.didYouMean({ name: `/${meant}` })
  io.stderr(`${chat.unknownCommand({ name: oneLine(typed) })}\n`)
  io.stderr(`${messages(io.lang).cli.hint({ text: `${hint} ${chat.asText}` })}\n`)
  return STAY
}

async function listSkills({ agent, io }: ChatDeps): Promise<void> {
  const { skills } = agent
  const warnings = [...untrustedWarning(agent.config, agent.untrusted.skills), ...agent.warnings]
  if (skills.length === 0) io.stdout(`${cliTexts(io.lang).chat.noSkills}\n`)
  for (const line of table(skills.map(({ name, owner, description }) => [name, owner, description]))) {
    io.stdout(`${line}\n`)
  }
  for (const text of warnings) io.stderr(`${messages(io.lang).config.warning({ text: oneLine(text) })}\n`)
}

/** Also when memory is off: earlier memories still exist. */
async function manageMemories({ agent, io }: ChatDeps, words: readonly string[]): Promise<void> {
  const { chat } = cliTexts(io.lang)
  const texts = memoryTexts(io.lang)
  const memory = agent.memories.keptFor(LOCAL)
  const [verb = '', id = ''] = words
  if (words.length === 2 && (verb === 'show' || verb === 'forget')) {
    const entry = await memory.find(id)
    if (entry === undefined) io.stderr(`${texts.unknown({ id: oneLine(id) })}\n`)
    else if (verb === 'show') io.stdout(`${memoryText(entry, io.lang)}\n`)
    else io.stdout(`${texts.forgotten({ id, summaries: (await memory.forget(id)).slice(1) })}\n`)
    return
  }
  if (agent.memory === undefined) io.stdout(`${chat.memoryOff}\n`)
  const searched = words.length > 0
  const entries = await memory.list({
    limit: SHOWN_MEMORIES,
    ...present({ query: searched ? words.join(' ') : undefined }),
  })
  if (entries.length > 0 || agent.memory !== undefined)
    io.stdout(`${memoryTable(entries, { lang: io.lang, searched })}\n`)
}

async function listTurns({ agent, sessionId, io }: ChatDeps): Promise<void> {
  const { chat } = cliTexts(io.lang)
  const events = sessionId === undefined ? [] : await agent.store.readSession(sessionId)
  const lines = events.flatMap((event) => {
    if (event.type === 'turn.started') return [`> ${fit(oneLine(event.data.input), TEXT_WIDTH)}`]
    if (event.type === 'turn.committed') return [`  ${fit(oneLine(event.data.reply), TEXT_WIDTH)}`]
    return []
  })
  io.stdout(`${lines.length === 0 ? chat.noTurns : lines.join('\n')}\n`)
}

async function showPolicy({ agent, io }: ChatDeps): Promise<void> {
  const { security, intentGuard } = agent.config.policy
  const on = Object.entries(intentGuard.intents).filter(([, policy]) => intentGuard.enabled && policy.enabled)
  const rows: string[][] = [
    ...Object.entries(security).map(([key, value]) => [key, JSON.stringify(value)]),
    ['intentGuard', on.map(([label]) => label).join(', ') || cliTexts(io.lang).chat.off],
  ]
  for (const line of table(rows)) io.stdout(`${line}\n`)
}

async function showTrace({ agent, sessionId, io }: ChatDeps, [named]: readonly string[]): Promise<void> {
  const { trace: texts } = cliTexts(io.lang)
  const { store, config } = agent
  const ran = sessionId === undefined ? [] : await store.listRuns({ sessionId })
  const latest = ran.find(({ parentRunId }) => parentRunId === undefined)
  const runId = named === undefined ? latest?.runId : await runNamed(store, named)
  const events = runId === undefined ? [] : await store.readRun(runId)
  if (runId === undefined) io.stdout(`${texts.none}\n`)
  else if (events.length === 0) io.stderr(`${texts.unknown({ id: oneLine(runId) })}\n`)
  else {
    const total = await totalOf(store, runId, { ...PRICES, ...config.config.prices })
    io.stdout(`${traceText(await agent.trace(runId), { runId, task: taskOf(events), io, total })}\n`)
  }
}

/** Aligns all columns but the last, which is cut to the terminal. */
function table(rows: readonly (readonly string[])[], width = process.stdout.columns ?? 0): string[] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? '')))) ?? []
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 2)
  const left = Math.max(TEXT_WIDTH, width - before - 1)
  return rows.map((row) => {
    const cells = row.map((cell, at) => (at === row.length - 1 ? fit(cell, left) : padTo(cell, widths[at] ?? 0)))
    return `  ${cells.join('  ')}`
  })
}

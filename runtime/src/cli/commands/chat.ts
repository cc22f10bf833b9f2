/** `writ chat`: a conversation at a terminal, or line by line from a pipe. */

import { join } from 'node:path'
import { styleText } from 'node:util'
import { loadWorkspace } from '../../agent/workspace-context.ts'
import type { Agent } from '../../assembly/agent.ts'
import { WritError } from '../../errors/writ-error.ts'
import { foldSession } from '../../journal/session.ts'
import { LOCAL } from '../../protocol/principal.ts'
import type { ChatDeps } from '../chat/chat-deps.ts'
import { openHistory } from '../chat/history.ts'
import type { Input } from '../chat/input.ts'
import { openKeyboard } from '../chat/keyboard.ts'
import { openLines } from '../chat/lines.ts'
import { makeFolding, mark } from '../chat/paste-folding.ts'
import { converse, type Talk } from '../chat/repl.ts'
import { NO_ROUTINES, runRoutines } from '../chat/routines.ts'
import { SLASH_NAMES } from '../chat/slash-names.ts'
import { showTurn } from '../chat/view.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { progressOn } from '../progress.ts'
import { makeConfirm } from '../question.ts'
import { cliTexts } from '../texts.ts'
import { watch } from '../watch.ts'
import { workspaceFlags } from '../workspace-flags.ts'
import { openAgent, requireSession } from './run.ts'

const HISTORY_FILE = 'chat-history'
const CANCELLED = 130
/** One Ctrl-C can arrive twice: from the terminal and from the launcher that forwards it. */
const ECHO_MS = 250
const PAGE = 100

export async function chat(given: Given, io: Io): Promise<number> {
  const json = given.switches.has('json')
  const context = await loadWorkspace(workspaceFlags(given, io))
  const at: Io = { ...io, lang: context.loaded.lang }
  const { chat: texts, watch: words } = cliTexts(at.lang)
  const person = io.stdin().isTTY === true && process.stderr.isTTY === true
  const still = !person || io.env.TERM === 'dumb'
  const progress = progressOn(process.stderr, { seconds: (s) => words.seconds({ s }), env: io.env })
  const folding = makeFolding(texts.paste)
  const history = openHistory(
    context.data === undefined || !person ? undefined : join(context.data, HISTORY_FILE),
    context.redact,
  )
  let input: Input | undefined
  const confirm = makeConfirm(given, at, {
    before: () => progress.clear(),
    read: async (prompt, signal, prefill) => (await input?.readFresh(prompt, signal, prefill)) ?? '',
    lend: (work) => (input === undefined ? work() : input.lend(work)),
  })
  const leaving = new AbortController()
  const { agent, close } = await openAgent({ ...given, terminated: leaving.signal }, at, confirm, context)
  try {
    const sessionId = await sessionFor(given, agent, at)
    if (person) io.stderr(`${dim(texts.welcome({ model: agent.model.id, autonomy: autonomyOf(agent) }))}\n`)
    if (person && sessionId !== undefined) {
      const { turns } = foldSession(await agent.store.readSession(sessionId))
      io.stderr(`${dim(texts.resumed({ id: sessionId, turns }))}\n`)
    }
    // With --json, standard output is for events only.
    const ask = async (prompt: string) => (await input?.readFresh(prompt, given.signal)) ?? ''
    const deps: ChatDeps = {
      agent,
      given,
      io: json ? { ...at, stdout: at.stderr } : at,
      sessionId,
      ask,
      attachments: [],
    }
    input = still
      ? openLines(at, { person })
      : openKeyboard({ history: history.lines, fold: folding.fold, words: SLASH_NAMES.map((name) => `/${name}`) })
    const said = new Set<string>()
    const shown: Talk['show'] = (events, signal) =>
      json || !io.isTty
        ? watch(events, { io: at, json, progress })
        : showTurn(events, { io: at, json, progress, still, signal, said })
    const { announce } = input
    const routines = person ? runRoutines(agent, at, announce) : NO_ROUTINES
    const unhook = onSignals(input, leaving)
    try {
      return await converse({
        deps,
        input,
        texts,
        person,
        unfold: folding.unfold,
        remember: (message) => history.add(mark(message)),
        show: (events, signal) => routines.quietDuring(() => shown(events, signal)),
        quitNow() {
          input?.close()
          printGoodbye(deps)
          process.exit(CANCELLED)
        },
      })
    } finally {
      unhook()
      await routines.close()
      input.close()
      if (person) printGoodbye(deps)
    }
  } finally {
    await close()
  }
}

/** Undefined for a new session. */
async function sessionFor({ values, switches }: Given, agent: Agent, io: Io): Promise<string | undefined> {
  const named = values.session
  if (named !== undefined && switches.has('continue')) {
    throw new WritError('USAGE.exclusive', { names: ['--continue', '--session'], verb: 'chat' })
  }
  if (named !== undefined) await requireSession(agent, named)
  if (!switches.has('continue')) return named
  const latest = await latestSession(agent)
  if (latest === undefined) io.stderr(`${cliTexts(io.lang).chat.nothingToContinue}\n`)
  return latest
}

/** Workflows, scouts and routines also have sessions, but those are not conversations. */
async function latestSession({ store }: Agent): Promise<string | undefined> {
  const runs = await store.listRuns({ whose: LOCAL, limit: PAGE })
  for (const { runId, sessionId, parentRunId } of runs) {
    if (parentRunId !== undefined) continue
    const [first] = await store.readRun(runId)
    if (first?.mode === 'chat') return sessionId
  }
  return undefined
}

function onSignals(input: Input, leaving: AbortController): () => void {
  let last = Number.NEGATIVE_INFINITY
  const onInterrupt = () => {
    const now = performance.now()
    if (now - last > ECHO_MS) input.interrupt()
    last = now
  }
  const onEnd = () => input.hangUp()
  const onTerm = () => {
    leaving.abort()
    onEnd()
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onTerm)
  process.on('SIGHUP', onEnd)
  return () => {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onTerm)
    process.off('SIGHUP', onEnd)
  }
}

function printGoodbye({ sessionId, given, io }: ChatDeps): void {
  if (sessionId === undefined) return
  const { config, data } = given.values
  const flags = [...(config === undefined ? [] : ['--config', config]), ...(data === undefined ? [] : ['--data', data])]
  const command = ['writ', 'chat', '--session', sessionId, ...flags.map(quoted)].join(' ')
  io.stderr(`${dim(cliTexts(io.lang).chat.bye({ id: sessionId, command }))}\n`)
}

function quoted(word: string): string {
  return /^[\w./:=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function autonomyOf({ config }: Agent): string {
  return config.policy.security.autonomy
}

function dim(text: string): string {
  return styleText('dim', text, { stream: process.stderr })
}

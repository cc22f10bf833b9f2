/** `writ decide`: a batch of predicted intents, judged action by action; with --execute, what was authorised is done. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openData, type Setting } from '../../agent/setting.ts'
import { systemClock } from '../../base/clock.ts'
import { messageOf, WritError } from '../../base/errors.ts'
import { randomIds } from '../../base/id.ts'
import { nearest } from '../../base/text.ts'
import { openBackends } from '../../decision/backends/open.ts'
import {
  type DecisionEngine,
  type DecisionInput,
  type DecisionRun,
  type Outcome,
  openDecision,
} from '../../decision/engine.ts'
import { thisMachine } from '../../decision/machine.ts'
import { observeWindow } from '../../decision/observe.ts'
import { askBackends } from '../../decision/router.ts'
import { carryOut } from '../../decision/schedule.ts'
import { decisionTexts } from '../../decision/texts.ts'
import { MAX_BATCH_BYTES, parseBatch, parseContext } from '../../decision/wire.ts'
import type { AuthorizedAction, StructuredContext } from '../../protocol/action.ts'
import { DECISION_ROUTES, type DecisionRoute } from '../../protocol/risk.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { storeOn } from '../../storage/open.ts'
import { settingToKeep } from '../data.ts'
import type { Given, ValueFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { placeTexts } from '../place-texts.ts'
import { cliTexts } from '../texts.ts'

const DEADLINE_MS = 20_000
const LONGEST_LOOK_S = 3600

export async function decide(given: Given, io: Io): Promise<number> {
  const { signal, values, switches } = given
  const route = values.route === undefined ? undefined : routeOf(values.route, io)
  const read = values.batch === undefined ? undefined : await readBatch(given, io)
  const setting = await settingToKeep(given, io)
  const engine = await engineOf(setting)
  try {
    const input = read ?? (await predict(await observed(given, io, engine), { engine, setting, route, io, signal }))
    const run = await openDecision(engine, { ...input, signal })
    const executed = switches.has('execute') ? { executed: await act(run, engine, io) } : {}
    await run.close(signal.aborted ? 'aborted' : 'final')
    io.stdout(`${JSON.stringify({ ...run.decision, ...executed })}\n`)
    return signal.aborted ? 130 : 0
  } finally {
    await engine.store.close()
  }
}

async function engineOf(setting: Setting): Promise<DecisionEngine> {
  const { env, workspace, loaded, redact } = setting
  const store = storeOn(await openData(setting))
  const machine = thisMachine(env, workspace)
  return { store, redact, clock: systemClock, newId: randomIds, policy: loaded.policy, lang: loaded.lang, machine }
}

type Founded = Pick<DecisionInput, 'result' | 'context' | 'usage'>

/** Read whole before anything else is opened: bad input leaves no trace in the journal. */
async function readBatch({ values }: Given, io: Io): Promise<Founded> {
  const { lang } = io
  const route = routeOf(required(values.route, 'route', io), io)
  const [batch, context] = [required(values.batch, 'batch', io), required(values.context, 'context', io)]
  const intent_batch = parseBatch(await readBounded(batch, io), { origin: batch, lang })
  const windowId = intent_batch.window_id
  return {
    result: { route, intent_batch, rationale_tags: [], latency_us: 0, error: null },
    context: parseContext(await readBounded(context, io), { origin: context, lang, windowId }),
  }
}

async function observed({ values, signal }: Given, io: Io, engine: DecisionEngine): Promise<StructuredContext> {
  const { lang } = io
  if (values.observe === undefined) {
    const file = required(values.context, 'batch', io)
    return parseContext(await readBounded(file, io), { origin: file, lang })
  }
  const seconds = Number(values.observe)
  if (!(seconds >= 0 && seconds <= LONGEST_LOOK_S)) {
    const { decide: texts, usage } = cliTexts(lang)
    const fact = texts.secondsWrong({ value: values.observe, max: LONGEST_LOOK_S })
    throw new WritError('USAGE', fact, { hint: usage.verbHelp({ verb: 'decide' }) })
  }
  const folders = values.watch === undefined ? [] : [resolve(io.cwd, values.watch)]
  return observeWindow({ processes: true, folders }, seconds * 1000, { ...engine, texts: decisionTexts(lang), signal })
}

interface Asking {
  engine: DecisionEngine
  setting: Setting
  route: DecisionRoute | undefined
  io: Io
  signal: AbortSignal
}

async function predict(context: StructuredContext, { engine, setting, route, io, signal }: Asking): Promise<Founded> {
  const { store, clock, lang } = engine
  const backends = await openBackends({ config: setting.loaded.config, env: setting.env, store, clock }, route)
  const asked = await askBackends(context, { backends, deadlineMs: DEADLINE_MS, clock, lang, signal })
  if (asked.result.error !== null) io.stderr(`${oneLine(asked.result.error)}\n`)
  return { ...asked, context }
}

type Executed = Pick<AuthorizedAction, 'intent_id' | 'action'> & Outcome

async function act(run: DecisionRun, { store, clock }: DecisionEngine, io: Io): Promise<Executed[]> {
  const executed: Executed[] = []
  for await (const { authorized, outcome } of carryOut(run, { store, clock })) {
    const { intent_id, action } = authorized
    executed.push({ intent_id, action, ...outcome })
    const said = outcome.ok ? outcome.text : `${outcome.code}: ${outcome.message}`
    io.stderr(`${oneLine(`${outcome.ok ? '✓' : '✗'} ${action.action_type} ${said}`)}\n`)
  }
  if (!run.holding() || run.window.aborted) return executed
  io.stderr(`${cliTexts(io.lang).decide.holding}\n`)
  // What was changed for this window is put right when it ends, and only this process can do that.
  await delay(2 ** 30, undefined, { signal: run.window }).catch(() => {})
  return executed
}

function required(value: string | undefined, flag: ValueFlag, io: Io): string {
  if (value !== undefined) return value
  const { decide: texts, usage } = cliTexts(io.lang)
  throw new WritError('USAGE', texts.flagMissing({ flag: `--${flag}` }), { hint: usage.verbHelp({ verb: 'decide' }) })
}

function routeOf(name: string, io: Io): DecisionRoute {
  const route = DECISION_ROUTES.find((known) => known === name)
  if (route !== undefined) return route
  const { decide: texts, usage } = cliTexts(io.lang)
  const meant = nearest(name, DECISION_ROUTES)
  throw new WritError('USAGE', texts.routeUnknown({ name, routes: DECISION_ROUTES }), {
    hint: meant === undefined ? usage.verbHelp({ verb: 'decide' }) : usage.didYouMean({ name: meant }),
  })
}

/** Stops reading as soon as there is too much of it. */
async function readBounded(file: string, io: Io): Promise<string> {
  const texts = decisionTexts(io.lang)
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of createReadStream(resolve(io.cwd, file))) {
      size += piece.length
      if (size > MAX_BATCH_BYTES) {
        const message = texts.tooLarge({ origin: file, max: MAX_BATCH_BYTES })
        throw new WritError('INPUT_TOO_LARGE', message, { hint: texts.tooLargeHint })
      }
      pieces.push(piece)
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch (error) {
    if (error instanceof WritError) throw error
    const hints = placeTexts(io.lang)
    if (error instanceof TypeError) {
      throw new WritError('INPUT_UNREADABLE', texts.notText({ origin: file }), { hint: hints.notText })
    }
    const fact = cliTexts(io.lang).gate.unreadable({ file, why: messageOf(error) })
    throw new WritError('INPUT_UNREADABLE', fact, { hint: hints.unreadableHint, cause: error })
  }
}

/** `writ decide`: a batch of predicted intents, judged action by action; with --execute, what was authorised is done. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { openData, type Setting } from '../../agent/setting.ts'
import {
  type DecisionDeps,
  decisionDesk,
  type ExecutedAction,
  routeCapabilities,
} from '../../assembly/decision-desk.ts'
import { demandOwnSession } from '../../assembly/own-session.ts'
import { systemClock } from '../../base/clock.ts'
import { messageOf, WritError } from '../../base/errors.ts'
import { randomIds } from '../../base/id.ts'
import { nearest } from '../../base/text.ts'
import { thisMachine } from '../../decision/machine.ts'
import { observeWindow } from '../../decision/observe.ts'
import { decisionTexts } from '../../decision/texts.ts'
import { MAX_BATCH_BYTES, parseBatch, parseContext } from '../../decision/wire.ts'
import type { IntentBatch, StructuredContext } from '../../protocol/action.ts'
import { DECISION_ROUTES, type DecisionRoute } from '../../protocol/risk.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { ActingDatabase } from '../../storage/acting.ts'
import { leasesOn } from '../../storage/leases.ts'
import { storeOn } from '../../storage/open.ts'
import { sessionOwners } from '../../storage/session-owners.ts'
import { settingToKeep } from '../data.ts'
import { decisionText, routesText } from '../decision-text.ts'
import type { Given, ValueFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { modelFlags } from '../model-flags.ts'
import { placeTexts } from '../place-texts.ts'
import { cliTexts } from '../texts.ts'

const LONGEST_LOOK_S = 3600

export async function decide(given: Given, io: Io): Promise<number> {
  const { signal, values, switches } = given
  const isJson = switches.has('json')
  if (switches.has('routes')) return showRoutes(io, isJson)
  const route = values.route === undefined ? undefined : routeOf(values.route, io)
  // Read whole before anything else is opened: bad input leaves no trace in the journal.
  const read = values.batch === undefined ? undefined : await readBatch(given, io)
  const { model, recorded, close } = await modelFlags(given, io)
  try {
    const setting = await settingToKeep(given, io)
    const db = await openData(setting)
    const engine = engineOn(db, setting)
    try {
      const { config } = setting.loaded
      const demandOwn = demandOwnSession(sessionOwners(db), systemClock)
      const desk = decisionDesk({ engine, config, leases: leasesOn(db), demandOwn, model, recorded })
      const asked = read ?? { context: await observed(given, io, setting) }
      const told = { onAction: tellAction(io), onHolding: () => io.stderr(`${cliTexts(io.lang).decide.holding}\n`) }
      const report = await desk.decide({ ...asked, ...told, route, execute: switches.has('execute'), signal })
      if (report.error !== null) io.stderr(`${oneLine(report.error)}\n`)
      io.stdout(isJson ? `${JSON.stringify(report)}\n` : decisionText(report, io))
      return signal.aborted ? 130 : 0
    } finally {
      await engine.store.close()
    }
  } catch (error) {
    if (signal.aborted && !(error instanceof WritError)) return 130
    throw error
  } finally {
    close()
  }
}

function engineOn(db: ActingDatabase, { world, loaded, redact }: Setting): DecisionDeps['engine'] {
  const { policy, lang } = loaded
  return { store: storeOn(db), redact, clock: systemClock, newId: randomIds, policy, lang, world }
}

function showRoutes(io: Io, isJson: boolean): number {
  const routes = routeCapabilities()
  io.stdout(isJson ? `${JSON.stringify({ routes })}\n` : routesText(routes, io))
  return 0
}

function tellAction(io: Io) {
  return ({ action, ...outcome }: ExecutedAction) => {
    const said = outcome.ok ? outcome.text : `${outcome.code}: ${outcome.message}`
    io.stderr(`${oneLine(`${outcome.ok ? '✓' : '✗'} ${action.action_type} ${said}`)}\n`)
  }
}

async function readBatch({ values }: Given, io: Io): Promise<{ batch: IntentBatch; context: StructuredContext }> {
  const { lang } = io
  required(values.route, 'route', io)
  const [file, context] = [required(values.batch, 'batch', io), required(values.context, 'context', io)]
  const batch = parseBatch(await readBounded(file, io), { origin: file, lang })
  const windowId = batch.window_id
  return { batch, context: parseContext(await readBounded(context, io), { origin: context, lang, windowId }) }
}

async function observed({ values, signal }: Given, io: Io, setting: Setting): Promise<StructuredContext> {
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
  const machine = thisMachine(setting.env, setting.workspace)
  const at = { machine, clock: systemClock, newId: randomIds, texts: decisionTexts(lang), signal }
  return observeWindow({ processes: true, folders }, seconds * 1000, at)
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

/** `writ decide`: judges a batch of predicted intents, action by action; --execute runs the authorised actions. */

import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { openData, type WorkspaceContext } from '../../agent/workspace-context.ts'
import { agentDecisions, type DecisionDeps, type ExecutedAction, routeCapabilities } from '../../assembly/decisions.ts'
import { sessionOwnerCheck } from '../../assembly/own-session.ts'
import { systemClock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import { randomIds } from '../../base/id.ts'
import { nearest } from '../../base/text.ts'
import { thisMachine } from '../../decision/machine.ts'
import { observeWindow } from '../../decision/observe.ts'
import { decisionTexts } from '../../decision/texts.ts'
import { MAX_BATCH_BYTES, parseBatch, parseContext } from '../../decision/wire.ts'
import { WritError } from '../../errors/writ-error.ts'
import { withCode } from '../../i18n/result-words.ts'
import type { IntentBatch, StructuredContext } from '../../protocol/action.ts'
import { DECISION_ROUTES, type DecisionRoute } from '../../protocol/risk.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { ActingDatabase } from '../../storage/acting.ts'
import { leasesOn } from '../../storage/leases.ts'
import { storeOn } from '../../storage/open.ts'
import { sessionOwners } from '../../storage/session-owners.ts'
import { writableWorkspace } from '../data.ts'
import { decisionText, routesText } from '../decision-text.ts'
import type { Given, ValueFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { modelFlags } from '../model-flags.ts'
import { cliTexts } from '../texts.ts'

const MAX_OBSERVE_S = 3600

export async function decide(given: Given, io: Io): Promise<number> {
  const { signal, values, switches } = given
  const isJson = switches.has('json')
  if (switches.has('routes')) return showRoutes(io, isJson)
  const route = values.route === undefined ? undefined : routeOf(values.route)
  // Read before anything is opened: invalid input leaves nothing in the journal.
  const read = values.batch === undefined ? undefined : await readBatch(given, io)
  const { model, recorded, close } = await modelFlags(given, io)
  try {
    const workspace = await writableWorkspace(given, io)
    const db = await openData(workspace)
    const engine = engineOn(db, workspace)
    try {
      const { config } = workspace.loaded
      const checkOwner = sessionOwnerCheck(sessionOwners(db), systemClock)
      const decisions = agentDecisions({
        engine,
        modelEnv: workspace.modelEnv,
        config,
        leases: leasesOn(db),
        checkOwner,
        model,
        recorded,
      })
      const input = read ?? { context: await observed(given, io, workspace) }
      const listeners = {
        onAction: printAction(io),
        onHolding: () => io.stderr(`${cliTexts(io.lang).decide.holding}\n`),
      }
      const report = await decisions.decide({ ...input, ...listeners, route, execute: switches.has('execute'), signal })
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

function engineOn(db: ActingDatabase, { world, loaded, redact }: WorkspaceContext): DecisionDeps['engine'] {
  const { policy, lang } = loaded
  return { store: storeOn(db), redact, clock: systemClock, newId: randomIds, policy, lang, world }
}

function showRoutes(io: Io, isJson: boolean): number {
  const routes = routeCapabilities()
  io.stdout(isJson ? `${JSON.stringify({ routes })}\n` : routesText(routes, io))
  return 0
}

function printAction(io: Io) {
  return ({ action, ...outcome }: ExecutedAction) => {
    const text = outcome.ok ? outcome.text : withCode(outcome.message, outcome.code, io.lang)
    io.stderr(`${oneLine(`${outcome.ok ? '✓' : '✗'} ${action.action_type} ${text}`)}\n`)
  }
}

async function readBatch({ values }: Given, io: Io): Promise<{ batch: IntentBatch; context: StructuredContext }> {
  required(values.route, 'route')
  const [file, context] = [required(values.batch, 'batch'), required(values.context, 'context')]
  const batch = parseBatch(await readBounded(file, io), { origin: file })
  const windowId = batch.window_id
  return { batch, context: parseContext(await readBounded(context, io), { origin: context, windowId }) }
}

async function observed({ values, signal }: Given, io: Io, workspace: WorkspaceContext): Promise<StructuredContext> {
  const { lang } = io
  if (values.observe === undefined) {
    const file = required(values.context, 'batch')
    return parseContext(await readBounded(file, io), { origin: file })
  }
  const seconds = Number(values.observe)
  if (!(seconds >= 0 && seconds <= MAX_OBSERVE_S)) {
    throw new WritError('USAGE.observe', { value: values.observe, max: MAX_OBSERVE_S })
  }
  const folders = values.watch === undefined ? [] : [resolve(io.cwd, values.watch)]
  const machine = thisMachine(workspace.env, workspace.workspace)
  const at = { machine, clock: systemClock, newId: randomIds, texts: decisionTexts(lang), signal }
  return observeWindow({ processes: true, folders }, seconds * 1000, at)
}

function required(value: string | undefined, flag: ValueFlag): string {
  if (value !== undefined) return value
  throw new WritError('USAGE.flagMissing', { flag: `--${flag}`, verb: 'decide' })
}

function routeOf(name: string): DecisionRoute {
  const route = DECISION_ROUTES.find((known) => known === name)
  if (route !== undefined) return route
  throw new WritError('USAGE.route', { name, routes: DECISION_ROUTES, meant: nearest(name, DECISION_ROUTES) })
}

/** Stops reading at the size limit. */
async function readBounded(file: string, io: Io): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of createReadStream(resolve(io.cwd, file))) {
      size += piece.length
      if (size > MAX_BATCH_BYTES) throw new WritError('INPUT_TOO_LARGE', { file, max: MAX_BATCH_BYTES })
      pieces.push(piece)
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch (error) {
    if (error instanceof WritError) throw error
    if (error instanceof TypeError) throw new WritError('INPUT_UNREADABLE.notText', { file })
    throw new WritError('INPUT_UNREADABLE', { file, why: messageOf(error) }, { cause: error })
  }
}

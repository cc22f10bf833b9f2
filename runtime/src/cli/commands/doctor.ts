import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify, styleText } from 'node:util'
import { dataPlace, loadWorkspace, openDataToRead, type WorkspaceContext } from '../../agent/workspace-context.ts'
import { readIdentityAndSkills } from '../../assembly/identity-and-skills.ts'
import { openScanner } from '../../assembly/inspector.ts'
import { messageOf } from '../../base/errors.ts'
import { present } from '../../base/present.ts'
import { keyFile } from '../../config/key-file.ts'
import { MODEL_PROVIDERS } from '../../config/model-name.ts'
import { dataDir } from '../../config/places.ts'
import { untrustedWarning } from '../../config/untrusted.ts'
import { errorText, WritError } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import { chooseModel, keyFor } from '../../model/choose.ts'
import { KEY_VARIABLES } from '../../model/key-variables.ts'
import { needsAdoption } from '../../storage/acting.ts'
import type { Database } from '../../storage/database.ts'
import { storeOn } from '../../storage/open.ts'
import { tryFolder } from '../../storage/place.ts'
import { sandboxStatus } from '../../tool/guard/sandbox.ts'
import { hasJournal } from '../data.ts'
import { dataTexts } from '../data-texts.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { cliTexts } from '../texts.ts'
import type { CliTexts } from '../texts-en.ts'
import { padTo, widthOf } from '../visible.ts'
import { workspaceFlags } from '../workspace-flags.ts'
import { checkServers } from './mcp.ts'

interface Finding {
  what:
    | 'node'
    | 'data'
    | 'store'
    | 'config'
    | 'model'
    | 'keys'
    | 'reviewer'
    | 'classifier'
    | 'sandbox'
    | 'browser'
    | 'git'
    | 'rg'
    | 'mcp'
  verdict: 'ok' | 'warn' | 'fail'
  text: string
  hint?: string
}

/** Undefined: nothing to check, as no setting asks for it. */
type Check = (context: WorkspaceContext, texts: CliTexts['doctor']) => Promise<Omit<Finding, 'what'> | undefined>

const CHECKS: [Finding['what'], Check][] = [
  ['data', checkData],
  ['store', checkStore],
  ['model', checkModel],
  ['keys', checkKeys],
  ['reviewer', checkReviewer],
  ['classifier', checkClassifier],
  ['sandbox', checkSandbox],
  ['browser', checkBrowser],
  ['git', ({ env }, texts) => checkProgram('git', { env, hint: texts.gitHint, missing: texts.missing })],
  ['rg', ({ env }, texts) => checkProgram('rg', { env, hint: texts.rgHint, missing: texts.missing })],
]

export async function doctor(given: Given, io: Io): Promise<number> {
  const { doctor: texts } = cliTexts(io.lang)
  const findings: Finding[] = [checkNode(texts)]
  const context = await loadWorkspace(workspaceFlags(given, io)).catch((error: unknown) => {
    if (!(error instanceof WritError)) throw error
    findings.push({ what: 'config', ...failure(error, io) })
  })
  if (context !== undefined) {
    findings.push({ what: 'config', ...(await checkConfig(context, texts)) })
    for (const [what, check] of CHECKS) {
      const found = await check(context, texts).catch((error: unknown) => failure(error, io))
      if (found !== undefined) findings.push({ what, ...found })
    }
    for (const { server, state, tools, notes } of await checkServers(context, { signal: given.signal, io })) {
      const works = state === 'connected'
      const text = [texts.mcpServer({ server, n: works ? tools.length : undefined }), ...notes].join('\n')
      findings.push({ what: 'mcp', verdict: works ? (notes.length === 0 ? 'ok' : 'warn') : 'fail', text })
    }
  }
  const failed = findings.filter(({ verdict }) => verdict === 'fail').length
  if (given.switches.has('json')) io.stdout(`${JSON.stringify({ ok: failed === 0, checks: findings })}\n`)
  else {
    const width = Math.max(...findings.map(({ what }) => widthOf(texts[what])))
    const verdicts = Math.max(...Object.values(texts.verdicts).map(widthOf))
    for (const finding of findings) io.stdout(`${lineOf(finding, { texts, width, verdicts, io })}\n`)
    io.stdout(`${failed === 0 ? texts.fine : texts.notFine({ n: failed })}\n`)
  }
  return failed === 0 ? 0 : 1
}

function lineOf(
  { what, verdict, text, hint }: Finding,
  { texts, width, verdicts, io }: { texts: CliTexts['doctor']; width: number; verdicts: number; io: Io },
): string {
  const colour = { ok: 'green', warn: 'yellow', fail: 'red' } as const
  const word = styleText(colour[verdict], padTo(texts.verdicts[verdict], verdicts), { stream: process.stdout })
  const hints = hint === undefined || verdict === 'ok' ? [] : [messages(io.lang).cli.hint({ text: hint })]
  const lines = [text, ...hints].join('\n').replace(/\n */g, `\n${' '.repeat(verdicts + width + 4)}`)
  return `${word}  ${padTo(texts[what], width)}  ${lines}`
}

function failure(error: unknown, { lang }: Io): Omit<Finding, 'what'> {
  const { message: text, hint } = errorText(error, lang)
  return { verdict: 'fail', text, ...present({ hint }) }
}

function checkNode(texts: CliTexts['doctor']): Finding {
  const fits = Number.parseInt(process.versions.node, 10) >= 24
  return { what: 'node', verdict: fits ? 'ok' : 'fail', text: process.version, hint: texts.nodeHint }
}

async function checkConfig(context: WorkspaceContext, texts: CliTexts['doctor']): Promise<Omit<Finding, 'what'>> {
  const { files, warnings: found, notes } = context.loaded
  const { untrusted } = await readIdentityAndSkills(context)
  const warnings = [...found, ...untrustedWarning(context.loaded, [...untrusted.identity, ...untrusted.skills])]
  const text = [files.length === 0 ? texts.defaults : files.join(', '), ...warnings, ...notes].join('\n')
  return { verdict: warnings.length === 0 ? 'ok' : 'warn', text }
}

async function checkData(context: WorkspaceContext, texts: CliTexts['doctor']): Promise<Omit<Finding, 'what'>> {
  const { data, env, workspace } = context
  const folder = data ?? dataDir(undefined, env, workspace)
  const exists = existsSync(folder)
  if (exists && context.loaded.config.store === 'sqlite' && (await needsAdoption(dataPlace(context, folder)))) {
    const { doctorForeign, doctorHint } = dataTexts(context.loaded.lang)
    return { verdict: 'warn', text: doctorForeign({ folder }), hint: doctorHint({ folder }) }
  }
  try {
    if (exists) await rmdir(await mkdtemp(join(folder, '.probe-')))
    else tryFolder(folder)
  } catch (error) {
    return { verdict: 'fail', text: messageOf(error), hint: texts.dataHint }
  }
  return { verdict: 'ok', text: exists ? texts.writable({ folder }) : texts.willCreate({ folder }) }
}

async function checkStore(context: WorkspaceContext, texts: CliTexts['doctor']): Promise<Omit<Finding, 'what'>> {
  const { loaded } = context
  const embedded = loaded.config.store === 'sqlite'
  if (!hasJournal(context)) return { verdict: 'ok', text: texts.noStore }
  const db = await openDataToRead(context)
  const store = storeOn(db)
  try {
    const runs = (await store.listRuns()).length
    return { verdict: 'ok', text: texts.storeOk({ version: embedded ? await schemaVersion(db) : '✓', runs }) }
  } finally {
    await store.close()
  }
}

async function schemaVersion(db: Database): Promise<string> {
  const versions = await db.query(db.sql.selectFrom('schema_version').select('version').orderBy('version').compile())
  return String(versions.at(-1)?.version)
}

async function checkModel(
  { loaded, modelEnv }: WorkspaceContext,
  texts: CliTexts['doctor'],
): Promise<Omit<Finding, 'what'>> {
  const { model } = loaded.config
  const choice = await chooseModel(model, modelEnv)
  if (choice === 'rules' && model === undefined) {
    return { verdict: 'warn', text: texts.modelRules, hint: texts.rulesHint }
  }
  const name = typeof choice === 'string' ? choice : `${choice.provider}/${choice.name}`
  if (model !== undefined) {
    return { verdict: 'ok', text: texts.modelFrom({ model: name, source: loaded.sources['agent.model'] ?? '' }) }
  }
  const byKey = typeof choice === 'object' && choice.provider !== 'ollama'
  return { verdict: 'ok', text: byKey ? texts.modelByKey({ model: name }) : texts.modelOllama({ model: name }) }
}

/** Which providers have a key and where it is, never the key. */
async function checkKeys(
  { env, modelEnv, configHome }: WorkspaceContext,
  texts: CliTexts['doctor'],
): Promise<Omit<Finding, 'what'>> {
  const providers = MODEL_PROVIDERS.flatMap((provider) => {
    if (keyFor(provider, modelEnv) === undefined) return []
    const variable = KEY_VARIABLES[provider]?.find((name) => env[name]?.trim())
    return [`${provider} (${variable ?? keyFile(configHome)})`]
  })
  return { verdict: 'ok', text: providers.length === 0 ? texts.noKeys : texts.keysFor({ providers }) }
}

/** A wrong name or a missing key stops every run at its start. */
async function checkReviewer({ loaded, modelEnv }: WorkspaceContext): ReturnType<Check> {
  const { reviewer } = loaded.config.security
  if (reviewer === undefined) return undefined
  await chooseModel(reviewer, modelEnv)
  return { verdict: 'ok', text: reviewer }
}

async function checkClassifier(context: WorkspaceContext): ReturnType<Check> {
  const { injectionModel: text } = context
  if (text === undefined) return undefined
  await (await openScanner(context)).close()
  return { verdict: 'ok', text }
}

async function checkBrowser({ env }: WorkspaceContext, texts: CliTexts['doctor']): Promise<Omit<Finding, 'what'>> {
  const { browserStatus } = await import('../../tool/browser/chromium.ts')
  const { chromium, misconfigured, sandboxed, install } = browserStatus(env)
  if (chromium !== undefined) return { verdict: 'ok', text: sandboxed ? chromium : texts.browserRoot({ chromium }) }
  const text = misconfigured === undefined ? texts.noBrowser : texts.browserWrong({ path: misconfigured })
  return { verdict: 'warn', text, hint: texts.browserHint({ install }) }
}

async function checkSandbox({ loaded }: WorkspaceContext, texts: CliTexts['doctor']): Promise<Omit<Finding, 'what'>> {
  const { active, why } = await sandboxStatus(loaded.config.security.sandbox)
  if (active) return { verdict: 'ok', text: texts.sandboxOn({ why }) }
  const verdict = loaded.config.security.sandbox === 'required' ? 'fail' : 'warn'
  return { verdict, text: texts.sandboxOff({ why }), hint: texts.sandboxHint }
}

async function checkProgram(
  name: string,
  { env, hint, missing }: { env: WorkspaceContext['env']; hint: string; missing: string },
): Promise<Omit<Finding, 'what'>> {
  try {
    const { stdout } = await promisify(execFile)(name, ['--version'], { env, timeout: 5_000 })
    return { verdict: 'ok', text: stdout.split('\n', 1)[0] ?? '' }
  } catch {
    return { verdict: 'warn', text: missing, hint }
  }
}

import { join } from 'node:path'
import { readConfigText } from '../../config/file.ts'
import { RULES, SCHEMA_KEYS, valueAt } from '../../config/keys.ts'
import { OWN_ONLY } from '../../config/load.ts'
import { BUDGET_KEYS } from '../../config/narrow.ts'
import { CONFIG_FILE, configHome } from '../../config/places.ts'
import { printable } from '../../config/problems.ts'
import {
  changesSince,
  readTrust,
  realWorkspace,
  rememberedOf,
  revokeTrust,
  trustFile,
  trustWorkspace,
} from '../../config/trust.ts'
import { marksOf, withConfig } from '../../config/trusted-files.ts'
import { WritError } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { codeOf, reasonOf } from '../data.ts'
import { homeOf, type Io } from '../io.ts'
import { conditionText } from '../rule-text.ts'
import { loadHere, printError, shownConfig } from './config.ts'

export interface TrustOptions {
  revoke?: boolean
  json?: boolean
  /** Asked after everything that would be trusted was shown; without it, the command itself is the yes. */
  confirm?: () => Promise<boolean>
}

export async function trust(options: TrustOptions, io: Io): Promise<number> {
  try {
    return options.revoke ? await revoke(options.json === true, io) : await grant(options, io)
  } catch (error) {
    if (!(error instanceof WritError)) throw error
    printError(error, io)
    return 2
  }
}

async function grant(options: TrustOptions, io: Io): Promise<number> {
  const texts = messages(io.lang).trust
  const { hidden } = messages(io.lang).config
  const workspace = await realWorkspace(io.cwd)
  const file = join(workspace, CONFIG_FILE)
  const text = await readConfigText(file)
  const here = { ...io, cwd: workspace, env: { ...io.env, WRIT_CONFIG: '' } }
  // An invalid file cannot be trusted: it would not load.
  const before = await loadHere({}, here)
  const after = text === undefined ? before : await loadHere({ config: file }, here)
  const all = changesOf(shownConfig(before, hidden), shownConfig(after, hidden))
  // Also from a trusted workspace these are ignored.
  const ignored = all.filter(({ key }) => [...OWN_ONLY, ...BUDGET_KEYS].includes(key)).map(({ key }) => key)
  // Its rules tighten before and after: they are listed by themselves.
  const changes = all.filter(({ key }) => !ignored.includes(key) && key !== RULES)
  const rules = before.rules.filter(({ rule }) => rule.layer === 'project').map(({ rule }) => rule)
  const found = await marksOf(workspace)
  if (found === undefined) throw new WritError('TRUST_TOO_LARGE', { workspace })
  const marks = withConfig(found, text)
  const record = trustFile(configHome(io.env, homeOf(io)))
  const files = changesSince(rememberedOf(await readTrust(record), workspace) ?? {}, marks)
  // Exactly what is shown: a file that changes while the question is open is not trusted.
  const accept = () => changeRecord(record, () => trustWorkspace(record, workspace, marks))

  if (options.json) {
    await accept()
    io.stdout(
      `${JSON.stringify({ workspace, trust: 'trusted', before: before.trust, changes, rules, ignored, files })}\n`,
    )
    return 0
  }
  if (before.trust === 'trusted') {
    await accept()
    io.stdout(`${texts.already({ workspace })}\n`)
    return 0
  }
  if (files.length > 0) io.stdout(`${before.trust === 'changed' ? texts.since : texts.covers}\n`)
  for (const { file, change } of files) io.stdout(`  ${printable(`${texts.change[change]}  ${file}`)}\n`)
  if (text === undefined) io.stdout(`${texts.noFile}\n`)
  else io.stdout(`${changes.length === 0 ? texts.changesNothing : texts.changes}\n`)
  for (const { key, from, to } of changes) {
    io.stdout(`  ${printable(`${key}: ${JSON.stringify(from) ?? '-'} -> ${JSON.stringify(to) ?? '-'}`)}\n`)
  }
  if (rules.length > 0) io.stdout(`${texts.rules}\n`)
  for (const rule of rules) io.stdout(`  ${oneLine(`${rule.decide}  ${conditionText(rule)}  (${rule.from})`)}\n`)
  const allows = after.rules.filter(({ rule, origin }) => origin === file && rule.decide === 'allow')
  const places = allows.map(({ rule }) => rule.from)
  if (places.length > 0) io.stdout(`${messages(io.lang).config.projectAllow({ places })}\n`)
  if (ignored.length > 0)
    io.stdout(`${printable(messages(io.lang).config.ownOnly({ file: CONFIG_FILE, keys: ignored }))}\n`)
  if (options.confirm !== undefined && !(await options.confirm())) {
    io.stdout(`${texts.declined({ workspace })}\n`)
    return 2
  }
  await accept()
  io.stdout(`${texts.now({ workspace })}\n`)
  return 0
}

function changesOf(before: Record<string, unknown>, after: Record<string, unknown>) {
  return SCHEMA_KEYS.map(({ path }) => ({
    key: path,
    from: valueAt({ agent: before }, path),
    to: valueAt({ agent: after }, path),
  })).filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

async function revoke(json: boolean, io: Io): Promise<number> {
  const texts = messages(io.lang).trust
  const workspace = await realWorkspace(io.cwd)
  const record = trustFile(configHome(io.env, homeOf(io)))
  const had = await changeRecord(record, () => revokeTrust(record, workspace))
  if (json) io.stdout(`${JSON.stringify({ workspace, trust: 'untrusted', changed: had })}\n`)
  else io.stdout(`${had ? texts.revoked({ workspace }) : texts.notTrusted({ workspace })}\n`)
  return 0
}

async function changeRecord<T>(record: string, write: () => Promise<T>): Promise<T> {
  return write().catch((error: unknown) => {
    if (codeOf(error) === undefined) throw error
    throw new WritError('CONFIG_UNWRITABLE.own', { file: record, why: reasonOf(error) }, { cause: error })
  })
}

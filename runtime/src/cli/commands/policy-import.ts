/** `policy import AGENT FILE`: permission settings of another agent as rules. */
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { messageOf } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { parseJson } from '../../config/json-text.ts'
import { WritError } from '../../errors/writ-error.ts'
import { AGENTS, isAgent } from '../../outside/agents.ts'
import { importClaude } from '../../outside/permissions/claude.ts'
import { importCodexConfig, importCodexRules } from '../../outside/permissions/codex.ts'
import type { Imported } from '../../outside/permissions/imported.ts'
import { importOpencode } from '../../outside/permissions/opencode.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { Given } from '../flags.ts'
import { importTexts } from '../import-texts.ts'
import type { Io } from '../io.ts'

export async function policyImport({ words, switches }: Given, io: Io): Promise<number> {
  const [agent = '', file = ''] = words
  if (!isAgent(agent)) throw new WritError('IMPORT_AGENT', { name: agent, known: AGENTS.join(', ') })
  const { rules, security, notes } = importedFrom(agent, { file, text: await readSettings(resolve(io.cwd, file)) })
  const config = { agent: { security: { ...security, rules } } }
  if (switches.has('json')) {
    io.stdout(`${JSON.stringify({ config, notes })}\n`)
    return 0
  }
  const texts = importTexts(io.lang)
  io.stdout(`${JSON.stringify(config, undefined, 2)}\n`)
  io.stderr(`${texts.summary({ rules: rules.length, notes: notes.length })}\n`)
  for (const { entry, note } of notes) io.stderr(`  ${oneLine(entry)}: ${texts.notes[note]}\n`)
  io.stderr(`${texts.next}\n`)
  return 0
}

function importedFrom(agent: (typeof AGENTS)[number], { file, text }: { file: string; text: string }): Imported {
  if (agent === 'codex' && basename(file).endsWith('.rules')) return importCodexRules(text)
  let settings: unknown
  try {
    settings = agent === 'codex' ? parseToml(text) : parseJson(withoutComments(text)).value
  } catch (error) {
    throw new WritError('IMPORT_UNREADABLE', { file, why: messageOf(error) }, { cause: error })
  }
  if (!isObject(settings)) throw new WritError('IMPORT_UNREADABLE', { file, why: typeof settings })
  if (agent === 'codex') return importCodexConfig(settings)
  return agent === 'claude' ? importClaude(settings) : importOpencode(settings)
}

async function readSettings(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new WritError('IMPORT_UNREADABLE', { file, why: messageOf(error) }, { cause: error })
  }
}

/** Both agents accept comments and a last comma. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g,
    (found, quoted) => quoted ?? found.replace(/[^\n]/g, ' '),
  )
}

/**
 * Rules that people chose to remember while answering. One private file each in the user's configuration folder, so
 * that two processes cannot overwrite each other's rules; no tool can write there.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { present } from '../base/present.ts'
import { writePrivately } from '../base/private-file.ts'
import { COMMAND_CLASSES } from '../protocol/command.ts'
import type { LayeredRule, Rule } from '../protocol/rule.ts'
import type { RuleScope } from '../protocol/verdict.ts'
import { ruleId } from './rule-id.ts'

export const RULES_FOLDER = 'rules'
export const REMEMBERED = 'remembered'

export interface StoredRule {
  id: string
  /** The real path of the only workspace it holds in; absent: it holds everywhere. */
  workspace?: string
  rule: Rule
  /** Who answered, and when. */
  by: string
  at: number
}

export interface RememberedRules {
  /** Those that hold in this workspace. Read for every call that needs one, so that a revoked rule has no effect from then on. */
  current(): Promise<LayeredRule[]>
  /** Those of this workspace and of every workspace. */
  list(): Promise<StoredRule[]>
  add(rules: readonly Rule[], how: { scope: Exclude<RuleScope, 'session'>; by: string; at: number }): Promise<void>
  /** False: there is no such rule. */
  revoke(id: string): Promise<boolean>
}

const patterns = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

/** Only what is ever offered. A file with anything else grants nothing. */
const storedRule = z.strictObject({
  workspace: z.string().startsWith('/').optional(),
  rule: z.strictObject({
    tool: z.string().min(1),
    when: z
      .strictObject({
        command: z.string().min(1).optional(),
        class: z.enum(COMMAND_CLASSES).optional(),
        path: patterns.optional(),
        access: z.literal('write').optional(),
        host: patterns.optional(),
        method: patterns.optional(),
      })
      .optional(),
    decide: z.literal('allow'),
  }),
  by: z.string(),
  at: z.number(),
})

export function rememberedRules(configHome: string, workspace: string): RememberedRules {
  const folder = join(configHome, RULES_FOLDER)
  const fileOf = (id: string) => join(folder, `${id}.json`)
  const parsed: ParsedFiles = new Map()
  const list = async () => {
    const { rules } = await readRules(configHome, parsed)
    return rules.filter((stored) => stored.workspace === undefined || stored.workspace === workspace)
  }
  let last: { stored: StoredRule[]; rules: LayeredRule[] } = { stored: [], rules: [] }
  return {
    list,
    // The same array while nothing has changed: the rules of a policy are compiled once per array.
    async current() {
      const stored = await list()
      if (stored.length !== last.stored.length || stored.some((one, at) => one !== last.stored[at])) {
        // The id is what `writ policy forget` takes.
        const rules = stored.map(({ id, rule }) => ({ ...rule, layer: 'user' as const, from: `${REMEMBERED} ${id}` }))
        last = { stored, rules }
      }
      return last.rules
    },
    async add(rules, { scope, by, at }) {
      const place = scope === 'workspace' ? workspace : undefined
      for (const rule of rules) {
        const stored = { ...present({ workspace: place }), rule, by, at }
        await writePrivately(fileOf(ruleId(rule, place)), `${JSON.stringify(storedRule.parse(stored), undefined, 2)}\n`)
      }
    },
    async revoke(id) {
      if (!(await list()).some((stored) => stored.id === id)) return false
      await rm(fileOf(id), { force: true })
      return true
    },
  }
}

/** Of these rules, those with one of the ids hold. */
export function onlyRules(all: RememberedRules, ids: ReadonlySet<string>): RememberedRules {
  let last: { all: readonly LayeredRule[]; rules: LayeredRule[] } = { all: [], rules: [] }
  return {
    ...all,
    async current() {
      const rules = await all.current()
      // The same array while nothing has changed, as above.
      if (rules !== last.all) {
        const held = rules.filter(({ from }) => ids.has(from.slice(REMEMBERED.length + 1)))
        last = { all: rules, rules: held }
      }
      return last.rules
    },
  }
}

/** By file: its text and what it says. Every read compares the text, so a changed or revoked rule never holds. */
type ParsedFiles = Map<string, { text: string; stored: StoredRule }>

/** The rules of all workspaces, oldest first, and the files that cannot be used. Read synchronously: a thread costs more. */
export async function readRules(
  configHome: string,
  parsed: ParsedFiles = new Map(),
): Promise<{ rules: StoredRule[]; unusable: string[] }> {
  const folder = join(configHome, RULES_FOLDER)
  const names = namesIn(folder)
  if (names === undefined) return { rules: [], unusable: [folder] }
  if (names.length < parsed.size) parsed.clear()
  const rules: StoredRule[] = []
  const unusable: string[] = []
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const stored = readRule(join(folder, name), parsed)
    if (stored === 'gone') continue
    // A name that is not the id of its rule could not be revoked.
    if (stored !== undefined && name === `${stored.id}.json`) rules.push(stored)
    else unusable.push(join(folder, name))
  }
  return { rules: rules.sort((a, b) => a.at - b.at || a.id.localeCompare(b.id)), unusable }
}

/** Undefined: others could write there. */
function namesIn(folder: string): string[] | undefined {
  try {
    const stat = lstatSync(folder, { throwIfNoEntry: false })
    if (stat === undefined) return []
    if (!stat.isDirectory() || (stat.mode & 0o022) !== 0) return undefined
    return readdirSync(folder)
  } catch (error) {
    return isMissing(error) ? [] : undefined
  }
}

function readRule(file: string, parsed: ParsedFiles): StoredRule | 'gone' | undefined {
  try {
    const stat = lstatSync(file)
    if (!stat.isFile() || (stat.mode & 0o022) !== 0) return undefined
    const text = readFileSync(file, 'utf8')
    const known = parsed.get(file)
    if (known?.text === text) return known.stored
    const { workspace, rule, by, at } = storedRule.parse(JSON.parse(text))
    const plain = JSON.parse(JSON.stringify(rule)) as Rule
    const stored = { id: ruleId(plain, workspace), ...present({ workspace }), rule: plain, by, at }
    parsed.set(file, { text, stored })
    return stored
  } catch (error) {
    return isMissing(error) ? 'gone' : undefined
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Skills: names and descriptions are always in the prompt (L1), instructions are read on use (L2). */
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../base/errors.ts'
import type { Bilingual } from '../base/lang.ts'
import { WORKSPACE_SKILLS } from '../config/trusted-files.ts'
import { WritError } from '../errors/writ-error.ts'
import { RESULT_TOOL } from '../protocol/message.ts'
import { type Fields, readFrontMatter } from './front-matter.ts'
import { type Places, readBounded, USER_SKILLS, warn } from './places.ts'
import { contextTexts } from './texts.ts'

/** A skill that was found; see docs/guides/skills-and-memory.md. */
export interface SkillMeta {
  name: string
  description: string
  /** Absent: all tools. */
  allowedTools?: string[]
  folder: string
  /** The skills folder it was found in; links may not leave it. */
  root: string
  owner: 'workspace' | 'user'
}

const FILE = 'SKILL.md'
const MAX_BYTES = 128 * 1024
const MAX_SKILLS = 200
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024
const MAX_ALLOWED = 4096
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u

/** Names of the same tools in skills written for other agents. */
const KNOWN_AS = new Map([
  ['read', 'file_read'],
  ['write', 'file_write'],
  ['edit', 'file_edit'],
  ['glob', 'file_list'],
  ['grep', 'file_search'],
  ['bash', 'shell'],
  ['webfetch', 'http_request'],
])

interface Root {
  base: string
  path: string
  owner: SkillMeta['owner']
}

interface Scan {
  skills: SkillMeta[]
  warnings: string[]
  /** Folders ignored because their workspace is not trusted. */
  untrusted: string[]
}

/** Of two skills with the same name the first is used. No file content makes this throw. */
export async function scanSkills(places: Places): Promise<Scan> {
  const roots: Root[] = [
    ...WORKSPACE_SKILLS.map((path) => ({ base: places.workspace, path, owner: 'workspace' as const })),
    { base: places.configHome, path: USER_SKILLS, owner: 'user' },
  ]
  const texts = contextTexts(places.lang)
  const skills: SkillMeta[] = []
  const warnings: string[] = []
  const untrusted: string[] = []
  for (const root of roots) {
    const found = await scanRoot(root, places)
    warnings.push(...found.warnings)
    untrusted.push(...found.untrusted)
    for (const skill of found.skills) {
      const first = skills.find(({ name }) => name === skill.name)
      if (first === undefined) skills.push(skill)
      else warnings.push(texts.duplicate({ path: skill.folder, name: skill.name, other: first.folder }))
    }
  }
  return { skills, warnings, untrusted }
}

async function scanRoot({ base, path, owner }: Root, { trusted, lang }: Places): Promise<Scan> {
  const texts = contextTexts(lang)
  const skills: SkillMeta[] = []
  const warnings: string[] = []
  const untrusted: string[] = []
  const root = join(await realpath(base).catch(() => base), path)
  try {
    const folders = (await readdir(root)).filter((name) => !name.startsWith('.')).sort()
    const real = await realpath(root)
    if (folders.length === 0) return { skills, warnings, untrusted }
    if (owner === 'workspace' && !trusted) return { skills, warnings, untrusted: [root] }
    if (real !== root) return { skills, warnings: [texts.elsewhere({ path: root, real })], untrusted }
    if (folders.length > MAX_SKILLS) warnings.push(texts.tooMany({ path: root, max: MAX_SKILLS }))
    for (const name of folders.slice(0, MAX_SKILLS)) {
      const read = await readSkill(join(root, name), root)
      if (read === undefined) continue
      if ('warning' in read) warnings.push(read.warning[lang])
      else skills.push({ ...read.meta, owner })
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOENT' && code !== 'ENOTDIR') warnings.push(texts.unreadable({ path: root, why: messageOf(error) }))
  }
  return { skills, warnings, untrusted }
}

/** Reads the instructions on use: an unused skill costs only its line in the list. */
export async function loadSkill({ name, folder, root }: Pick<SkillMeta, 'name' | 'folder' | 'root'>): Promise<string> {
  const read = await readSkill(folder, root)
  if (read !== undefined && 'body' in read) return read.body
  throw read === undefined
    ? new WritError('SKILL_UNREADABLE.gone', { name, folder })
    : new WritError('SKILL_UNREADABLE', { why: read.warning })
}

type Read = { meta: Omit<SkillMeta, 'owner'>; body: string } | { warning: Bilingual } | undefined

async function readSkill(folder: string, root: string): Promise<Read> {
  const path = join(folder, FILE)
  const read = await readBounded(path, { within: root, maxBytes: MAX_BYTES })
  if (read === undefined || 'warning' in read) return read
  const matter = readFrontMatter(read.text)
  if ('problem' in matter) return warn((texts) => texts.frontMatter({ path, ...matter }))

  const name = textOf(matter.fields, 'name')
  if (!NAME.test(name) || name.length > MAX_NAME) {
    return warn((texts) => texts.field({ path, key: 'name', max: MAX_NAME }))
  }
  // One line: a description is part of a list in the prompt and must not look like its next section.
  const description = textOf(matter.fields, 'description').replace(/\s+/g, ' ')
  if (description === '' || description.length > MAX_DESCRIPTION) {
    return warn((texts) => texts.field({ path, key: 'description', max: MAX_DESCRIPTION }))
  }
  const allowed = matter.fields.get('allowed-tools') ?? []
  if (allowed.length > MAX_ALLOWED) {
    return warn((texts) => texts.field({ path, key: 'allowed-tools', max: MAX_ALLOWED }))
  }
  const limits = matter.fields.has('allowed-tools')
  const meta = { name, description, ...(limits ? { allowedTools: toolNames(allowed) } : {}), folder, root }
  return { meta, body: matter.body }
}

function textOf(fields: Fields, key: string): string {
  const value = fields.get(key)
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * A list, or names separated by commas or spaces. Anything but a plain name, such as `Bash(git:*)`, allows nothing:
 * treating it as `shell` would allow more than was written.
 */
function toolNames(allowed: string | string[]): string[] {
  const items = typeof allowed === 'string' ? allowed.match(/[^\s,()]+(?:\([^()]*\))?/g) : allowed
  const names = items?.filter((item) => /^[\w.:-]+$/.test(item)) ?? []
  return [...new Set(names.map((name) => KNOWN_AS.get(name.toLowerCase()) ?? name))]
}

/**
 * Tools allowed with these skills together: those of any of them, limited to `tools`. A skill without a list allows
 * all.
 */
export function narrowedBy(skills: readonly Pick<SkillMeta, 'allowedTools'>[], tools: readonly string[]): string[] {
  if (skills.length === 0) return [...tools]
  const isAllowed = (tool: string) => skills.some(({ allowedTools }) => allowedTools?.includes(tool) ?? true)
  // Without it the rest of a shortened result of an allowed tool could not be read.
  return tools.filter((tool) => tool === RESULT_TOOL || isAllowed(tool))
}

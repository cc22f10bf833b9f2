/** Identity files: AGENT.md, SOUL.md, USER.md, and the workspace's AGENTS.md. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { clip } from '../base/text.ts'
import { IDENTITY_FILES, WORKSPACE_RULES } from '../config/trusted-files.ts'
import { type Places, readBounded } from './places.ts'
import { contextTexts } from './texts.ts'

const MAX_CHARS = 8000
const MAX_BYTES = 1024 * 1024

interface Candidate {
  folder: string
  name: string
  trusted: boolean
}

interface Identity {
  text: string
  warnings: string[]
  /** Files ignored because their workspace is not trusted. */
  untrusted: string[]
}

/** A trusted workspace's copy overrides the user's own; missing files are not an error. */
export async function readIdentity(places: Places): Promise<Identity> {
  const workspace = await realOrSame(places.workspace)
  const home = await realOrSame(places.configHome)
  const local = (name: string): Candidate => ({ folder: workspace, name, trusted: places.trusted })
  const own = (name: string): Candidate => ({ folder: home, name, trusted: true })
  const wanted = [...IDENTITY_FILES.map((name) => [local(name), own(name)]), [local(WORKSPACE_RULES)]]

  const found: Omit<Identity, 'text'> = { warnings: [], untrusted: [] }
  const sections: string[] = []
  for (const candidates of wanted) {
    const section = await firstOf(candidates, places, found)
    if (section !== undefined) sections.push(section)
  }
  return { text: sections.join('\n\n'), ...found }
}

async function firstOf(
  candidates: readonly Candidate[],
  { lang }: Places,
  { warnings, untrusted }: Omit<Identity, 'text'>,
): Promise<string | undefined> {
  const texts = contextTexts(lang)
  for (const { folder, name, trusted } of candidates) {
    const path = join(folder, name)
    const read = await readBounded(path, { within: path, maxBytes: MAX_BYTES })
    if (read === undefined) continue
    if (!trusted) untrusted.push(path)
    else if ('warning' in read) warnings.push(read.warning[lang])
    else if (read.text.trim() !== '') {
      const kept = clip(read.text.trim(), MAX_CHARS)
      if (kept !== read.text.trim()) warnings.push(texts.clipped({ path, max: MAX_CHARS }))
      return `# ${name}\n${kept}`
    }
  }
  return undefined
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

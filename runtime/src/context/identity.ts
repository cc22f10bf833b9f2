/** Who the agent is and whom it works for: AGENT.md, SOUL.md, USER.md, and the workspace's AGENTS.md. */
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

/** A trusted workspace's copy beats the user's own; missing files are no error. */
export async function readIdentity(places: Places): Promise<{ text: string; warnings: string[] }> {
  const workspace = await realOrSame(places.workspace)
  const home = await realOrSame(places.configHome)
  const local = (name: string): Candidate => ({ folder: workspace, name, trusted: places.trusted })
  const own = (name: string): Candidate => ({ folder: home, name, trusted: true })
  const wanted = [...IDENTITY_FILES.map((name) => [local(name), own(name)]), [local(WORKSPACE_RULES)]]

  const warnings: string[] = []
  const sections: string[] = []
  for (const candidates of wanted) {
    const section = await firstOf(candidates, places, warnings)
    if (section !== undefined) sections.push(section)
  }
  return { text: sections.join('\n\n'), warnings }
}

async function firstOf(
  candidates: readonly Candidate[],
  { lang }: Places,
  warnings: string[],
): Promise<string | undefined> {
  const texts = contextTexts(lang)
  for (const { folder, name, trusted } of candidates) {
    const path = join(folder, name)
    const read = await readBounded(path, { within: path, maxBytes: MAX_BYTES, lang })
    if (read === undefined) continue
    if (!trusted) warnings.push(texts.untrusted({ path }))
    else if ('warning' in read) warnings.push(read.warning)
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

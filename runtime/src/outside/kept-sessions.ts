/** Sessions of an agent, found by their transcripts: of one that ran without hooks nothing else is known. */
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentName } from './agents.ts'
import { lastWords } from './transcripts.ts'

export interface KeptSession {
  /** The agent's own id. */
  id: string
  file: string
}

const FOLDERS: Readonly<Partial<Record<AgentName, string>>> = { claude: 'projects', codex: 'sessions' }
const NAMED = /(?:^|[/-])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/
/** The newest are enough to see that something is wrong. */
const MOST = 50
const HEAD_BYTES = 4096

/** Those in which a user has said something, and that went on since then; newest first. */
export async function keptSessions(agent: AgentName, home: string, since: number): Promise<KeptSession[]> {
  const name = FOLDERS[agent]
  if (name === undefined) return []
  const folder = join(home, name)
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const found = await Promise.all(
    names.map(async (path) => {
      const [, id] = NAMED.exec(path) ?? []
      const file = join(folder, path)
      const at = id === undefined ? 0 : await changedAt(file)
      return id === undefined || at <= since ? [] : [{ id, file, at }]
    }),
  )
  const newest = found
    .flat()
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST)
  const own = await Promise.all(newest.map(async ({ id, file }) => ((await isOwn(file)) ? [{ id, file }] : [])))
  return own.flat()
}

async function changedAt(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  return found?.mtimeMs ?? 0
}

/** The conversation of a sub-agent has no user, and its hooks name the session that started it. */
async function isOwn(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return false
  const { buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0).finally(() => file.close())
  return !buffer.toString('utf8').includes('"subagent"') && (await lastWords(path)) !== ''
}

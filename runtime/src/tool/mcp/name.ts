import { sha256 } from '../../base/hash.ts'

const MAX_LENGTH = 64

/**
 * The name under which the model finds a server's tool. Where it had to be shortened or was taken already, a mark of
 * the whole name is added, so that it is the same in every run.
 */
export function offeredName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const full = `mcp__${server}__${tool}`
  const plain = full.replace(/[^A-Za-z0-9_-]/g, '_')
  if (plain === full && plain.length <= MAX_LENGTH && !taken.has(plain)) return plain
  const mark = sha256(JSON.stringify([server, tool])).slice(0, 8)
  return `${plain.slice(0, MAX_LENGTH - mark.length - 1)}_${mark}`
}

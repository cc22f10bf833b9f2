import { sha256 } from '../../base/hash.ts'

const MAX_LENGTH = 64

/**
 * The tool's name for the model. If it had to be shortened or is taken, a hash of the full name is appended, so it is
 * the same in every run.
 */
export function offeredName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const full = `mcp__${server}__${tool}`
  const plain = full.replace(/[^A-Za-z0-9_-]/g, '_')
  if (plain === full && plain.length <= MAX_LENGTH && !taken.has(plain)) return plain
  const mark = sha256(JSON.stringify([server, tool])).slice(0, 8)
  return `${plain.slice(0, MAX_LENGTH - mark.length - 1)}_${mark}`
}

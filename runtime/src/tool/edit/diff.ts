/** What changes will do to files, as a unified diff computed from their content. */
import { structuredPatch } from 'diff'
import { clipPreview } from '../../protocol/preview.ts'
import type { FileChange } from './changes.ts'
import { decodeText, linesOf } from './text.ts'

const MAX_PREVIEW = 8_000
const DIFF_MS = 500
const CONTEXT = 3
const NO_NEWLINE = '\n\\ No newline at end of file'

/** With several files, a list of all of them comes first: the end of a long preview is cut. */
export function previewOf(changes: readonly FileChange[]): string {
  const shown = changes.filter(({ isMoved }) => isMoved !== true)
  const list = shown.length > 1 ? [shown.map(summaryOf).join('\n')] : []
  const diffs = shown.map((change) => diffOf(change, DIFF_MS / shown.length))
  return clipPreview([...list, ...diffs].join('\n\n'), MAX_PREVIEW)
}

function summaryOf({ path, before, after, from }: FileChange): string {
  if (from !== undefined) return `rename ${from.path} → ${path}`
  return `${before === undefined ? 'create' : after === undefined ? 'delete' : 'change'} ${path}`
}

function diffOf(change: FileChange, timeout: number): string {
  const { path, from, after } = change
  const before = from?.file ?? change.before
  const isExecutable = (before?.stat.mode ?? 0) & 0o111 ? true : undefined
  const willBe = after?.executable ?? isExecutable
  const mode = (executable: boolean | undefined) => (executable === true ? '100755' : '100644')
  const isModeKept = before === undefined ? willBe !== true : after === undefined || mode(willBe) === mode(isExecutable)
  const old = textOf(before?.content)
  const fresh = textOf(after?.content)
  const isBinary = old === undefined || fresh === undefined
  return [
    ...(from === undefined ? [] : [`rename from ${from.path}`, `rename to ${path}`]),
    ...(isModeKept
      ? []
      : [`${before === undefined ? 'new file' : `old mode ${mode(isExecutable)}\nnew`} mode ${mode(willBe)}`]),
    `--- ${before === undefined ? '/dev/null' : (from?.path ?? path)}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
    ...(isBinary
      ? [`binary: ${before?.content.length ?? 0} → ${after?.content.length ?? 0} bytes`]
      : hunksOf(linesOf(old), linesOf(fresh), timeout)),
  ].join('\n')
}

/** Undefined for a binary file. */
function textOf(content: Buffer | undefined): string | undefined {
  try {
    return content === undefined ? '' : decodeText(content, '')
  } catch {
    return undefined
  }
}

/** Only the part between the first and the last changed line is compared. If that takes too long, it is all replaced. */
function hunksOf(old: readonly string[], fresh: readonly string[], timeout: number): string[] {
  const most = Math.min(old.length, fresh.length)
  let head = 0
  while (head < most && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  if (head === old.length && head === fresh.length) return []
  const from = Math.max(0, head - CONTEXT)
  const kept = Math.max(0, tail - CONTEXT)
  const [olds, news] = [old, fresh].map((lines) => lines.slice(from, lines.length - kept))
  const options = { context: CONTEXT, timeout }
  const patch = structuredPatch('', '', (olds ?? []).join(''), (news ?? []).join(''), '', '', options)
  if (patch === undefined) {
    const [removed, added] = [old, fresh].map((lines) => lines.slice(head, lines.length - tail))
    const lines = [...marked('-', removed ?? []), ...marked('+', added ?? [])]
    return [`@@ ${range('-', head + 1, removed?.length)} ${range('+', head + 1, added?.length)} @@`, ...lines]
  }
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ ${range('-', oldStart + from, oldLines)} ${range('+', newStart + from, newLines)} @@`,
    ...lines,
  ])
}

/** Without lines, the line before is named. */
function range(sign: '-' | '+', start: number, count = 0): string {
  return `${sign}${count === 0 ? start - 1 : start},${count}`
}

function marked(sign: '-' | '+', lines: readonly string[]): string[] {
  return lines.map((line) => sign + (line.endsWith('\n') ? line.slice(0, -1) : line + NO_NEWLINE))
}

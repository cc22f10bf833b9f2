import { padTo, widthOf } from './visible.ts'

/** Names are aligned left, numbers right. */
export function numberTable(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map(String))
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? '')))) ?? []
  return cells
    .map((row) => row.map((cell, at) => (at === 0 ? padTo(cell, widths[at] ?? 0) : padLeft(cell, widths[at] ?? 0))))
    .map((row) => `  ${row.join('  ')}`.trimEnd())
    .join('\n')
}

/** Aligned left, without padding in the last column. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? '')))) ?? []
  const line = (row: readonly string[]) => row.map((cell, at) => padTo(cell, widths[at] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

function padLeft(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text
}

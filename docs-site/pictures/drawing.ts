/** Draws boxes and arrows as SVG. In a page of the site its colours are the page's; alone, those of its own style. */
import type { Lang } from '../../runtime/src/base/lang.ts'
import { escapeHtml } from '../markdown.ts'

export type Look = 'box' | 'accent' | 'allow' | 'ask' | 'deny'
export type Words = Readonly<Record<Lang, string>>
type Point = readonly [x: number, y: number]

export interface Picture {
  /** What it shows, for those who cannot see it. */
  title: Words
  width: number
  height: number
  draw(pen: Pen): void
}

export interface Pen {
  /** Lines in the middle of a box; the first is its name, unless there is only one. */
  box(at: Point, size: Point, lines: readonly Words[], look?: Look): void
  /** From corner to corner; the head is at the last one. */
  arrow(points: readonly Point[], dashed?: boolean): void
  text(at: Point, words: Words, look?: 'small' | 'strong' | 'mono', anchor?: 'start' | 'middle' | 'end'): void
}

/** The same names as in `browser/site.css`. */
const STYLE = `text { font: 14px ui-sans-serif, system-ui, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; fill: #1e1c19 }
.small { font-size: 12px; fill: #55504a }
.strong { font-weight: 650 }
.mono { font: 12px ui-monospace, Menlo, Consolas, monospace }
.paper { fill: #ffffff }
.box { fill: #f3f1ed; stroke: #8f897e }
.accent { fill: #e6eef8; stroke: #2a5a9b }
.allow { fill: #e3f2e9; stroke: #1b6b43 }
.ask { fill: #fbf0d9; stroke: #7d5200 }
.deny { fill: #fbe7e4; stroke: #a8261c }
.line { fill: none; stroke: #55504a; stroke-width: 1.5 }
.dashed { stroke-dasharray: 5 4 }
.head { fill: #55504a }
@media (prefers-color-scheme: dark) {
  text { fill: #eae7e1 }
  .small { fill: #bdb8ae }
  .paper { fill: #1b1d22 }
  .box { fill: #23262c; stroke: #767b86 }
  .accent { fill: #22324a; stroke: #8fb8f2 }
  .allow { fill: #1c3328; stroke: #7acca0 }
  .ask { fill: #392d16; stroke: #e6b964 }
  .deny { fill: #40211e; stroke: #f3968c }
  .line { stroke: #bdb8ae }
  .head { fill: #bdb8ae }
}`

const LINE = 18

export function svgOf({ title, width, height, draw }: Picture, lang: Lang): string {
  const parts: string[] = []
  const words = (text: Words) => escapeHtml(text[lang])
  const pen: Pen = {
    box([x, y], [w, h], lines, look = 'box') {
      parts.push(`<rect class="${look}" x="${x}" y="${y}" width="${w}" height="${h}" rx="7"/>`)
      const top = y + h / 2 - ((lines.length - 1) * LINE) / 2 + 5
      for (const [i, line] of lines.entries()) {
        const name = lines.length > 1 && i > 0 ? 'small' : 'strong'
        parts.push(
          `<text class="${name}" x="${x + w / 2}" y="${top + i * LINE}" text-anchor="middle">${words(line)}</text>`,
        )
      }
    },
    arrow(points, dashed = false) {
      const [last, before] = [points.at(-1), points.at(-2)]
      if (last === undefined || before === undefined) return
      parts.push(
        `<polyline class="line${dashed ? ' dashed' : ''}" points="${points.map((each) => each.join(',')).join(' ')}"/>`,
      )
      parts.push(`<polygon class="head" points="${headOf(before, last)}"/>`)
    },
    text([x, y], text, look, anchor = 'middle') {
      parts.push(
        `<text${look === undefined ? '' : ` class="${look}"`} x="${x}" y="${y}" text-anchor="${anchor}">${words(text)}</text>`,
      )
    },
  }
  draw(pen)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${words(title)}</title>
<style>
${STYLE}
</style>
<rect class="paper" width="${width}" height="${height}"/>
${parts.join('\n')}
</svg>
`
}

function headOf([fromX, fromY]: Point, [x, y]: Point): string {
  const length = Math.hypot(x - fromX, y - fromY)
  const [dx, dy] = [(x - fromX) / length, (y - fromY) / length]
  const back: Point = [x - dx * 9, y - dy * 9]
  const corners: Point[] = [
    [x, y],
    [back[0] - dy * 5, back[1] + dx * 5],
    [back[0] + dy * 5, back[1] - dx * 5],
  ]
  return corners.map((corner) => corner.map((each) => Math.round(each * 10) / 10).join(',')).join(' ')
}

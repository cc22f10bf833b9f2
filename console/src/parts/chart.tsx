/** Bar and column charts as SVG, with their numbers as text or table for screen readers. */
import { useTexts } from '../i18n/texts.tsx'
import { Worded } from './badge.tsx'
import './chart.css'

export interface Bar {
  name: string
  /** The name is a code of the protocol. */
  coded?: true
  value: number
  text?: string
  tone?: 'allow' | 'ask' | 'deny'
  title?: string | undefined
}

export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map((bar) => bar.value))
  return (
    <ul className="bars" aria-label={label}>
      {bars.map(({ name, coded, value, text, tone, title }) => (
        <li key={name} title={title}>
          {coded ? (
            <span className="small">
              <Worded code={name} />
            </span>
          ) : (
            <span className="mono small clip">{name}</span>
          )}
          <span className="bars-track" aria-hidden="true">
            {value > 0 && <i className={tone ?? ''} style={{ width: `${Math.max(1, (value / most) * 100)}%` }} />}
          </span>
          <span className="num small">{text ?? value}</span>
        </li>
      ))}
    </ul>
  )
}

export interface Column {
  /** Start time. */
  name: string
  end: string
  /** Bottom to top. */
  parts: readonly number[]
}

interface ColumnsProps {
  label: string
  columns: readonly Column[]
  series: readonly { name: string; colour: string }[]
}

const HEIGHT = 132

export function Columns({ label, columns, series }: ColumnsProps) {
  const { common } = useTexts()
  const sums = columns.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))
  const most = Math.max(1, ...sums)
  const width = 100 / Math.max(1, columns.length)
  return (
    <figure className="columns">
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {columns.map(({ name, parts }, i) => {
          let top = HEIGHT
          return (
            <g key={name}>
              {parts.map((part, at) => {
                const height = (part / most) * (HEIGHT - 8)
                top -= height
                const one = series[at]
                return (
                  <rect
                    key={one?.name}
                    x={i * width + width * 0.14}
                    y={top}
                    width={width * 0.72}
                    height={height}
                    fill={`var(${one?.colour ?? '--chart-1'})`}
                  >
                    <title>{`${name} · ${one?.name}: ${part}`}</title>
                  </rect>
                )
              })}
            </g>
          )
        })}
      </svg>
      <div className="columns-axis small muted" aria-hidden="true">
        <span>{columns[0]?.name}</span>
        <span>{columns.at(-1)?.end}</span>
      </div>
      <figcaption className="row small">
        {series.map(({ name, colour }, at) => (
          <span key={name} className="row">
            <i className="swatch" style={{ background: `var(${colour})` }} />
            {name} <span className="num muted">{columns.reduce((sum, { parts }) => sum + (parts[at] ?? 0), 0)}</span>
          </span>
        ))}
        <span className="muted">{common.peak({ count: most })}</span>
      </figcaption>
    </figure>
  )
}

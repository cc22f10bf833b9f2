import type { ReactNode } from 'react'

/** A table that scrolls sideways when needed, also by keyboard. */
interface Props {
  label: string
  head: readonly ReactNode[]
  /** On narrow screens each row becomes a card; `data-label` names the cells. */
  cards?: boolean
  children: ReactNode
}

export function Table({ label, head, cards = false, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section className="table-wrap" aria-label={label} tabIndex={0}>
      <table className={cards ? 'table cards' : 'table'}>
        <thead>
          <tr>
            {head.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <th key={i} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

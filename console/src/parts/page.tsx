import { type ReactNode, useEffect } from 'react'

interface Props {
  title: string
  /** Where the page belongs: a link above the title. */
  eyebrow?: ReactNode
  lede?: string
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, eyebrow, lede, actions, children }: Props) {
  useTitle(title)
  return (
    <div className="page">
      <div className="page-head">
        <div>
          {eyebrow !== undefined && <div className="small eyebrow">{eyebrow}</div>}
          <h1>{title}</h1>
          {lede !== undefined && <p>{lede}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Writ`
  }, [title])
}

import { type ReactNode, useEffect } from 'react'

interface Props {
  title: string
  lede?: string
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, lede, actions, children }: Props) {
  useTitle(title)
  return (
    <div className="page">
      <div className="page-head">
        <div>
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

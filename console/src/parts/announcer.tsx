/** One polite voice for what happens without a click: a reply that came, a question that waits, a link that broke. */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const Announce = createContext<(text: string) => void>(() => {})

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', n: 0 })
  const announce = useCallback((text: string) => setSaid(({ n }) => ({ text, n: n + 1 })), [])
  return (
    <Announce value={announce}>
      {children}
      <div className="visually-hidden" aria-live="polite" aria-atomic="true">
        <span key={said.n}>{said.text}</span>
      </div>
    </Announce>
  )
}

export function useAnnounce(): (text: string) => void {
  return useContext(Announce)
}

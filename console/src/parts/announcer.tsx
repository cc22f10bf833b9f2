/** A polite live region for events without a click: replies, approvals, connection loss. */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const Announce = createContext<(text: string) => void>(() => {})

export function Announcer({ children }: { children: ReactNode }) {
  const [announcement, setAnnouncement] = useState({ text: '', n: 0 })
  const announce = useCallback((text: string) => setAnnouncement(({ n }) => ({ text, n: n + 1 })), [])
  return (
    <Announce value={announce}>
      {children}
      <div className="visually-hidden" aria-live="polite" aria-atomic="true">
        <span key={announcement.n}>{announcement.text}</span>
      </div>
    </Announce>
  )
}

export function useAnnounce(): (text: string) => void {
  return useContext(Announce)
}

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

const NEAR_PX = 120

/** Keeps the page at its end, from the first rendering on, until the user scrolls up. */
export function useEnd(): [RefObject<HTMLDivElement | null>, boolean, () => void] {
  const content = useRef<HTMLDivElement>(null)
  const pinned = useRef(true)
  const [atEnd, setAtEnd] = useState(true)
  const goToEnd = useCallback(() => {
    pinned.current = true
    window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
  }, [])
  useEffect(() => {
    // After a reload, the browser would go back to where the page was.
    history.scrollRestoration = 'manual'
    const look = () => {
      const { scrollHeight, scrollTop, clientHeight } = document.documentElement
      pinned.current = scrollHeight - scrollTop - clientHeight < NEAR_PX
      setAtEnd(pinned.current)
    }
    const grown = new ResizeObserver(() => (pinned.current ? goToEnd() : look()))
    if (content.current !== null) grown.observe(content.current)
    window.addEventListener('scroll', look)
    return () => {
      grown.disconnect()
      window.removeEventListener('scroll', look)
      history.scrollRestoration = 'auto'
    }
  }, [goToEnd])
  return [content, atEnd, goToEnd]
}

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
    let last = document.documentElement.scrollTop
    const look = () => {
      const { scrollHeight, scrollTop, clientHeight } = document.documentElement
      const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PX
      // A question that takes the focus scrolls down to itself, before its growth is seen: that is no wish to leave.
      if (isNear) pinned.current = true
      else if (scrollTop < last) pinned.current = false
      last = scrollTop
      setAtEnd(isNear)
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

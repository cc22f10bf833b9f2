/** Keyboard shortcuts: `g` and a letter open a page, `?` lists them. Ignored while the user types in a field. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { PLACES } from './rail.tsx'

const LETTERS = {
  c: 'chat',
  a: 'approvals',
  r: 'runs',
  m: 'memory',
  o: 'overview',
  p: 'policy',
  u: 'rules',
  i: 'whatif',
  d: 'decisions',
  w: 'workflows',
  n: 'agent',
  t: 'routines',
} as const satisfies Record<string, keyof typeof PLACES>

const CHORD_MS = 1500

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    let chordAt = 0
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('dialog[open]') !== null) return
      const now = Date.now()
      const name = Object.entries(LETTERS).find(([letter]) => letter === event.key)?.[1]
      if (event.key === '?') onHelp()
      else if (event.key === 'g') chordAt = now
      else if (event.key === '/') {
        const search = document.querySelector<HTMLElement>('[data-search]')
        if (search === null) return
        event.preventDefault()
        search.focus()
      } else if (name !== undefined && now - chordAt < CHORD_MS) {
        chordAt = 0
        event.preventDefault()
        void navigate({ to: PLACES[name] })
      }
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [navigate, onHelp])
}

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { nav, keys } = useTexts()
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl className="keys">
        {Object.entries(LETTERS).map(([letter, name]) => (
          <Key key={letter} keys={['g', letter]} text={nav[name]} />
        ))}
        <Key keys={['/']} text={keys.search} />
        <Key keys={['Enter']} text={keys.send} />
        <Key keys={['Shift', 'Enter']} text={keys.line} />
        <Key keys={['y', 'n', 'a']} text={keys.answer} />
        <Key keys={['Esc']} text={keys.escape} />
        <Key keys={['?']} text={keys.title} />
      </dl>
    </Dialog>
  )
}

function Key({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <>
      <dt className="row">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </>
  )
}

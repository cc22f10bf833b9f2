/** What stands around every page: the way to the others, language and light, help, and the door. */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../runtime/src/server/client.ts'
import { useTexts } from '../i18n/texts.tsx'
import { infoQuery } from '../lib/queries.ts'
import { Button } from '../parts/button.tsx'
import { Brand, Rail } from './rail.tsx'
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx'
import { SignIn } from './sign-in.tsx'

export function Shell() {
  const { nav, common } = useTexts()
  const info = useQuery(infoQuery)
  const [open, setOpen] = useState(false)
  const [help, setHelp] = useState(false)
  const main = useRef<HTMLElement>(null)
  useShortcuts(() => setHelp(true))
  useEffect(() => {
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [])

  if (info.error instanceof ApiError && info.error.status === 401) return <SignIn />
  return (
    <>
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        {nav.skip}
      </button>
      <div className="shell">
        <header className="topbar">
          <Button look="plain" icon="menu" aria-label={nav.menu} aria-expanded={open} onClick={() => setOpen(true)} />
          <Brand />
        </header>
        {open && <button type="button" className="scrim" aria-label={common.close} onClick={() => setOpen(false)} />}
        <Rail open={open} info={info.data} onHelp={() => setHelp(true)} onGo={() => setOpen(false)} />
        <main id="main" ref={main} tabIndex={-1}>
          {info.data !== undefined && !info.data.sandbox.active && (
            <p className="note ask" role="status">
              {(info.data.sandbox.setting === 'required' ? nav.refusesCommands : nav.unfenced)(info.data.sandbox)}
            </p>
          )}
          <Outlet />
        </main>
      </div>
      {help && <ShortcutHelp onClose={() => setHelp(false)} />}
    </>
  )
}

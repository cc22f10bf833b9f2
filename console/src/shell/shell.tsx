/** The frame of every page: navigation, language, theme, help, sign-in. */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { infoQuery } from '../lib/queries.ts'
import { Button } from '../parts/button.tsx'
import { Brand, Rail } from './rail.tsx'
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx'
import { SignIn, SignInAgain } from './sign-in.tsx'
import { useConnectionWatch } from './use-connection-watch.ts'

export function Shell() {
  const { nav, common } = useTexts()
  const info = useQuery(infoQuery)
  const connection = useConnectionWatch()
  const [open, setOpen] = useState(false)
  const [help, setHelp] = useState(false)
  const main = useRef<HTMLElement>(null)
  useShortcuts(() => setHelp(true))
  useEffect(() => {
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [])

  if (connection === 'signed-out' && info.data === undefined) return <SignIn />
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
          {connection === 'unreachable' && (
            <p className="note ask banner connection-state" role="status">
              {nav.unreachable}
            </p>
          )}
          {info.data !== undefined && !info.data.sandbox.active && (
            <p className="note ask banner" role="status">
              {(info.data.sandbox.setting === 'required' ? nav.refusesCommands : nav.unsandboxed)(info.data.sandbox)}
            </p>
          )}
          <Outlet />
        </main>
      </div>
      {connection === 'signed-out' && <SignInAgain />}
      {help && <ShortcutHelp onClose={() => setHelp(false)} />}
    </>
  )
}

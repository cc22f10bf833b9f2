import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../i18n/texts.tsx'
import { approvalsQuery } from '../lib/queries.ts'
import { signOut } from '../lib/tabs.ts'
import { setTheme, type Theme, themeNow } from '../lib/theme.ts'
import type { Info } from '../lib/wire.ts'
import { Button } from '../parts/button.tsx'
import { Segments } from '../parts/field.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Shown } from '../parts/text.tsx'

const GROUPS = [
  { id: 'work', links: ['chat', 'approvals', 'runs', 'memory', 'overview'] },
  { id: 'govern', links: ['policy', 'rules', 'whatif', 'decisions'] },
  { id: 'build', links: ['workflows', 'agent', 'routines'] },
] as const

export const PLACES = {
  chat: '/',
  approvals: '/approvals',
  runs: '/runs',
  memory: '/memory',
  overview: '/overview',
  policy: '/policy',
  rules: '/rules',
  whatif: '/what-if',
  decisions: '/decisions',
  workflows: '/workflows',
  agent: '/agent',
  routines: '/routines',
} as const satisfies Partial<Record<IconName, string>>

export function Brand() {
  return (
    <Link to="/" className="brand">
      <img src="/seal.svg" alt="" width="24" height="24" />
      Writ
    </Link>
  )
}

interface RailProps {
  open: boolean
  info: Info | undefined
  onHelp: () => void
  onGo: () => void
}

export function Rail({ open, info, onHelp, onGo }: RailProps) {
  const { texts, lang, setLang } = useLanguage()
  const { nav } = texts
  const inChat = useRouterState({ select: ({ location }) => /^\/(?:chat\/.*)?$/.test(location.pathname) })
  const waiting = useQuery({ ...approvalsQuery, enabled: info !== undefined }).data?.open.length ?? 0
  return (
    <div className="rail" data-open={open}>
      <Brand />
      <nav aria-label={nav.label}>
        {GROUPS.map(({ id, links }) => (
          <div key={id}>
            <h2>{nav.groups[id]}</h2>
            <ul>
              {links.map((name) => (
                <li key={name}>
                  <Link
                    to={PLACES[name]}
                    className="nav-link"
                    onClick={onGo}
                    activeOptions={{ exact: name === 'chat', includeSearch: false }}
                    {...(name === 'chat' && inChat ? { 'aria-current': 'page' } : {})}
                  >
                    <Icon name={name} />
                    {nav[name]}
                    {name === 'approvals' && waiting > 0 && (
                      <span className="badge ask count num" title={nav.waiting({ count: waiting })}>
                        {waiting}
                      </span>
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="rail-foot">
        {info !== undefined && <ModelNote info={info} />}
        {info !== undefined && <Account info={info} />}
        <div className="row between">
          <Segments
            label={nav.language}
            value={lang}
            options={[
              { value: 'en', label: 'EN' },
              { value: 'zh', label: '中文' },
            ]}
            onChange={setLang}
          />
          <a className="small" href={lang === 'zh' ? '/docs/zh/' : '/docs/'} target="_blank" rel="noreferrer">
            {nav.docs}
          </a>
          <Button look="plain" small icon="help" aria-label={nav.help} onClick={onHelp} />
        </div>
        <ThemeChoice />
      </div>
    </div>
  )
}

/** The name of the token is what its owner chose; the principal is an id. */
function Account({ info }: { info: Info }) {
  const { nav } = useLanguage().texts
  const { token, principal, scopes } = info
  return (
    <section className="account" aria-label={nav.account}>
      <span className="account-mark" aria-hidden="true">
        {[...token][0]?.toUpperCase()}
      </span>
      <div className="account-names small" title={`${principal}\n${scopes.join(', ')}`}>
        <span className="visually-hidden">{nav.signedIn}</span>
        <strong className="clip">
          <Shown text={token} />
        </strong>
        <span className="clip muted mono">
          <Shown text={principal} />
        </span>
      </div>
      <Button look="plain" small icon="leave" aria-label={nav.signOut} onClick={signOut} />
    </section>
  )
}

function ModelNote({ info }: { info: Info }) {
  const { texts } = useLanguage()
  return (
    <p className="small muted" title={info.workspace}>
      {info.model.embedded ? texts.nav.embedded : <span className="mono">{info.model.id}</span>} · {info.autonomy}
    </p>
  )
}

function ThemeChoice() {
  const { nav } = useLanguage().texts
  const [theme, choose] = useState<Theme>(themeNow)
  return (
    <Segments
      label={nav.theme}
      value={theme}
      options={[
        { value: 'system', label: nav.system },
        { value: 'light', label: nav.light },
        { value: 'dark', label: nav.dark },
      ]}
      onChange={(next) => {
        setTheme(next)
        choose(next)
      }}
    />
  )
}

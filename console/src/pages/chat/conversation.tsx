import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { useConnection } from '../../lib/connection.ts'
import { sessionRulesQuery, useInfo } from '../../lib/queries.ts'
import { useAnnounce } from '../../parts/announcer.tsx'
import { Button } from '../../parts/button.tsx'
import { RuleList } from '../../parts/rule-list.tsx'
import { ErrorNote, Loading } from '../../parts/states.tsx'
import { Composer } from './composer.tsx'
import { TurnView } from './turn-view.tsx'
import { useChat } from './use-chat.ts'
import { useEnd } from './use-end.ts'

export function Conversation({ sessionId }: { sessionId: string }) {
  const { chat: texts } = useTexts()
  const { chat, link, loaded, error, unsent, send, stop, revoke, revokeRule } = useChat(sessionId)
  const { data: rules = [] } = useQuery({ ...sessionRulesQuery(sessionId), enabled: loaded })
  const connection = useConnection()
  const info = useInfo()
  const announce = useAnnounce()
  const last = chat.turns.at(-1)
  const running = last !== undefined && last.state !== 'done'
  const reply = last?.state === 'done' ? last.reply : undefined
  const wasRunning = useRef(false)

  useEffect(() => {
    if (wasRunning.current && reply !== undefined) announce(texts.replied({ reply }))
    wasRunning.current = running
  }, [running, reply, announce, texts])

  const [turns, atEnd, goToEnd] = useEnd()

  return (
    <section className="conversation" aria-label={texts.conversation}>
      {link === 'reconnecting' && connection === 'open' && (
        <p className="note ask link-state" role="status">
          {texts.reconnecting}
        </p>
      )}
      <div className="turns" ref={turns} role="log" aria-live="off" aria-busy={running} aria-label={texts.conversation}>
        {!loaded && error === undefined && chat.turns.length === 0 && <Loading />}
        {chat.turns.map((turn) => (
          <TurnView key={turn.turnId || `new ${turn.at}`} turn={turn} info={info} />
        ))}
        {error !== undefined && <ErrorNote error={error} />}
        {unsent !== undefined && (
          <p className="note ask" role="status">
            {texts.notSent}
          </p>
        )}
      </div>
      <div className="composer-dock">
        {!atEnd && (
          <Button small className="to-end" icon="down" onClick={goToEnd}>
            {texts.toEnd}
          </Button>
        )}
        {chat.approvals.length > 0 && (
          <p className="row small">
            <span className="muted">{texts.approvals}</span>
            {chat.approvals.map((key) => (
              <span key={key} className="badge code">
                {key}
                <Button
                  look="plain"
                  small
                  icon="close"
                  aria-label={texts.revoke({ key })}
                  onClick={() => revoke(key)}
                />
              </span>
            ))}
          </p>
        )}
        {rules.length > 0 && (
          <div className="row small">
            <span className="muted">{texts.approvals}</span>
            <RuleList rules={rules} onRevoke={revokeRule} />
          </div>
        )}
        <Composer place={sessionId} unsent={unsent} running={running} onSend={send} onStop={stop} />
        {info?.model.embedded && <p className="small muted">{info.model.footer ?? texts.embedded}</p>}
      </div>
    </section>
  )
}

import { Link } from '@tanstack/react-router'
import { memo, useState } from 'react'
import { whyText } from '../../../../runtime/src/i18n/why.ts'
import { useLanguage, useTexts } from '../../i18n/texts.tsx'
import type { Turn } from '../../lib/chat.ts'
import { useNow } from '../../lib/use-now.ts'
import type { Info } from '../../lib/wire.ts'
import { Approval } from '../../parts/approval.tsx'
import { AttachedFiles } from '../../parts/attached-files.tsx'
import { Named, StopBadge } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Prose } from '../../parts/prose.tsx'
import { ScoutLanes } from './scout-lanes.tsx'
import { ToolCardView } from './tool-card-view.tsx'

/** Only turns that change are rendered again. */
export const TurnView = memo(function TurnView({ turn, info }: { turn: Turn; info: Info | undefined }) {
  const { chat } = useTexts()
  return (
    <article className="turn">
      <div className="user-message">
        <span className="visually-hidden">{chat.you}: </span>
        {turn.input}
      </div>
      {turn.attachments.length > 0 && <AttachedFiles runId={turn.runId} files={turn.attachments} />}
      {turn.intent !== undefined && turn.intent.label !== 'general' && (
        <p className="row small muted">
          {chat.intent}{' '}
          <span title={turn.intent.reason}>
            <Named code={turn.intent.label} />
          </span>
        </p>
      )}
      {turn.cards.map((card) => (
        <div key={card.callId} className="stack tight">
          <ToolCardView card={card} />
          {card.observation?.media !== undefined && <AttachedFiles runId={turn.runId} files={card.observation.media} />}
          {card.tool === info?.dispatchTool && <ScoutLanes lanes={turn.lanes} />}
        </div>
      ))}
      {turn.lanes.length > 0 && !turn.cards.some((card) => card.tool === info?.dispatchTool) && (
        <ScoutLanes lanes={turn.lanes} />
      )}
      {turn.question !== undefined && (
        <Approval runId={turn.runId} question={turn.question} asked={turn.asked} grabFocus />
      )}
      <Progress turn={turn} />
      {turn.live !== '' && (
        <div className="reply live">
          <Prose text={turn.live} />
        </div>
      )}
      {turn.reply !== undefined && (
        <div className="reply">
          <span className="visually-hidden">{chat.agent}: </span>
          <Prose text={turn.reply} />
        </div>
      )}
      {/* Which model answers is said below the conversation. */}
      {turn.notices
        .filter((notice) => notice !== info?.model.footer)
        .map((notice) => (
          <p key={notice} className="note">
            {notice}
          </p>
        ))}
      {turn.state === 'done' && turn.runId !== '' && (
        <p className="row small muted turn-foot">
          <StopBadge reason={turn.stopReason} denials={turn.cards.filter((card) => card.state === 'denied').length} />
          <Link to="/runs/$runId" params={{ runId: turn.runId }}>
            {chat.detail}
          </Link>
          {turn.reply !== undefined && turn.reply !== '' && <CopyButton text={turn.reply} what={chat.theReply} />}
        </p>
      )}
    </article>
  )
})

function Progress({ turn }: { turn: Turn }) {
  const { lang, texts } = useLanguage()
  const { chat } = texts
  if (turn.state !== 'running' || turn.live !== '') return null
  const running = turn.cards.find((card) => card.state === 'running')
  return (
    <p className="row small muted">
      <Icon name="refresh" className="spin" />
      {turn.retry !== undefined ? (
        chat.retrying({ why: whyText(turn.retry, lang) })
      ) : running !== undefined ? (
        chat.using({ tool: running.tool })
      ) : (
        <Thinking key={turn.askedAt} />
      )}
    </p>
  )
}

/** Counted by this browser's clock: the server's may differ. */
function Thinking() {
  const { chat } = useTexts()
  const [since] = useState(Date.now)
  return chat.thinking({ seconds: Math.max(0, Math.floor((useNow(true) - since) / 1000)) })
}

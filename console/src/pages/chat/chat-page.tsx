import { useParams } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { useTitle } from '../../parts/page.tsx'
import './chat.css'
import './cards.css'
import { Conversation } from './conversation.tsx'
import { SessionList } from './session-list.tsx'
import { Welcome } from './welcome.tsx'

export function ChatPage() {
  const { nav } = useTexts()
  const { sessionId } = useParams({ strict: false })
  useTitle(nav.chat)
  return (
    <div className="chat">
      <SessionList current={sessionId} />
      {sessionId === undefined ? <Welcome /> : <Conversation key={sessionId} sessionId={sessionId} />}
    </div>
  )
}

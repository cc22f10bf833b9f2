import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { draftOf, keepDraft } from '../../lib/draft.ts'
import { Button } from '../../parts/button.tsx'

interface Props {
  /** Storage key of the draft. */
  place: string
  /** A message that could not be sent; it is put back into the field. */
  unsent?: { text: string } | undefined
  running: boolean
  onSend: (text: string) => void
  onStop?: () => void
}

/** Enter sends, Shift+Enter adds a line; Enter during IME composition does not send. */
export function Composer({ place, unsent, running, onSend, onStop }: Props) {
  const { chat } = useTexts()
  const [text, setText] = useState(() => draftOf(place))
  useEffect(() => keepDraft(place, text), [place, text])
  useEffect(() => {
    if (unsent !== undefined) setText((typed) => (typed === '' ? unsent.text : `${unsent.text}\n${typed}`))
  }, [unsent])
  const form = useRef<HTMLFormElement>(null)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (running || text.trim() === '') return
    onSend(text.trim())
    setText('')
  }
  function press(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  return (
    <form className="composer" ref={form} onSubmit={submit}>
      <textarea
        aria-label={chat.message}
        placeholder={chat.placeholder}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        value={text}
        data-search
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      {running && onStop !== undefined ? (
        <Button icon="stop" look="danger" onClick={onStop}>
          {chat.stop}
        </Button>
      ) : (
        <Button icon="send" look="primary" type="submit" disabled={running || text.trim() === ''}>
          {chat.send}
        </Button>
      )}
    </form>
  )
}

import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { ACCEPTED, type ChosenFile, chooseFiles, type Outgoing } from '../../lib/attachments.ts'
import { draftOf, keepDraft } from '../../lib/draft.ts'
import { FileName } from '../../parts/attached-files.tsx'
import { Button } from '../../parts/button.tsx'

interface Props {
  /** Storage key of the draft. */
  place: string
  /** A message that could not be sent; it is put back into the field. */
  unsent?: Outgoing | undefined
  running: boolean
  onSend: (message: Outgoing) => void
  onStop?: () => void
}

/** Enter sends, Shift+Enter adds a line; Enter during IME composition does not send. Files can be dropped or pasted. */
export function Composer({ place, unsent, running, onSend, onStop }: Props) {
  const { chat } = useTexts()
  const [text, setText] = useState(() => draftOf(place))
  const [files, setFiles] = useState<ChosenFile[]>([])
  useEffect(() => keepDraft(place, text), [place, text])
  useEffect(() => {
    if (unsent === undefined) return
    setText((typed) => (typed === '' ? unsent.text : `${unsent.text}\n${typed}`))
    setFiles((chosen) => [...unsent.files, ...chosen])
  }, [unsent])
  const form = useRef<HTMLFormElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (running || text.trim() === '') return
    onSend({ text: text.trim(), files })
    setText('')
    setFiles([])
  }
  function press(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  async function add(added: Iterable<File>) {
    const chosen = await chooseFiles(added)
    setFiles((known) => [...known, ...chosen])
  }
  function take(event: ClipboardEvent | DragEvent, from: DataTransfer) {
    if (from.files.length === 0) return
    event.preventDefault()
    void add(from.files)
  }
  return (
    <>
      <ChosenFiles files={files} onRemove={(id) => setFiles(files.filter((file) => file.id !== id))} />
      <form
        className="composer"
        ref={form}
        onSubmit={submit}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => take(event, event.dataTransfer)}
      >
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          accept={ACCEPTED}
          aria-label={chat.attach}
          onChange={({ target }) => {
            void add([...(target.files ?? [])])
            target.value = ''
          }}
        />
        <Button look="plain" icon="attach" aria-label={chat.attach} onClick={() => picker.current?.click()} />
        <textarea
          aria-label={chat.message}
          placeholder={chat.placeholder}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          value={text}
          data-search
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          onPaste={(event) => take(event, event.clipboardData)}
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
    </>
  )
}

function ChosenFiles({ files, onRemove }: { files: readonly ChosenFile[]; onRemove: (id: number) => void }) {
  const { chat } = useTexts()
  if (files.length === 0) return null
  return (
    <ul className="composer-files">
      {files.map(({ id, name, url }) => (
        <li key={id}>
          {url.startsWith('data:image/') ? <img src={url} alt={name} /> : <FileName name={name} />}
          <Button look="plain" small icon="close" aria-label={chat.removeFile({ name })} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  )
}

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { Button } from './button.tsx'

/** The native modal dialog: it traps the focus, closes on Esc and restores the focus. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { common } = useTexts()
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // Closing it, not only removing it, restores the focus.
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={ref} aria-labelledby={id} onClose={() => ref.current?.open || onClose()}>
      <div className="dialog-body">
        <div className="row between">
          <h2 id={id}>{title}</h2>
          <Button look="plain" small icon="close" aria-label={common.close} onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  fact: string
  action: string
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({ title, fact, action, onConfirm, onClose }: ConfirmProps) {
  const { common } = useTexts()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{fact}</p>
      <div className="row end">
        <Button onClick={onClose} autoFocus>
          {common.cancel}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            onConfirm()
            onClose()
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  )
}

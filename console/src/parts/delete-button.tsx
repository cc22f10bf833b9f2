import { useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './dialog.tsx'

interface Props {
  title: string
  fact: string
  action: string
  small?: boolean
  disabled?: boolean
  onConfirm: () => void
}

/** Deletes after a confirmation. */
export function DeleteButton({ title, fact, action, small = false, disabled = false, onConfirm }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        small={small}
        look="danger"
        icon="trash"
        aria-label={title}
        disabled={disabled}
        onClick={() => setAsking(true)}
      />
      {asking && (
        <ConfirmDialog
          title={title}
          fact={fact}
          action={action}
          onConfirm={onConfirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

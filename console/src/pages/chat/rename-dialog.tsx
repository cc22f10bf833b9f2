import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { ErrorNote } from '../../parts/states.tsx'

interface Props {
  sessionId: string
  title: string
  onClose: () => void
}

export function RenameDialog({ sessionId, title, onClose }: Props) {
  const { chat, common } = useTexts()
  const client = useQueryClient()
  const [name, setName] = useState(title)
  const saving = useMutation({
    mutationFn: () => api.call('PATCH /api/sessions/:id', { params: { id: sessionId }, body: { title: name.trim() } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['sessions'] })
      onClose()
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <Dialog title={chat.rename({ title: title || chat.untitled })} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField label={chat.name} hint={chat.nameHint} value={name} onChange={setName} />
        {saving.isError && <ErrorNote error={saving.error} />}
        <div className="row end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" busy={saving.isPending}>
            {chat.saveName}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

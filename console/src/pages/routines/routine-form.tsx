import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { AUTONOMY_LEVELS } from '../../../../runtime/src/protocol/policy.ts'
import { ApiError } from '../../../../runtime/src/server/client.ts'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, SelectField, TextField } from '../../parts/field.tsx'
import { ErrorNote } from '../../parts/states.tsx'

const FIELD_OF: Readonly<Record<string, string>> = {
  ROUTINE_NAME: 'name',
  ROUTINE_TAKEN: 'name',
  ROUTINE_TASK: 'task',
  ROUTINE_SCHEDULE: 'schedule',
  ROUTINE_AUTONOMY: 'autonomy',
}

export function RoutineForm({ onClose }: { onClose: () => void }) {
  const { routines: texts, common } = useTexts()
  const client = useQueryClient()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const [draft, setDraft] = useState({ name: '', schedule: '0 9 * * 1-5', task: '', timeZone: zone })
  const [autonomy, setAutonomy] = useState<'' | (typeof AUTONOMY_LEVELS)[number]>('')
  const adding = useMutation({
    mutationFn: () => api.call('POST /api/routines', { body: { ...draft, ...(autonomy === '' ? {} : { autonomy }) } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['routines'] })
      onClose()
    },
  })
  const refused = adding.error instanceof ApiError ? adding.error : undefined
  const place = refused === undefined ? undefined : (refused.field ?? FIELD_OF[refused.code])
  const wrong = (field: string) => (place === field ? refused?.message : undefined)
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change })
  function submit(event: FormEvent) {
    event.preventDefault()
    adding.mutate()
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField label={texts.name} value={draft.name} wrong={wrong('name')} onChange={(name) => set({ name })} />
        <TextField
          label={texts.schedule}
          hint={texts.scheduleHint}
          value={draft.schedule}
          wrong={wrong('schedule')}
          onChange={(schedule) => set({ schedule })}
        />
        <TextField label={texts.zone} value={draft.timeZone} onChange={(timeZone) => set({ timeZone })} />
        <Field label={texts.task} wrong={wrong('task')}>
          {(control) => (
            <textarea
              className="input"
              rows={3}
              {...control}
              value={draft.task}
              onChange={(event) => set({ task: event.target.value })}
            />
          )}
        </Field>
        <SelectField
          label={texts.autonomy}
          hint={texts.autonomyHint}
          value={autonomy}
          options={[
            { value: '', label: texts.asConfigured },
            ...AUTONOMY_LEVELS.map((value) => ({ value, label: value })),
          ]}
          onChange={setAutonomy}
        />
        {adding.isError && <ErrorNote error={adding.error} />}
        <div className="row end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" busy={adding.isPending}>
            {texts.add}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

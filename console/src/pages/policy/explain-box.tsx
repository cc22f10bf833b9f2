import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { Named, type Tone, Worded } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { ErrorNote } from '../../parts/states.tsx'

const TONES: Readonly<Record<'allow' | 'soft' | 'block', Tone>> = { allow: 'allow', soft: 'ask', block: 'deny' }

/** Classifies a task and shows which tools it may use. Nothing is executed. */
export function ExplainBox() {
  const { policy: texts } = useTexts()
  const [task, setTask] = useState('')
  const asking = useMutation({ mutationFn: () => api.call('POST /api/policy/explain', { body: { task } }) })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (task.trim() !== '') asking.mutate()
  }
  return (
    <form className="card stack" onSubmit={submit}>
      <h2>{texts.explain}</h2>
      <div className="explain-ask">
        <TextField label={texts.task} value={task} onChange={setTask} placeholder={texts.taskExample} />
        <Button type="submit" busy={asking.isPending} disabled={task.trim() === ''}>
          {texts.ask}
        </Button>
      </div>
      {asking.isError && <ErrorNote error={asking.error} />}
      {asking.data !== undefined && (
        <div className="stack" aria-live="polite">
          <p className="row">
            <Named code={asking.data.intent.label} tone="accent" />
            <span className="small muted">
              {asking.data.intent.confidence} · <Worded code={asking.data.intent.source} /> ·{' '}
              {asking.data.intent.reason}
            </span>
          </p>
          <ul className="row">
            {asking.data.tools.map(({ name, verdict }) => (
              <li key={name}>
                <span className={`badge code ${TONES[verdict]}`}>
                  {name} · <Worded code={verdict} />
                </span>
              </li>
            ))}
          </ul>
          <p className="small muted">{texts.explainNote}</p>
        </div>
      )}
    </form>
  )
}

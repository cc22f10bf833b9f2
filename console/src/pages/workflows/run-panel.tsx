import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { formatMs, pretty } from '../../lib/format.ts'
import type { Draft } from '../../lib/workflow.ts'
import { Named, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { InputFields } from '../../parts/input-fields.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import { Preview } from '../../parts/text.tsx'
import type { WorkflowRun } from './use-workflow-run.ts'

const TONES: Readonly<Record<string, Tone>> = { done: 'allow', failed: 'deny', running: 'accent', skipped: '' }

interface Props {
  draft: Draft
  run: WorkflowRun
  /** Why the current document cannot run. */
  blocked: 'invalid' | 'unsaved' | undefined
}

/** Inputs, live node states, outputs. */
export function RunPanel({ draft, run, blocked }: Props) {
  const { workflows: texts, chat } = useTexts()
  const inputs = Object.keys(draft.inputs ?? {})
  const [given, setGiven] = useState<Record<string, string>>({})
  function submit(event: FormEvent) {
    event.preventDefault()
    run.start(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')))
  }
  return (
    <form className="card stack" onSubmit={submit}>
      <header className="row between">
        <h2>{texts.run}</h2>
        {run.running ? (
          <Button icon="stop" look="danger" onClick={run.stop}>
            {chat.stop}
          </Button>
        ) : (
          <Button icon="play" look="primary" type="submit" disabled={blocked !== undefined}>
            {texts.run}
          </Button>
        )}
      </header>
      {blocked !== undefined && <p className="note">{blocked === 'invalid' ? texts.fixFirst : texts.saveFirst}</p>}
      {inputs.length > 0 && (
        <div className="fields">
          <InputFields inputs={draft.inputs} given={given} onChange={setGiven} />
        </div>
      )}
      {run.error !== undefined && <ErrorNote error={run.error} />}
      <ul className="stack" aria-live="polite" aria-label={texts.states}>
        {Object.entries(run.states).map(([id, { state, elapsedMs, error }]) => (
          <li key={id} className="stack tight">
            <div className="row">
              <Named code={state} tone={TONES[state] ?? ''} />
              <strong>{id}</strong>
              {elapsedMs !== undefined && <span className="small muted num">{formatMs(elapsedMs)}</span>}
              {error !== undefined && <span className="small">{error}</span>}
            </div>
            {run.result?.outputs[id] !== undefined && (
              <Preview text={pretty(run.result.outputs[id])} label={texts.outputs({ node: id })} />
            )}
          </li>
        ))}
      </ul>
      {run.result !== undefined && (
        <p className="row">
          <Named code={run.result.ok ? 'done' : 'failed'} tone={run.result.ok ? 'allow' : 'deny'} />
          <Link to="/runs/$runId" params={{ runId: run.result.runId }}>
            {chat.detail}
          </Link>
        </p>
      )}
    </form>
  )
}

/** Compares recorded decisions with those under another policy. */
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { isObject, type Json } from '../../lib/paths.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { JsonField } from '../../parts/json-field.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, ErrorNote, Loading } from '../../parts/states.tsx'
import { ChangedDecisions } from './changed-decisions.tsx'
import { PolicyFields } from './policy-fields.tsx'

const route = getRouteApi('/what-if')
const DAY_MS = 86_400_000
const SPANS = { '1d': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const
type Span = keyof typeof SPANS | 'run'

export function WhatIfPage() {
  const { whatIf: texts, common } = useTexts()
  const { run = '' } = route.useSearch()
  const [span, setSpan] = useState<Span>(run === '' ? '7d' : 'run')
  const [runId, setRunId] = useState(run)
  const [config, setConfig] = useState<Json>({ security: { autonomy: 'ReadOnly' } })
  const [unfinished, setUnfinished] = useState<string>()
  const asking = useMutation({
    mutationFn: () => {
      const which = span === 'run' ? { runId: runId.trim() } : { since: Date.now() - SPANS[span] }
      return api.call('POST /api/what-if', { body: { config, ...which } })
    },
  })
  function change(next: Json) {
    // A whole agent.config.json was pasted.
    setConfig(isObject(next.agent) ? next.agent : next)
    setUnfinished(undefined)
    asking.reset()
  }
  function keep(text: string) {
    setUnfinished(text)
    asking.reset()
  }
  const spans = [
    { value: '1d', label: texts.day },
    { value: '7d', label: texts.week },
    { value: '30d', label: texts.month },
    { value: 'run', label: texts.oneRun },
  ] as const
  return (
    <Page title={texts.title} lede={texts.lede}>
      <div className="split">
        <form
          className="card stack"
          onSubmit={(event) => {
            event.preventDefault()
            asking.mutate()
          }}
        >
          <SelectField<Span> label={texts.over} value={span} options={spans} onChange={setSpan} />
          {span === 'run' && <TextField label={texts.runId} value={runId} onChange={setRunId} />}
          <PolicyFields config={config} onChange={change} />
          <JsonField
            label={texts.config}
            hint={texts.configHint}
            value={config}
            unfinished={unfinished}
            onChange={change}
            onUnfinished={keep}
          />
          <div className="row">
            <Button
              look="primary"
              type="submit"
              busy={asking.isPending}
              disabled={unfinished !== undefined || (span === 'run' && runId === '')}
            >
              {texts.ask}
            </Button>
            {run !== '' && (
              <Link to="/runs/$runId" params={{ runId: run }}>
                {common.back}
              </Link>
            )}
          </div>
        </form>
        <div className="stack" aria-live="polite">
          {asking.isPending && <Loading />}
          {asking.isError && <ErrorNote error={asking.error} />}
          {asking.data !== undefined && <ChangedDecisions result={asking.data} />}
          {asking.isIdle && (
            <Empty title={texts.idle}>
              <p>{texts.idleHint}</p>
            </Empty>
          )}
        </div>
      </div>
    </Page>
  )
}

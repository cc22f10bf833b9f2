import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DECISION_ROUTES, type DecisionRoute } from '../../../../runtime/src/protocol/risk.ts'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import type { Json } from '../../lib/paths.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/field.tsx'
import { JsonField } from '../../parts/json-field.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import { DecisionResult } from './decision-result.tsx'
import { EXAMPLE_BATCH, EXAMPLE_CONTEXT } from './example.ts'

export function BatchForm() {
  const { decisions: texts } = useTexts()
  const client = useQueryClient()
  const [batch, setBatch] = useState<Json>(EXAMPLE_BATCH)
  const [context, setContext] = useState<Json>(EXAMPLE_CONTEXT)
  const [route, setRoute] = useState<DecisionRoute>('CloudLlm')
  const [unfinished, setUnfinished] = useState<{ batch?: string | undefined; context?: string | undefined }>({})
  const judging = useMutation({
    mutationFn: () => api.call('POST /api/decisions', { body: { batch, context, route } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['decisions'] }),
  })
  return (
    <section className="stack">
      <h2>{texts.judge}</h2>
      <p className="muted">{texts.judgeLede}</p>
      <div className="split">
        <form
          className="card stack"
          onSubmit={(event) => {
            event.preventDefault()
            judging.mutate()
          }}
        >
          <SelectField
            label={texts.route}
            hint={texts.routeHint}
            value={route}
            options={DECISION_ROUTES.map((value) => ({ value, label: value }))}
            onChange={setRoute}
          />
          <JsonField
            label={texts.batch}
            value={batch}
            rows={14}
            unfinished={unfinished.batch}
            onChange={(next) => {
              setBatch(next)
              setUnfinished((others) => ({ ...others, batch: undefined }))
            }}
            onUnfinished={(text) => setUnfinished((others) => ({ ...others, batch: text }))}
          />
          <JsonField
            label={texts.context}
            value={context}
            rows={7}
            unfinished={unfinished.context}
            onChange={(next) => {
              setContext(next)
              setUnfinished((others) => ({ ...others, context: undefined }))
            }}
            onUnfinished={(text) => setUnfinished((others) => ({ ...others, context: text }))}
          />
          <div className="row">
            <Button
              look="primary"
              type="submit"
              disabled={unfinished.batch !== undefined || unfinished.context !== undefined}
              busy={judging.isPending}
            >
              {texts.judgeAction}
            </Button>
          </div>
        </form>
        <div className="stack" aria-live="polite">
          {judging.isError && <ErrorNote error={judging.error} />}
          {judging.data !== undefined && <DecisionResult decision={judging.data} />}
        </div>
      </div>
    </section>
  )
}

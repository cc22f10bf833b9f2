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
  const [broken, setBroken] = useState({ batch: false, context: false })
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
            onChange={setBatch}
            onBroken={(now) => setBroken((others) => ({ ...others, batch: now }))}
          />
          <JsonField
            label={texts.context}
            value={context}
            rows={7}
            onChange={setContext}
            onBroken={(now) => setBroken((others) => ({ ...others, context: now }))}
          />
          <div className="row">
            <Button look="primary" type="submit" disabled={broken.batch || broken.context} busy={judging.isPending}>
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

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../runtime/src/server/client.ts'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { isObject, isSame, type Json, withValue } from '../../lib/paths.ts'
import { configQuery } from '../../lib/queries.ts'
import type { IntentPolicy, PolicyView, TaskIntentLabel } from '../../lib/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Await, ErrorNote } from '../../parts/states.tsx'
import { ExplainBox } from './explain-box.tsx'
import { MARKS, Matrix } from './matrix.tsx'
import './policy.css'

export type Intents = Record<TaskIntentLabel, IntentPolicy>

export function PolicyPage() {
  const { policy: texts } = useTexts()
  const query = useQuery({ queryKey: ['policy'], queryFn: ({ signal }) => api.call('GET /api/policy', { signal }) })
  return (
    <Page title={texts.title} lede={texts.lede}>
      <Await query={query}>{(view) => <Editor view={view} />}</Await>
      <ExplainBox />
    </Page>
  )
}

const LEGEND = ['allowed', 'soft', 'not', 'free'] as const

const GUARD = 'execution.intentGuard'

function Editor({ view }: { view: PolicyView }) {
  const { policy: texts } = useTexts()
  const client = useQueryClient()
  const [draft, setDraft] = useState<Intents>(view.intents)
  const changes = changesOf(view.intents, draft)
  const saving = useMutation({
    mutationFn: async () => {
      const { overrides } = await client.fetchQuery({ ...configQuery, staleTime: 0 })
      const agent = changes.reduce<Json>((json, { path, value }) => withValue(json, path, value), overrides)
      return api.call('PUT /api/config', { body: { agent } })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['config'] })
      const { intents } = await client.fetchQuery({
        queryKey: ['policy'],
        queryFn: () => api.call('GET /api/policy', {}),
        staleTime: 0,
      })
      setDraft(intents)
    },
  })
  const problems = saving.error instanceof ApiError ? saving.error.problems : []
  const { enabled, softBlockAfter, blockBudget } = view.guard
  return (
    <section className="stack" aria-label={texts.matrix}>
      <dl className="facts">
        <div>
          <dt>{texts.guard}</dt>
          <dd>{enabled ? texts.on : texts.off}</dd>
        </div>
        <div>
          <dt title="softBlockAfter">{texts.softCalls}</dt>
          <dd>{softBlockAfter}</dd>
        </div>
        <div>
          <dt title="blockBudget">{texts.blockBudget}</dt>
          <dd>{blockBudget}</dd>
        </div>
      </dl>
      <Matrix view={view} draft={draft} problems={problems} onChange={setDraft} />
      <ul className="row small muted legend" aria-label={texts.legend}>
        {LEGEND.map((standing) => (
          <li key={standing}>
            <i className={`standing ${standing}`} aria-hidden="true">
              {MARKS[standing]}
            </i>
            {texts.standings[standing]}
          </li>
        ))}
      </ul>
      <p className="small muted">{texts.keysHint}</p>
      <div className="row">
        <Button look="primary" disabled={changes.length === 0} busy={saving.isPending} onClick={() => saving.mutate()}>
          {texts.save({ count: changes.length })}
        </Button>
        <Button disabled={changes.length === 0} onClick={() => setDraft(view.intents)}>
          {texts.reset}
        </Button>
        {saving.isSuccess && changes.length === 0 && (
          <span className="badge allow" role="status">
            {texts.saved}
          </span>
        )}
      </div>
      {saving.isError && <ErrorNote error={saving.error} />}
    </section>
  )
}

function changesOf(before: Intents, after: Intents): { path: string; value: unknown }[] {
  return Object.entries(after).flatMap(([label, policy]) => {
    const old: unknown = Object.entries(before).find(([name]) => name === label)?.[1]
    return Object.entries(policy).flatMap(([key, value]) =>
      isObject(old) && isSame(old[key], value) ? [] : [{ path: `${GUARD}.intents.${label}.${key}`, value }],
    )
  })
}

/** A draft of rules: cards and JSON on the left, its tests on the right. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api, download } from '../../lib/api.ts'
import { isObject, type Json, valueAt, withValue } from '../../lib/paths.ts'
import { useInfo } from '../../lib/queries.ts'
import { asFile, callsIn, isTightening } from '../../lib/rule-draft.ts'
import type { RulesTested } from '../../lib/wire.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { JsonField } from '../../parts/json-field.tsx'
import { Empty, ErrorNote, Loading } from '../../parts/states.tsx'
import { RuleCard } from './rule-card.tsx'
import { TestResults } from './test-results.tsx'

const RULES = 'security.rules'

/** Begins with what the server stores: saving replaces it. */
export function DraftEditor({ overrides }: { overrides: Json }) {
  const { rules: texts } = useTexts()
  const client = useQueryClient()
  const isAdmin = useInfo()?.scopes.includes('admin') === true
  const stored = valueAt(overrides, RULES)
  const [rules, setRules] = useState<Json[]>(Array.isArray(stored) ? stored.filter(isObject) : [])
  const [unfinished, setUnfinished] = useState<string>()
  const [calls, setCalls] = useState('')
  const testing = useMutation({
    mutationFn: () => api.call('POST /api/policy/test', { body: { rules, calls: callsIn(calls) } }),
  })
  const saving = useMutation({
    mutationFn: () => api.call('PUT /api/config', { body: { agent: withValue(overrides, RULES, rules) } }),
    onSuccess: () => client.invalidateQueries(),
  })
  function change(next: Json[]) {
    setRules(next)
    setUnfinished(undefined)
    testing.reset()
    saving.reset()
  }
  const result = testing.data
  const isSound = result !== undefined && holds(result)
  const canSave = isAdmin && isTightening(rules)
  return (
    <div className="split">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          testing.mutate()
        }}
      >
        <p className="muted small">{texts.draftLede}</p>
        {rules.length === 0 && <Empty title={texts.emptyDraft} />}
        {rules.map((rule, i) => (
          <RuleCard
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name
            key={i}
            number={i + 1}
            rule={rule}
            onChange={(next) => change(rules.with(i, next))}
            onRemove={() => change(rules.toSpliced(i, 1))}
          />
        ))}
        <div className="row">
          <Button icon="plus" onClick={() => change([...rules, { decide: 'ask', when: { command: 'git push *' } }])}>
            {texts.add}
          </Button>
        </div>
        <details>
          <summary className="small muted">{texts.asJson}</summary>
          <JsonField
            label={texts.json}
            hint={texts.jsonHint}
            value={{ rules }}
            unfinished={unfinished}
            onChange={(value) => {
              const list = isObject(value.agent) ? valueAt(value, `agent.${RULES}`) : value.rules
              change(Array.isArray(list) ? list.filter(isObject) : [])
            }}
            onUnfinished={setUnfinished}
          />
        </details>
        <CallsField value={calls} onChange={setCalls} />
        <div className="row">
          <Button look="primary" type="submit" icon="play" busy={testing.isPending} disabled={unfinished !== undefined}>
            {texts.test}
          </Button>
          <Button disabled={!canSave || !isSound} busy={saving.isPending} onClick={() => saving.mutate()}>
            {texts.save}
          </Button>
          <Button icon="download" disabled={!isSound} onClick={() => download(asFile(rules), 'agent.config.json')}>
            {texts.file}
          </Button>
          {isSound && <CopyButton text={asFile(rules)} what={texts.theFile} />}
        </div>
        <p className="small muted">
          {!isTightening(rules) ? texts.allowIsFile : isAdmin ? texts.saveHint : texts.needsAdmin}
        </p>
        {saving.isError && <ErrorNote error={saving.error} />}
        {saving.isSuccess && (
          <p className="note allow" role="status">
            {texts.saved}
          </p>
        )}
      </form>
      <div className="stack" aria-live="polite">
        {testing.isPending && <Loading />}
        {testing.isError && <ErrorNote error={testing.error} />}
        {result !== undefined && <TestResults result={result} />}
        {testing.isIdle && (
          <Empty title={texts.idle}>
            <p>{texts.idleHint}</p>
          </Empty>
        )}
      </div>
    </div>
  )
}

function holds({ problems, examples }: RulesTested): boolean {
  return problems.length === 0 && examples.every(({ outcome }) => outcome !== 'failed')
}

function CallsField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { rules: texts } = useTexts()
  return (
    <Field label={texts.calls} hint={texts.callsHint}>
      {(control) => (
        <textarea
          className="input code"
          rows={4}
          spellCheck={false}
          placeholder={'git push origin main\n{"tool": "file_read", "args": {"path": "README.md"}}'}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { MODES } from '../../../../runtime/src/protocol/profile.ts'
import { STOP_REASONS } from '../../../../runtime/src/protocol/stop.ts'
import { useTexts } from '../../i18n/texts.tsx'
import { labelFor } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, SelectField } from '../../parts/field.tsx'
import { OUTSIDE_AGENTS } from '../../parts/outside-agent.tsx'
import type { RunFilter } from '../../router.tsx'

const WRITING_PAUSE_MS = 250

export function RunFilterForm({ filter }: { filter: RunFilter }) {
  const all = useTexts()
  const { runs: texts, common } = all
  const navigate = useNavigate()
  const [words, setWords] = useState(filter.q ?? '')
  const set = (change: Partial<Record<keyof RunFilter, string>>) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== '')
    void navigate({ to: '/runs', search: Object.fromEntries(next), replace: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typed input is debounced
  useEffect(() => {
    if (words === (filter.q ?? '')) return
    const timer = setTimeout(() => set({ q: words }), WRITING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  const any = { value: '', label: common.any }
  const named = (value: string) => ({ value, label: labelFor(all, value) })
  return (
    <search className="fields">
      <Field label={texts.search}>
        {(control) => (
          <input
            className="input"
            type="search"
            data-search
            {...control}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        )}
      </Field>
      <SelectField
        label={texts.mode}
        value={filter.mode ?? ''}
        options={[any, ...MODES.map(named)]}
        onChange={(mode) => set({ mode, agent: '' })}
      />
      {(filter.mode === 'guard' || filter.agent !== undefined) && (
        <SelectField
          label={texts.agent}
          value={filter.agent ?? ''}
          options={[any, ...OUTSIDE_AGENTS]}
          onChange={(agent) => set({ agent })}
        />
      )}
      <SelectField
        label={texts.stop}
        value={filter.stop ?? ''}
        options={[any, { value: 'open', label: common.running }, ...STOP_REASONS.map(named)]}
        onChange={(stop) => set({ stop })}
      />
      <SelectField
        label={texts.since}
        value={filter.since ?? ''}
        options={[any, ...(['1h', '24h', '7d'] as const).map((value) => ({ value, label: texts.spans[value] }))]}
        onChange={(since) => set({ since })}
      />
      {filter.session !== undefined && (
        <div className="row">
          <Button small icon="close" onClick={() => set({ session: '' })}>
            {texts.oneSession}
          </Button>
        </div>
      )}
    </search>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import type { MemoryView } from '../../lib/wire.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { AwaitList, ErrorNote } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Ago, Shown } from '../../parts/text.tsx'

const route = getRouteApi('/memory')

export function MemoryPage() {
  const { memory: texts } = useTexts()
  const client = useQueryClient()
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [words, setWords] = useState(q)
  const search = (typed: string) => {
    setWords(typed)
    const next = typed.trim()
    void navigate({ search: next === '' ? {} : { q: next }, replace: true })
  }
  const query = useQuery({
    queryKey: ['memory', q],
    queryFn: ({ signal }) => api.call('GET /api/memory', { signal, query: q === '' ? {} : { q } }),
  })
  const forgetting = useMutation({
    mutationFn: (id: string) => api.call('DELETE /api/memory/:id', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['memory'] }),
  })
  const others = (forgetting.data?.forgotten.length ?? 0) - 1
  return (
    <Page title={texts.title} lede={texts.lede}>
      <search className="fields">
        <TextField label={texts.search} value={words} onChange={search} />
      </search>
      {forgetting.isError && <ErrorNote error={forgetting.error} />}
      {forgetting.isSuccess && <p role="status">{texts.forgotten({ others })}</p>}
      <AwaitList
        query={query}
        list={({ memories }) => memories}
        none={q === '' ? texts.none : texts.noMatch}
        hint={texts.noneHint}
      >
        {(memories) => (
          <Table cards label={texts.title} head={[texts.content, texts.source, texts.when, '']}>
            {memories.map((entry) => (
              <MemoryRow
                key={entry.id}
                entry={entry}
                busy={forgetting.isPending}
                onForget={() => forgetting.mutate(entry.id)}
              />
            ))}
          </Table>
        )}
      </AwaitList>
    </Page>
  )
}

interface RowProps {
  entry: MemoryView
  busy: boolean
  onForget: () => void
}

function MemoryRow({ entry, busy, onForget }: RowProps) {
  const { memory: texts } = useTexts()
  const { id, owner, content, tags, kind, runId, retold, mark, createdAt } = entry
  return (
    <tr>
      <td className="run-task">
        <div className="memory-text">
          <Shown text={content} /> <CopyButton text={content} what={texts.content} />
        </div>
        <div className="small muted">
          <span className="mono">{id}</span>
          {tags.length > 0 && ` · ${tags.join(', ')}`}
          {retold && ` · ${texts.retold}`}
          {mark !== undefined && ` · ${texts.marked}`}
        </div>
      </td>
      <td data-label={texts.source}>
        {runId === '' ? (
          texts.kinds[kind]
        ) : (
          <Link to="/runs/$runId" params={{ runId }}>
            {texts.kinds[kind]}
          </Link>
        )}
        <div className="small muted">{texts.owner({ owner })}</div>
      </td>
      <td className="nowrap" data-label={texts.when}>
        <Ago at={createdAt} />
      </td>
      <td>
        <DeleteButton
          small
          title={texts.forget({ id })}
          fact={texts.forgetFact}
          action={texts.forgetAction}
          disabled={busy}
          onConfirm={onForget}
        />
      </td>
    </tr>
  )
}

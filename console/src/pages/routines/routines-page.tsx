import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { useInfo } from '../../lib/queries.ts'
import type { RoutineView } from '../../lib/wire.ts'
import { Named } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { Page } from '../../parts/page.tsx'
import { AwaitList, ErrorNote } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Ago, Moment } from '../../parts/text.tsx'
import { RoutineForm } from './routine-form.tsx'

type Deed = 'pause' | 'resume' | 'run' | 'delete'

export function RoutinesPage() {
  const { routines: texts } = useTexts()
  const client = useQueryClient()
  const [adding, setAdding] = useState(false)
  const query = useQuery({
    queryKey: ['routines'],
    queryFn: ({ signal }) => api.call('GET /api/routines', { signal }),
    refetchInterval: 15_000,
  })
  const acting = useMutation({
    mutationFn: ({ name, deed }: { name: string; deed: Deed }): Promise<unknown> => {
      const params = { name }
      if (deed === 'delete') return api.call('DELETE /api/routines/:name', { params })
      if (deed === 'pause') return api.call('POST /api/routines/:name/pause', { params })
      if (deed === 'resume') return api.call('POST /api/routines/:name/resume', { params })
      return api.call('POST /api/routines/:name/run', { params })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['routines'] }),
  })
  return (
    <Page
      title={texts.title}
      lede={texts.lede}
      actions={
        <Button icon="plus" look="primary" onClick={() => setAdding(true)}>
          {texts.add}
        </Button>
      }
    >
      {adding && <RoutineForm onClose={() => setAdding(false)} />}
      {acting.isError && <ErrorNote error={acting.error} />}
      <AwaitList query={query} list={({ routines }) => routines} none={texts.none} hint={texts.noneHint}>
        {(routines) => (
          <Table cards label={texts.title} head={[texts.name, texts.schedule, texts.task, texts.next, texts.last, '']}>
            {routines.map((routine) => (
              <RoutineRow
                key={routine.name}
                routine={routine}
                busy={acting.isPending}
                onDeed={(deed) => acting.mutate({ name: routine.name, deed })}
              />
            ))}
          </Table>
        )}
      </AwaitList>
    </Page>
  )
}

interface RowProps {
  routine: RoutineView
  busy: boolean
  onDeed: (deed: Deed) => void
}

function RoutineRow({ routine, busy, onDeed }: RowProps) {
  const { routines: texts, common } = useTexts()
  const principal = useInfo()?.principal
  const { name, owner, schedule, timeZone, task, autonomy, paused, nextDueAt, lastRunAt, lastRunId, lastStop } = routine
  return (
    <tr>
      <td>
        <strong>{name}</strong> {autonomy !== undefined && <Named code={autonomy} />}
        {owner !== principal && <div className="small muted">{texts.owner({ owner })}</div>}
      </td>
      <td className="nowrap" data-label={texts.schedule}>
        <code>{schedule}</code>
        <div className="small muted">{timeZone}</div>
      </td>
      <td className="run-task" data-label={texts.task}>
        {task}
      </td>
      <td className="nowrap" data-label={texts.next}>
        {paused ? <span className="badge ask">{texts.paused}</span> : <Moment at={nextDueAt} />}
      </td>
      <td className="nowrap" data-label={texts.last}>
        {lastRunAt === undefined ? (
          <span className="muted">{texts.never}</span>
        ) : lastRunId === undefined ? (
          <Ago at={lastRunAt} />
        ) : (
          <Link to="/runs/$runId" params={{ runId: lastRunId }}>
            <Ago at={lastRunAt} /> {lastStop}
          </Link>
        )}
      </td>
      <td>
        <div className="row end nowrap-row">
          <Button small icon="play" aria-label={texts.runNow({ name })} disabled={busy} onClick={() => onDeed('run')} />
          {paused ? (
            <Button small disabled={busy} onClick={() => onDeed('resume')}>
              {texts.resume}
            </Button>
          ) : (
            <Button
              small
              icon="pause"
              aria-label={texts.pause({ name })}
              disabled={busy}
              onClick={() => onDeed('pause')}
            />
          )}
          <DeleteButton
            small
            title={common.remove({ name })}
            fact={texts.removeFact}
            action={common.delete}
            disabled={busy}
            onConfirm={() => onDeed('delete')}
          />
        </div>
      </td>
    </tr>
  )
}

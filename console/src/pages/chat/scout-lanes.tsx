/** The scouts of a turn side by side: state, tool, time, cancel button. */
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { formatMs } from '../../lib/format.ts'
import { isOver, type Lane } from '../../lib/lanes.ts'
import { useNow } from '../../lib/use-now.ts'
import { Code, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { ErrorNote } from '../../parts/states.tsx'

const TONES: Readonly<Record<string, Tone>> = {
  RUNNING: 'accent',
  AGGREGATING: 'accent',
  COMPLETED: 'allow',
  FAILED: 'deny',
  TIMEOUT: 'ask',
  ABORTED: 'ask',
}

export function ScoutLanes({ lanes }: { lanes: readonly Lane[] }) {
  const { chat } = useTexts()
  const now = useNow(lanes.some((lane) => !isOver(lane)))
  const cancel = useMutation({
    mutationFn: (scoutId: string) => api.call('POST /api/scouts/:id/cancel', { params: { id: scoutId } }),
  })
  if (lanes.length === 0) return null
  return (
    <>
      <ul className="lanes" aria-label={chat.scouts}>
        {lanes.map((lane) => (
          <li key={lane.scoutId} className="lane" data-over={isOver(lane)}>
            <Code tone={TONES[lane.state] ?? ''}>{lane.state}</Code>
            <span className="clip grow" title={lane.task}>
              {lane.task || lane.scoutId}
            </span>
            {lane.tool !== undefined && <span className="mono small muted clip">{lane.tool}</span>}
            <span className="num small muted lane-time">
              {lane.startedAt === undefined ? '' : formatMs((lane.endedAt ?? now) - lane.startedAt)}
            </span>
            {isOver(lane) ? (
              <Link className="small" to="/runs/$runId" params={{ runId: lane.runId }}>
                {chat.detail}
              </Link>
            ) : (
              <Button
                small
                look="plain"
                icon="close"
                aria-label={chat.cancelScout({ task: lane.task })}
                onClick={() => cancel.mutate(lane.scoutId)}
              />
            )}
          </li>
        ))}
      </ul>
      {cancel.isError && <ErrorNote error={cancel.error} />}
    </>
  )
}

/** The scouts of a turn: while they work, a line each; then what each found, with its quotes. */
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { formatMs } from '../../lib/format.ts'
import { isOver, type Lane } from '../../lib/lanes.ts'
import { useNow } from '../../lib/use-now.ts'
import { Named, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { FindingView } from '../../parts/finding.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import { Shown } from '../../parts/text.tsx'

const TONES: Readonly<Record<string, Tone>> = {
  RUNNING: 'accent',
  AGGREGATING: 'accent',
  COMPLETED: 'allow',
  FAILED: 'deny',
  TIMEOUT: 'ask',
  ABORTED: 'ask',
}

/** A scout that ended without a checked quote has not simply succeeded. */
function toneOf({ state, finding }: Lane): Tone {
  return finding?.status === 'partial' ? 'ask' : (TONES[state] ?? '')
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
            <div className="lane-head">
              <Named code={lane.state} tone={toneOf(lane)} />
              <span className="grow lane-task">
                <Shown text={lane.task || lane.scoutId} />
              </span>
              {lane.tool !== undefined && !isOver(lane) && (
                <span className="mono small muted clip lane-tool">{lane.tool}</span>
              )}
              <span className="num small muted lane-time">
                {lane.startedAt === undefined ? '' : formatMs((lane.endedAt ?? now) - lane.startedAt)}
              </span>
              {isOver(lane) ? (
                <Link className="small nowrap" to="/runs/$runId" params={{ runId: lane.runId }}>
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
            </div>
            {lane.finding !== undefined && <FindingView finding={lane.finding} />}
          </li>
        ))}
      </ul>
      {cancel.isError && <ErrorNote error={cancel.error} />}
    </>
  )
}

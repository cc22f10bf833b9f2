import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api, download } from '../../lib/api.ts'
import type { RunView } from '../../lib/wire.ts'
import { Button } from '../../parts/button.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import { UndoAction } from './undo-action.tsx'

/** No event reports that a process died, so the state is polled. */
const CUT_OFF_MS = 15_000

export function RunActions({ view }: { view: RunView }) {
  const { run: texts, chat } = useTexts()
  const client = useQueryClient()
  const { runId, mode, stopReason } = view.run
  const params = { id: runId }
  const open = stopReason === undefined
  const cutOff = useIsCutOff(view)
  const refresh = () => client.invalidateQueries({ queryKey: ['run', runId] })
  const save = useMutation({
    mutationFn: async () => download(await api.call('GET /api/runs/:id/export', { params }), `${runId}.jsonl`),
  })
  const stop = useMutation({
    mutationFn: () => api.call('POST /api/runs/:id/abort', { params }),
    onSettled: refresh,
  })
  const resume = useMutation({
    mutationFn: () => api.call('POST /api/runs/:id/resume', { params }),
    onSettled: refresh,
  })
  const failed = save.error ?? stop.error ?? resume.error
  return (
    <>
      {open && mode === 'chat' && cutOff && (
        <Button icon="play" busy={resume.isPending} onClick={() => resume.mutate()} title={texts.resumeHint}>
          {texts.resume}
        </Button>
      )}
      {open && (
        <Button icon="stop" look="danger" busy={stop.isPending} onClick={() => stop.mutate()}>
          {chat.stop}
        </Button>
      )}
      {view.undoable && <UndoAction view={view} />}
      <Link className="button" to="/what-if" search={{ run: runId }}>
        {texts.whatIf}
      </Link>
      <Button icon="download" busy={save.isPending} onClick={() => save.mutate()}>
        {texts.export}
      </Button>
      {failed !== null && <ErrorNote error={failed} />}
    </>
  )
}

/** Interrupted: not stopped, not waiting for an answer, and no process is working on it. */
function useIsCutOff({ run, question }: RunView): boolean {
  const session = useQuery({
    queryKey: ['session', run.sessionId],
    enabled: run.mode === 'chat' && run.stopReason === undefined && question === undefined,
    queryFn: ({ signal }) => api.call('GET /api/sessions/:id', { params: { id: run.sessionId }, signal }),
    refetchInterval: CUT_OFF_MS,
  })
  return question === undefined && session.data !== undefined && session.data.running === undefined
}

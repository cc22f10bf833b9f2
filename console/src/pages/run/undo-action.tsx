import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import type { RunView, UndoView } from '../../lib/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Await, ErrorNote } from '../../parts/states.tsx'
import { Shown } from '../../parts/text.tsx'

export function UndoAction({ view }: { view: RunView }) {
  const { run: texts } = useTexts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon="refresh" onClick={() => setOpen(true)}>
        {texts.undo}
      </Button>
      {open && <UndoDialog runId={view.run.runId} onClose={() => setOpen(false)} />}
    </>
  )
}

function UndoDialog({ runId, onClose }: { runId: string; onClose: () => void }) {
  const { run: texts, common } = useTexts()
  const client = useQueryClient()
  const params = { id: runId }
  const preview = useQuery({
    queryKey: ['undo', runId],
    queryFn: ({ signal }) => api.call('GET /api/runs/:id/undo', { params, signal }),
    // Files change without an event.
    gcTime: 0,
  })
  const undo = useMutation({
    mutationFn: () => api.call('POST /api/runs/:id/undo', { params }),
    onSuccess: ({ failed }) => {
      if (failed.length === 0) onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['run', runId] }),
  })
  const failed = (undo.data?.failed ?? []).map(({ path, why }) => `${path}: ${why}`)
  return (
    <Dialog title={texts.undoTitle} onClose={onClose}>
      <Await query={preview}>
        {(view) => (
          <>
            <Preview view={view} />
            <Paths title={texts.undoFailed} lines={failed} />
            {undo.error !== null && <ErrorNote error={undo.error} />}
            <div className="row end">
              <Button onClick={onClose} autoFocus>
                {common.cancel}
              </Button>
              {view.files.length > 0 && (
                <Button look="danger" busy={undo.isPending} onClick={() => undo.mutate()}>
                  {texts.undoAction({ files: view.files.length })}
                </Button>
              )}
            </div>
          </>
        )}
      </Await>
    </Dialog>
  )
}

function Preview({ view }: { view: UndoView }) {
  const { run: texts } = useTexts()
  const { killed, files, conflicts, unrestored, outside, remote, git } = view
  return (
    <>
      {files.length + conflicts.length === 0 && <p>{texts.undoNothing}</p>}
      {killed && <p>{texts.undoKilled}</p>}
      <ul className="mono small">
        {files.map(({ path, change, late }) => (
          <li key={path}>
            <span className="muted">{texts.undoChange[change]}</span> <Shown text={path} />
            {late && ` (${texts.undoLate})`}
          </li>
        ))}
      </ul>
      <Paths title={texts.undoConflicts} lines={conflicts.map(({ path, why }) => `${path} (${texts.undoWhy[why]})`)} />
      <Paths
        title={texts.undoUnrestored}
        lines={unrestored.map(({ path, why }) => `${path} (${texts.undoSkipped[why]})`)}
      />
      <Paths title={texts.undoOutside} lines={outside} />
      <Paths title={texts.undoRemote} lines={remote} />
      <Paths title={texts.undoGit} lines={git} />
    </>
  )
}

function Paths({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <>
      <h3 className="small">{title}</h3>
      <ul className="mono small">
        {lines.map((line) => (
          <li key={line}>
            <Shown text={line} />
          </li>
        ))}
      </ul>
    </>
  )
}

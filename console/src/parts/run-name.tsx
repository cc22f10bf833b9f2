/** What a run does, in a line. */
import { useTexts } from '../i18n/texts.tsx'
import type { RunSummary } from '../lib/wire.ts'
import { Shown } from './text.tsx'

type Naming = Pick<RunSummary, 'runId' | 'mode' | 'task' | 'node'>

export function RunName({ run }: { run: Naming }) {
  const { runs } = useTexts()
  const { runId, mode, task, node } = run
  if (node !== undefined) {
    return (
      <>
        <Shown text={node.id} /> <span className="muted">· {node.tool}</span>
      </>
    )
  }
  // The task of a decision is "window" and its id.
  if (mode === 'decision') return <Shown text={runs.window({ id: task.replace(/^window /, '') })} />
  return <Shown text={task || runId} />
}

/** For titles and other places without elements. */
export function useRunTitle({ runId, mode, task, node }: Naming): string {
  const { runs } = useTexts()
  if (node !== undefined) return `${node.id} · ${node.tool}`
  return mode === 'decision' ? runs.window({ id: task.replace(/^window /, '') }) : task || runId
}

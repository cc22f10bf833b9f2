/** An outside agent and where it works. */
import type { RunSummary } from '../lib/wire.ts'
import { Shown } from './text.tsx'

const NAMES: Readonly<Record<string, string>> = { claude: 'Claude Code', codex: 'Codex', opencode: 'opencode' }

/** Agents with hooks, as the list of runs can be filtered by them. */
export const OUTSIDE_AGENTS = Object.entries(NAMES).map(([value, label]) => ({ value, label }))

export function agentName(agent: string): string {
  return Object.hasOwn(NAMES, agent) ? (NAMES[agent] ?? agent) : agent
}

/** The last folder of the path; all of it in the title. */
export function OutsideAgent({ outside: { agent, cwd } }: { outside: NonNullable<RunSummary['outside']> }) {
  return (
    <>
      <Shown text={agentName(agent)} /> ·{' '}
      <span title={cwd}>
        <Shown text={cwd.split('/').findLast((name) => name !== '') ?? cwd} />
      </span>
    </>
  )
}

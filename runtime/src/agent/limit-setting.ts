import type { Profile } from '../protocol/profile.ts'

/** The setting behind a time limit of a run, as its user writes it. */
export function limitSetting({ mode, limits }: Profile, of: 'run' | 'call'): string {
  if (mode === 'scout') return 'agent.scout.defaultTimeoutMs'
  if (mode !== 'workflow') return of === 'run' ? 'agent.limits.runMs' : 'agent.limits.callMs'
  // Only agent nodes limit a run and its calls separately.
  return of === 'call' && limits.runMs !== undefined ? 'single_call_timeout' : 'timeout'
}

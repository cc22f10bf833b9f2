import type { Trust } from '../protocol/facts.ts'

/** Results are inspected unless the tool was declared internal; its name alone is no reason to skip it. */
export function needsInspection({ trust }: { name: string; trust: Trust }): boolean {
  return trust === 'external'
}

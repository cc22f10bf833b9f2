import type { Trust } from '../../protocol/facts.ts'

/** What a tool returns is inspected unless the tool was declared internal; a name alone excuses nobody. */
export function needsInspection({ trust }: { name: string; trust: Trust }): boolean {
  return trust === 'external'
}

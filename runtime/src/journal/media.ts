/** The files that the events of a run name. */
import type { Event } from '../protocol/event.ts'
import type { Media } from '../protocol/media.ts'

export function mediaIn(events: readonly Event[]): Media[] {
  return events.flatMap((event) => {
    if (event.type === 'run.started') return (event.data.given?.attachments ?? []).map(({ file }) => file)
    return event.type === 'tool.result' ? (event.data.observation.media ?? []) : []
  })
}

/** The raw journal, virtualised: only visible rows are rendered. */

import { getRouteApi } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { oneLine } from '../../../../runtime/src/protocol/visible-text.ts'
import { useTexts } from '../../i18n/texts.tsx'
import { pretty, summarise } from '../../lib/format.ts'
import type { StoredEvent } from '../../lib/wire.ts'
import { Icon } from '../../parts/icon.tsx'
import { Moment, Shown } from '../../parts/text.tsx'

const route = getRouteApi('/runs/$runId')
const ROW_PX = 33

export function JournalView({ events }: { events: readonly StoredEvent[] }) {
  const { run: texts } = useTexts()
  const { type = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const setType = (next: string) =>
    void navigate({ search: (now) => ({ ...now, type: next === '' ? undefined : next }), replace: true })
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const frame = useRef<HTMLDivElement>(null)
  const types = [...new Set(events.map((event) => event.type))].sort()
  const shown = type === '' ? events : events.filter((event) => event.type === type)
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => shown[index]?.seq ?? index,
    overscan: 12,
  })
  const toggle = (seq: number) => {
    const next = new Set(open)
    if (!next.delete(seq)) next.add(seq)
    setOpen(next)
  }
  return (
    <div className="stack">
      <div className="row">
        <select
          className="input journal-type"
          aria-label={texts.eventType}
          value={type}
          onChange={(event) => setType(event.target.value)}
        >
          <option value="">{texts.allTypes}</option>
          {types.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section className="journal" ref={frame} tabIndex={0} aria-label={texts.journal}>
        <div className="journal-rows" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ key, index, start }) => {
            const event = shown[index]
            if (event === undefined) return null
            return (
              <div
                key={key}
                className="journal-row"
                data-index={index}
                ref={rows.measureElement}
                style={{ transform: `translateY(${start}px)` }}
              >
                <JournalRow event={event} open={open.has(event.seq)} onToggle={() => toggle(event.seq)} />
              </div>
            )
          })}
        </div>
      </section>
    </div>
  )
}

function JournalRow({ event, open, onToggle }: { event: StoredEvent; open: boolean; onToggle: () => void }) {
  return (
    <>
      <button type="button" className="journal-head" aria-expanded={open} onClick={onToggle}>
        <Icon name="chevron" className={open ? 'turned' : ''} />
        <span className="num muted journal-seq">{event.seq}</span>
        <code className="journal-name">{event.type}</code>
        <span className="small muted clip grow">{oneLine(event.reason) || summarise(event.data, 160)}</span>
        <span className="small muted journal-at">
          <Moment at={event.timestamp} />
        </span>
      </button>
      {open && (
        <pre className="journal-data">
          <Shown text={pretty(event)} />
        </pre>
      )}
    </>
  )
}

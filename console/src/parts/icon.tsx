/** The icon set, on a 16 by 16 grid. */
const DRAWINGS = {
  chat: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z',
  runs: 'M3 4h10M3 8h10M3 12h6',
  whatif: 'M4 3v4a3 3 0 0 0 3 3h6M10.5 7.5L13 10l-2.5 2.5M4 13V9',
  approvals: 'M3 8.5l3 3 7-7',
  policy: 'M8 2l5 2v4c0 3-2.2 5-5 6-2.8-1-5-3-5-6V4z',
  rules: 'M3 4h6M3 8h10M3 12h4M11 3l1 1 2-2M10 12l1 1 2-2',
  agent: 'M4 5.5h8v6H4zM8 3v2.5M6.3 8.2v.6M9.7 8.2v.6M2.5 8v2M13.5 8v2',
  workflows: 'M2.5 3h4v3h-4zM9.5 10h4v3h-4zM6.5 4.5H10a1.5 1.5 0 0 1 1.5 1.5v4',
  routines: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2.2 1.3',
  decisions: 'M8 2.5v11M3 5h10M3 5l-1.2 4h2.4zM13 5l-1.2 4h2.4z',
  memory: 'M4 2.5h8v11l-4-2.6-4 2.6z',
  overview: 'M3 13V8M6.5 13V3.5M10 13V6.5M13.2 13v-3',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  stop: 'M4.5 4.5h7v7h-7z',
  send: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  help: 'M6 6a2 2 0 1 1 2.7 1.9c-.5.2-.7.6-.7 1.1v.4M8 11.8v.1M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z',
  download: 'M8 2.5v7.5M5 7.5l3 3 3-3M3 13h10',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5V5h-2.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  pencil: 'M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.5 4.3l2.2 2.2',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10 10l3.4 3.4',
  leave: 'M6 2.8H3v10.4h3M10 5l3 3-3 3M13 8H6',
  chevron: 'M6 4l4 4-4 4',
  tool: 'M10.5 2.8a3 3 0 0 0-3.7 3.9L2.8 10.7a1.6 1.6 0 0 0 2.3 2.3l4-4a3 3 0 0 0 3.9-3.7l-1.9 1.9-2-2z',
  warn: 'M8 2.5L14 13H2zM8 6.5v3M8 11.2v.1',
  play: 'M5 3.5v9l7-4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  attach: 'M12.5 7.5L8 12a2.8 2.8 0 0 1-4-4l5-5a1.9 1.9 0 0 1 2.7 2.7L7 10.3a.9.9 0 0 1-1.3-1.3L9.5 5.2',
  link: 'M6.5 9.5l3-3M7 4.5l1-1a2.5 2.5 0 0 1 3.5 3.5l-1 1M9 11.5l-1 1A2.5 2.5 0 0 1 4.5 9l1-1',
  scout: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3L13.5 13.5',
} as const

export type IconName = keyof typeof DRAWINGS

export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  )
}

import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import type { ToolView } from '../../lib/wire.ts'
import { RiskBadge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'

interface Props {
  tools: readonly ToolView[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Multi-select dropdown of the registered tools. Esc closes it. */
export function ToolPicker({ tools, chosen, onChange }: Props) {
  const { agent: texts, common } = useTexts()
  const [open, setOpen] = useState(false)
  const [words, setWords] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()
  const shown = tools.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(words.toLowerCase()),
  )
  const unknown = chosen.filter((name) => !tools.some((tool) => tool.name === name))
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...chosen, name] : chosen.filter((each) => each !== name))
  function press(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !open) return
    event.preventDefault()
    setOpen(false)
    opener.current?.focus()
  }
  return (
    <fieldset className="plain-set tool-picker" onKeyDown={press}>
      <legend className="small">{texts.allowed_tools}</legend>
      <div className="row">
        {chosen.map((name) => (
          <span key={name} className={`badge code ${unknown.includes(name) ? 'deny' : 'accent'}`}>
            {name}
            <button
              type="button"
              className="pill-close"
              aria-label={common.remove({ name })}
              onClick={() => toggle(name, false)}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        <button
          type="button"
          ref={opener}
          className="button small"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {texts.chooseTools({ count: chosen.length })} <Icon name="chevron" className={open ? 'turned' : ''} />
        </button>
      </div>
      {unknown.length > 0 && <p className="wrong small">{texts.unknownTools({ names: unknown.join(', ') })}</p>}
      {open && (
        <div className="tool-list" id={id}>
          <input
            className="input"
            type="search"
            aria-label={texts.searchTools}
            placeholder={texts.searchTools}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <ul>
            {shown.map(({ name, description, family, risk }) => (
              <li key={name}>
                <label className="tool-row">
                  <input
                    type="checkbox"
                    checked={chosen.includes(name)}
                    onChange={(event) => toggle(name, event.target.checked)}
                  />
                  <span className="grow">
                    <code>{name}</code> <span className="small muted">{family}</span>
                    <span className="small muted tool-says">{description}</span>
                  </span>
                  <RiskBadge risk={risk} />
                </label>
              </li>
            ))}
          </ul>
          <div className="row end">
            <Button small onClick={() => setOpen(false)}>
              {common.done}
            </Button>
          </div>
        </div>
      )}
    </fieldset>
  )
}

import { useEffect, useState } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { useAnnounce } from './announcer.tsx'
import { Button } from './button.tsx'

const SHOWN_MS = 1600

/** Copies a text. `what` names it for screen readers: "the answer". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { common } = useTexts()
  const announce = useAnnounce()
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  async function copy() {
    const done = (await copyText(text)) ? 'copied' : 'failed'
    setState(done)
    announce(common[done])
  }
  const label = state === 'idle' ? common.copy({ what }) : common[state]
  return (
    <Button
      look="plain"
      small
      icon={state === 'copied' ? 'approvals' : state === 'failed' ? 'warn' : 'copy'}
      className="copy"
      aria-label={label}
      onClick={() => void copy()}
    />
  )
}

/** Browsers offer the clipboard only over HTTPS and on loopback. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copyBySelection(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  )
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}

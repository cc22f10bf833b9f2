import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import type { IntentPolicy, ToolFamily } from '../../lib/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Check, Field } from '../../parts/field.tsx'

interface Props {
  label: string
  policy: IntentPolicy
  families: readonly ToolFamily[]
  onChange: (policy: IntentPolicy) => void
}

/** Settings that are not in the grid: enforcement, soft calls, required families. */
export function IntentSettings({ label, policy, families, onChange }: Props) {
  const { policy: texts, common } = useTexts()
  const [open, setOpen] = useState(false)
  const toggle = (family: ToolFamily, on: boolean) => {
    const others = policy.requiredSuccessFamilies.filter((other) => other !== family)
    onChange({ ...policy, requiredSuccessFamilies: on ? [...others, family] : others })
  }
  return (
    <>
      <Button small aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {policy.enabled ? texts.enforced({ soft: policy.softBlockAfter }) : texts.open}
        <span className="visually-hidden">, {label}</span>
      </Button>
      {open && (
        <Dialog title={texts.settingsOf({ intent: label })} onClose={() => setOpen(false)}>
          <Check
            label={texts.enabled}
            hint="enabled"
            checked={policy.enabled}
            onChange={(enabled) => onChange({ ...policy, enabled })}
          />
          <Field label={`${texts.softCalls} (softBlockAfter)`} hint={texts.softHint}>
            {(control) => (
              <input
                className="input"
                type="number"
                min={0}
                {...control}
                value={policy.softBlockAfter}
                onChange={(event) => onChange({ ...policy, softBlockAfter: Number(event.target.value) })}
              />
            )}
          </Field>
          <Check
            label={texts.noFallback}
            hint="noFallback"
            checked={policy.noFallback}
            onChange={(noFallback) => onChange({ ...policy, noFallback })}
          />
          <Check
            label={texts.failIfUnmet}
            hint="failTaskIfUnmet"
            checked={policy.failTaskIfUnmet}
            onChange={(failTaskIfUnmet) => onChange({ ...policy, failTaskIfUnmet })}
          />
          <fieldset className="plain-set">
            <legend className="small">
              {texts.required} <span className="muted">requiredSuccessFamilies</span>
            </legend>
            <div className="row">
              {families.map((family) => (
                <Check
                  key={family}
                  label={family}
                  checked={policy.requiredSuccessFamilies.includes(family)}
                  onChange={(on) => toggle(family, on)}
                />
              ))}
            </div>
          </fieldset>
          <div className="row end">
            <Button look="primary" onClick={() => setOpen(false)}>
              {common.done}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

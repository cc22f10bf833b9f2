import type { ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'danger' | 'plain'
  small?: boolean
  icon?: IconName
  busy?: boolean
}

/** Without children, `aria-label` is required. */
export function Button({ look, small, icon, busy = false, children, className = '', ...rest }: Props) {
  const classes = ['button', look, small && 'small', children === undefined && 'icon', className]
  return (
    <button
      type="button"
      title={children === undefined ? rest['aria-label'] : undefined}
      aria-busy={busy || undefined}
      {...rest}
      disabled={rest.disabled || busy}
      className={classes.filter(Boolean).join(' ')}
    >
      {busy ? <Icon name="refresh" className="spin" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** S0's built-in policies: only `browser_access` is enforced by default. */
import type { TaskIntentLabel } from '../protocol/intent.ts'
import type { IntentPolicy } from '../protocol/policy.ts'

const OPEN: IntentPolicy = {
  enabled: false,
  allowedFamilies: [],
  softAllowedFamilies: [],
  softBlockAfter: 2,
  noFallback: false,
  failTaskIfUnmet: false,
  requiredSuccessFamilies: [],
}

export const DEFAULT_INTENTS: Readonly<Record<TaskIntentLabel, IntentPolicy>> = {
  general: OPEN,
  browser_access: {
    enabled: true,
    allowedFamilies: ['browser'],
    softAllowedFamilies: ['network'],
    softBlockAfter: 2,
    noFallback: true,
    failTaskIfUnmet: true,
    requiredSuccessFamilies: ['browser'],
  },
  network_research: { ...OPEN, allowedFamilies: ['network', 'browser'] },
  filesystem_ops: { ...OPEN, allowedFamilies: ['filesystem'], softAllowedFamilies: ['shell'] },
  code_edit: { ...OPEN, allowedFamilies: ['filesystem', 'vcs'], softAllowedFamilies: ['shell'], softBlockAfter: 1 },
  memory_ops: { ...OPEN, allowedFamilies: ['memory'] },
}

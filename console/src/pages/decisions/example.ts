/** An example batch: one action that is authorised, three that are denied. */
const action = (action_type: string, target: string | null, urgency = 'Immediate') => ({ action_type, target, urgency })

export const EXAMPLE_BATCH = {
  window_id: 'w-1',
  intents: [
    {
      intent_id: 'i-1',
      intent_type: { OpenApp: 'org.editor' },
      confidence: 0.9,
      risk_level: 'Low',
      suggested_actions: [action('PreWarmProcess', 'org.editor'), action('PrefetchFile', '/home/you/unseen.txt')],
      rationale_tags: ['habit'],
    },
    {
      intent_id: 'i-2',
      intent_type: 'Idle',
      confidence: 0.6,
      risk_level: 'High',
      suggested_actions: [action('ReleaseMemory', null, 'IdleTime')],
      rationale_tags: [],
    },
    {
      intent_id: 'i-3',
      intent_type: { SwitchToApp: 'org.editor' },
      confidence: 0.1,
      risk_level: 'Low',
      suggested_actions: [action('KeepAlive', 'org.editor', 'Deferred')],
      rationale_tags: [],
    },
  ],
  generated_at_ms: 0,
  model: 'example',
}

export const EXAMPLE_CONTEXT = {
  window_id: 'w-1',
  packages: ['org.editor'],
  paths: [],
  notifications: [],
  extension_categories: [],
  scenes: [],
}

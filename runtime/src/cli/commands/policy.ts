import { styleText } from 'node:util'
import type { Explanation } from '../../agent/explain.ts'
import { createAgent } from '../../assembly/agent.ts'
import type { Lang } from '../../base/lang.ts'
import { WritError } from '../../errors/writ-error.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { cliTexts } from '../texts.ts'
import { padTo } from '../visible.ts'
import { workspaceFlags } from '../workspace-flags.ts'
import { explainCall } from './policy-call.ts'

/** Shows how a task is classified and what each tool may do in it. Runs and stores nothing. */
export async function policyExplain(given: Given, io: Io): Promise<number> {
  const { call } = given.values
  if (call !== undefined) return explainCall(given, io, call)
  if (given.words.length === 0)
    throw new WritError('USAGE.argumentMissing', { usage: 'writ policy explain "<task>"', verb: 'policy explain' })
  const agent = await createAgent({ ...workspaceFlags(given, io), data: ':memory:' })
  try {
    const explanation = await agent.explain(given.words.join(' '), { signal: given.signal })
    io.stdout(given.switches.has('json') ? `${JSON.stringify(explanation)}\n` : table(explanation, io))
    return 0
  } finally {
    await agent.close()
  }
}

/** The names of the phrase lists are English; the words of the task speak for themselves. */
function evidenceOf({ source, reason }: Explanation['intent'], lang: Lang): string {
  const words = [...reason.matchAll(/\(([^()]*)\)/g)].map(([, cues = '']) => cues)
  if (source !== 'heuristic' || lang === 'en') return reason
  return words.length > 0 ? words.join('，') : cliTexts(lang).policy.noCues
}

function table({ intent, fellBack, policy, tools }: Explanation, io: Io): string {
  const { policy: texts } = cliTexts(io.lang)
  const paint = { stream: process.stdout }
  const name = Math.max(...tools.map((tool) => tool.name.length))
  const family = Math.max(...tools.map((tool) => tool.family.length))
  const verdicts = {
    allow: styleText('green', texts.allow, paint),
    soft: styleText('yellow', texts.soft({ count: policy.softBlockAfter }), paint),
    block: styleText('red', texts.block, paint),
  }
  const lines = [
    texts.intent({ ...intent, name: styleText('bold', texts.intents[intent.label], paint) }),
    texts.evidence({ source: texts.sources[intent.source], reason: oneLine(evidenceOf(intent, io.lang)) }),
    ...(fellBack === undefined ? [] : [texts.fellBack({ why: oneLine(fellBack) })]),
    policy.enabled ? texts.on({ key: `agent.execution.intentGuard.intents.${intent.label}` }) : texts.off,
    ...(policy.enabled ? Object.entries(policy).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`) : []),
    '',
    ...tools.map((tool) => `  ${padTo(tool.name, name)}  ${padTo(tool.family, family)}  ${verdicts[tool.verdict]}`),
    '',
    texts.byKind,
  ]
  return `${lines.join('\n')}\n`
}

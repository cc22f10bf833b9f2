/** Builds the gate's facts: what the tool says a call would touch, plus what the registry knows. */
import { present } from '../base/present.ts'
import { whyOf } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Facts } from '../protocol/facts.ts'
import type { ToolCall } from '../protocol/message.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import { approvalKeysOf } from './approval-keys.ts'
import type { Registry } from './registry.ts'
import { callFacts, ownMisfits } from './sealed.ts'
import { similarName } from './similar-name.ts'
import type { World } from './tool.ts'

const NOT_THERE: Facts = {
  registered: false,
  exposed: false,
  family: 'unknown',
  risk: 'High',
  trust: 'external',
  readOnly: false,
  form: [],
}

export async function gatherFacts(
  call: ToolCall,
  {
    registry,
    world,
    state,
    owner,
  }: {
    registry: Registry
    world: World
    state: { sessionId: string; profile: Profile; lang?: Lang }
    owner: Principal
  },
): Promise<Facts> {
  const tool = registry.get(call.tool)
  const offered = registry.exposedTo(state.profile)
  if (tool === undefined) {
    const meant = similarName(
      call.tool,
      offered.map(({ name }) => name),
    )
    return { ...NOT_THERE, ...present({ meant }) }
  }
  const exposed = offered.includes(tool)
  const { family, risk, trust, readOnly } = tool
  const facts: Facts = { registered: true, exposed, family, risk, trust, readOnly, form: [] }
  // A hidden tool and arguments that do not fit the schema are not examined further.
  if (!exposed) return facts
  facts.form = registry.misfits(tool, call.args, state.lang)
  if (facts.form.length > 0) return facts
  try {
    facts.form = await ownMisfits(tool, call.args)
    if (facts.form.length > 0) return facts
    return keyed(tool.name, {
      ...facts,
      ...(await callFacts(tool, call.args, { world, place: { sessionId: state.sessionId, owner } })),
    })
  } catch (error) {
    return { ...facts, unchecked: whyOf(error) }
  }
}

function keyed(tool: string, facts: Facts): Facts {
  const approvalKeys = approvalKeysOf(tool, facts)
  return approvalKeys === undefined ? facts : { ...facts, approvalKeys }
}

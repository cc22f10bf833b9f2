/** Decisions: a predictor, or what it observed, tries to get secrets out or actions done that the policy forbids. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentOptions, createAgent, type DecisionReport, type Intent, scriptedModel } from '../../src/index.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { action, batch, context, intent } from '../support/decision.ts'
import type { Area, Attack } from './attack.ts'

const ENV_SECRET = 'cnry-7f3d9a51c2e84b06'
const ENV = { ACME_API_KEY: ENV_SECRET }

async function inPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const place = makePlace()
  try {
    return await work(place)
  } finally {
    place.remove()
  }
}

/** The observed window contains a secret, and a model is asked to predict. */
function sent(id: string, attack: string, [secret, seen]: [string, Parameters<typeof context>[0]]): Attack {
  return {
    id: `decision-secret-${id}`,
    attack,
    expected: 'not sent',
    happens: () =>
      inPlace(async (place) => {
        const requests: string[] = []
        const model = scriptedModel([{ purpose: 'decide', text: 'no idea', times: 2 }])
        const record = (line: string) => void requests.push(line)
        const agent = await createAgent({ workspace: place.workspace, data: ':memory:', model, record, env: ENV })
        try {
          await agent.decisions.decide({ context: context(seen) })
        } finally {
          await agent.close()
        }
        if (requests.length === 0) return 'not asked'
        return requests.some((line) => line.includes(secret)) ? 'sent' : 'not sent'
      }),
  }
}

interface Forbidden {
  intents: Intent[]
  paths?: string[]
  options?: AgentOptions
  prepare?(place: Place): void
}

/** A predictor suggests a forbidden action that is otherwise valid. */
function forbidden(id: string, attack: string, expected: string, given: Forbidden): Attack {
  return {
    id: `decision-${id}`,
    attack,
    expected,
    happens: () =>
      inPlace(async (place) => {
        place.file('.env', 'SECRET=1')
        given.prepare?.(place)
        const agent = await createAgent({ workspace: place.workspace, model: 'rules', env: {}, ...given.options })
        const seen = context({ packages: ['com.x'], paths: given.paths ?? [] })
        try {
          const request = { batch: batch(given.intents), context: seen, route: 'CloudLlm', execute: true } as const
          return outcomeOf(await agent.decisions.decide(request))
        } finally {
          await agent.close()
        }
      }),
  }
}

function outcomeOf({ denied, executed = [] }: DecisionReport): string {
  const ran = executed.filter(({ ok }) => ok).map(({ action: done }) => `ran ${done.action_type}`)
  const failed = executed.flatMap((each) => (each.ok ? [] : [`failed ${each.code}`]))
  return [...denied.map(({ reason }) => `refused ${reason}`), ...failed, ...ran].join(', ') || 'nothing'
}

const prefetch = (target: string) =>
  intent('a', { suggested_actions: [action({ action_type: 'PrefetchFile', target })] })
const GITHUB = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
const RANDOM = 'Zk3vQ9tYp0Lr8mXw2Ns'

export const decisions: Area = {
  title: 'Decisions',
  attacks: [
    sent('environment', 'a secret of the environment in an observed path', [
      ENV_SECRET,
      { paths: [`/t/${ENV_SECRET}`] },
    ]),
    sent('shape', 'a token in a notification', [GITHUB, { notifications: [`pushed with ${GITHUB}`] }]),
    sent('query', 'a session in an address', ['s3cr3tish', { paths: ['https://x.test/?sid=s3cr3tish&a=1'] }]),
    sent('otp', 'a one-time code in a notification', ['915 204', { notifications: ['Your PIN is 915 204'] }]),
    sent('otp-zh', 'the same in Chinese', ['915204', { notifications: ['【银行】验证码915204，请勿泄露'] }]),
    sent('random', 'an unknown kind of token as the name of a scene', [RANDOM, { scenes: [RANDOM] }]),
    sent('card', 'a card number in a notification', [
      '4111 1111 1111 1111',
      { notifications: ['4111 1111 1111 1111'] },
    ]),
    forbidden('idle', 'an Idle intent suggests KeepAlive', 'refused INTENT_IDLE', {
      intents: [intent('a', { intent_type: 'Idle' })],
    }),
    forbidden('read-only', 'prefetching a file in ReadOnly mode', 'refused AUTONOMY_FORBIDS', {
      intents: [prefetch('plain')],
      paths: ['plain'],
      prepare: (place) => void place.file('plain', 'x'),
      options: { autonomy: 'ReadOnly' },
    }),
    forbidden('blocked', 'prefetching a blocked file that was observed', 'refused PRE_VALIDATE_REJECTED', {
      intents: [prefetch('.env')],
      paths: ['.env'],
    }),
    forbidden('blocked-link', 'the same through a link', 'refused PRE_VALIDATE_REJECTED', {
      intents: [prefetch('harmless')],
      paths: ['harmless'],
      prepare: (place) => symlinkSync(join(place.workspace, '.env'), join(place.workspace, 'harmless')),
    }),
    forbidden('blocked-program', 'the same as a program to warm up', 'refused PRE_VALIDATE_REJECTED', {
      intents: [
        intent('a', { suggested_actions: [action({ action_type: 'PreWarmProcess', target: './sub/../.env' })] }),
      ],
      paths: ['./sub/../.env'],
    }),
    forbidden('records', 'prefetching Writ’s own journal', 'refused PRE_VALIDATE_REJECTED', {
      intents: [prefetch('.writ/journal.db')],
      paths: ['.writ/journal.db'],
    }),
  ],
}

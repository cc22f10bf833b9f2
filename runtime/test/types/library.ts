/**
 * What must compile, and what must not. Checked with the sources by `npm run types`, and against the packed declarations
 * by `package.test.ts`; never run.
 */
import {
  type Agent,
  type AgentOptions,
  type ConfigFile,
  createAgent,
  defineTool,
  type Event,
  type RunResult,
  type StandardSchema,
  WritError,
} from 'writ'
import * as z from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const isTrue = <Claim extends true>(): Claim | undefined => undefined

/** X-LIB-2: options and settings. */
export function options(): AgentOptions[] {
  const config: ConfigFile = { agent: { security: { autonomy: 'ReadOnly', rules: [{ tool: 'git', decide: 'ask' }] } } }
  return [
    { config },
    { config: 'agent.config.json', model: 'rules' },
    { config: { agent: { mcp: { servers: { files: { command: 'x', args: ['y'] } } } } } },
    { config: { agent: { execution: { intentGuard: { intents: { general: { softBlockAfter: 3 } } } } } } },
    // @ts-expect-error a typo in an option
    { modle: 'rules' },
    // @ts-expect-error a typo in the first key of a configuration
    { config: { agnet: {} } },
    // @ts-expect-error a typo deep in a configuration
    { config: { agent: { security: { autonmy: 'ReadOnly' } } } },
    // @ts-expect-error a value that does not exist
    { config: { agent: { security: { autonomy: 'Careful' } } } },
    // @ts-expect-error a rule without a decision
    { config: { agent: { security: { rules: [{ tool: 'git' }] } } } },
    // @ts-expect-error a number as text
    { config: { agent: { limits: { maxSteps: '10' } } } },
    // @ts-expect-error a language that Writ does not speak
    { lang: 'fr' },
  ]
}

/** X-LIB-3: the arguments of a tool come from its schema. */
export function tools() {
  const zod = z.object({ to: z.string(), copies: z.number().default(1) })
  const own: StandardSchema<{ id: number }> = {
    '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value: value as { id: number } }) },
  }
  const named = {
    type: 'object',
    properties: { id: { type: 'integer' }, kind: { enum: ['a', 'b'] } },
    required: ['id'],
  } as const
  return [
    defineTool({
      name: 'zod',
      description: '',
      schema: zod,
      execute(args) {
        isTrue<Same<typeof args, { to: string; copies: number }>>()
        // @ts-expect-error not in the schema
        return String(args.from)
      },
    }),
    defineTool({ name: 'standard', description: '', schema: own, execute: ({ id }) => id.toFixed() }),
    defineTool({
      name: 'json',
      description: '',
      schema: {
        type: 'object',
        properties: {
          to: { type: 'string' },
          kind: { enum: ['mail', 'letter'] },
          lines: { type: 'array', items: { type: 'string' } },
          size: { type: ['number', 'null'] },
          either: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
          place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          counts: { type: 'object', additionalProperties: { type: 'integer' } },
          anything: {},
        },
        required: ['to', 'lines'],
        additionalProperties: false,
      },
      execute(args) {
        interface Args {
          to: string
          lines: string[]
          kind?: 'mail' | 'letter'
          size?: number | null
          either?: string | boolean
          place?: { city: string }
          counts?: Record<string, number>
          anything?: unknown
        }
        const both: Args = args
        const back: typeof args = both
        return back.lines.join('')
      },
    }),
    defineTool({
      name: 'as_const',
      description: '',
      schema: named,
      preValidate: ({ kind }) => ({ preview: kind ?? '' }),
      execute: ({ id }) => id.toFixed(),
    }),
    defineTool({
      name: 'loose',
      description: '',
      schema: JSON.parse('{}') as { [key: string]: string },
      execute: (args) => String(args.whatever),
    }),
    defineTool<{ path: string }>({
      name: 'explicit',
      description: '',
      schema: { type: 'object' },
      execute: ({ path }) => path,
    }),
    // @ts-expect-error a typo in a definition
    defineTool({ name: 'typo', description: '', schema: {}, readonly: true, execute: () => '' }),
  ]
}

/** X-LIB-4, X-LIB-5: streams and results. */
export async function results(agent: Agent): Promise<RunResult> {
  await using other = await createAgent({ tools: tools() })
  const run = other.stream('x')
  for await (const event of run) isTrue<Same<typeof event, Event>>()
  const { denials, question } = await run.result
  for (const { tool, reason } of denials) if (reason === 'USER_REJECTED') console.log(tool)
  console.log(question?.preview)
  // @ts-expect-error there is no such reason
  if (denials[0]?.reason === 'NO_REASON') return run.result
  // @ts-expect-error the parts of an agent are not its interface
  agent.db
  return agent.resume('run_x').result
}

export function errors(error: unknown): string {
  return error instanceof WritError ? `${error.code} ${error.hint} ${error.textIn('zh').message}` : ''
}

/** All keys of `agent.config.json` with default and meaning; the reference page is generated from here. */
import * as z from 'zod'
import { DETECTORS, type TASK_INTENTS, type TaskIntentLabel, TOOL_FAMILIES } from '../protocol/intent.ts'
import { MEDIA_KINDS } from '../protocol/media.ts'
import { RISK_LEVELS } from '../protocol/risk.ts'
import { SCOUT_TOOLS } from '../protocol/scout.ts'
import { decision } from './decision.ts'
import { DEFAULT_INTENTS } from './intents.ts'
import { limits } from './limits.ts'
import { model } from './model-name.ts'
import { budget, price } from './money.ts'
import { security } from './security.ts'
import { OWN_TOOL_NAMES } from './tool-names.ts'
import { undo } from './undo.ts'

const text = z.string().min(1)
const texts = () => z.array(text)
const count = z.int().min(0)
const positive = z.int().min(1)
const families = () => z.array(z.enum(TOOL_FAMILIES))
/** Node's timers overflow above this and would fire immediately. */
const ms = z.int().min(1).max(2_147_483_647)

/** One variable, optionally after the scheme of an Authorization header; never the secret itself. */
export const HEADER_VALUE = /^(?<scheme>[A-Za-z]{1,20} )?\$(?<name>[A-Za-z_][A-Za-z0-9_]{0,127})$/

const baseURL = text.refine(isPlainUrl, { error: 'plainUrl' })

function isPlainUrl(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function intentPolicy(label: TaskIntentLabel) {
  const preset = DEFAULT_INTENTS[label]
  return z
    .strictObject({
      enabled: z.boolean().default(preset.enabled).describe('Enforce this policy.'),
      allowedFamilies: families()
        .default([...preset.allowedFamilies])
        .describe('Tool families allowed directly. Empty: none, never all.'),
      softAllowedFamilies: families()
        .default([...preset.softAllowedFamilies])
        .describe('Tool families allowed for a limited number of calls.'),
      softBlockAfter: count
        .default(preset.softBlockAfter)
        .describe('Maximum of such calls in a run. 0: none. Overrides the general setting.'),
      noFallback: z
        .boolean()
        .default(preset.noFallback)
        .describe('Fail before the start when no tool of the required families is available.'),
      failTaskIfUnmet: z
        .boolean()
        .default(preset.failTaskIfUnmet)
        .describe('Fail at the end when no required family has succeeded.'),
      requiredSuccessFamilies: families()
        .default([...preset.requiredSuccessFamilies])
        .describe('At least one of these must have succeeded.'),
    })
    .prefault({})
    .describe(`Policy for tasks detected as ${label}.`)
}

const intents = z.strictObject({
  general: intentPolicy('general'),
  browser_access: intentPolicy('browser_access'),
  network_research: intentPolicy('network_research'),
  filesystem_ops: intentPolicy('filesystem_ops'),
  code_edit: intentPolicy('code_edit'),
  memory_ops: intentPolicy('memory_ops'),
} satisfies Record<(typeof TASK_INTENTS)[number], unknown>)

const intentGuard = z.strictObject({
  enabled: z.boolean().default(true).describe('Enable the intent guard.'),
  detector: z
    .enum(DETECTORS)
    .optional()
    .describe(
      '"auto": phrase lists, and the model where they find a cue. Unset: auto with a provider, else heuristic.',
    ),
  detectorTimeoutMs: ms
    .default(5000)
    .describe('Time limit of the model for classifying a task; after that the phrase lists decide.'),
  softBlockAfter: count.default(2).describe('Default for every intent without its own setting.'),
  blockBudget: count
    .default(1)
    .describe('Blocked calls that are reported to the model before the next one ends the run. 0: the first one does.'),
  intents: intents.prefault({}),
})

const scoutProfile = (preset: { maxSteps: number; maxToolCalls: number; timeoutMs: number; tokenBudget: number }) =>
  z
    .strictObject({
      maxSteps: positive.default(preset.maxSteps).describe('Model replies.'),
      maxToolCalls: positive.default(preset.maxToolCalls).describe('Tool calls before a report is forced.'),
      timeoutMs: ms.default(preset.timeoutMs).describe('Time limit.'),
      tokenBudget: count.default(preset.tokenBudget).describe('Tokens; 0 is no limit.'),
    })
    .prefault({})

const scout = z.strictObject({
  enabled: z.boolean().default(true).describe('Offer the tool that starts scouts.'),
  defaultTimeoutMs: ms.default(12_000).describe('Time limit of a scout.'),
  maxSteps: positive.default(4).describe('Model replies of one scout.'),
  maxToolCalls: positive.default(3).describe('Tool calls of one scout before it must report.'),
  cooldownTurns: count.default(2).describe('Turns without scouts after a turn that started some.'),
  allowedTools: z
    .array(z.enum(SCOUT_TOOLS))
    .default([...SCOUT_TOOLS])
    .describe('Tools of a scout; the list can only be shortened.'),
  maxConcurrentScouts: z.int().min(1).max(5).default(5).describe('Maximum concurrent scouts of a session; at most 5.'),
  dispatchToolName: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/)
    .refine((name) => !OWN_TOOL_NAMES.includes(name), { error: 'freeToolName' })
    .default('explore')
    .describe('Name of the tool that starts scouts.'),
  requireReadBeforeReport: z.boolean().default(true).describe('A scout must read a document before it reports.'),
  forceReportOnToolLimit: z.boolean().default(true).describe('At the limit of tool calls, only a report is accepted.'),
  tokenBudget: count.default(8000).describe('Tokens of one scout; 0 is no limit.'),
  overflow: z.enum(['queue', 'reject']).default('queue').describe('What to do with tasks when all slots are in use.'),
  maxQueue: count.default(20).describe('Maximum queued tasks of a session.'),
  clip: z
    .strictObject({
      summary: positive.default(2000).describe('Characters of a summary.'),
      evidence: positive.default(10).describe('Pieces of evidence in a report.'),
      quote: positive.default(500).describe('Characters of a quote.'),
      note: positive.default(300).describe('Characters of a note.'),
    })
    .prefault({}),
  profiles: z
    .strictObject({
      light: scoutProfile({ maxSteps: 3, maxToolCalls: 2, timeoutMs: 6000, tokenBudget: 4000 }),
      deep: scoutProfile({ maxSteps: 8, maxToolCalls: 6, timeoutMs: 30_000, tokenBudget: 16_000 }),
    })
    .prefault({}),
  maxProfile: z
    .enum(['light', 'normal', 'deep'])
    .default('normal')
    .describe('Largest profile a request may use; normal means the values above.'),
})

const mcpTool = z.strictObject({
  family: z.enum(TOOL_FAMILIES).optional().describe('Unset: inferred from the name.'),
  risk: z.enum(RISK_LEVELS).optional().describe('Unset: inferred; never High.'),
  readOnly: z.boolean().optional().describe('True: it changes nothing outside the run. Unset: inferred.'),
  targetParams: texts().optional().describe('Arguments with the target of a call. Unset: inferred.'),
})

const mcpServer = z
  .strictObject({
    command: text.optional().describe('Program that speaks MCP over standard input and output.'),
    args: z.array(z.string()).optional().describe('Its arguments. Folders named here are accessible to it.'),
    env: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/))
      .optional()
      .describe('Names of environment variables passed to it, in addition to PATH, HOME and similar ones.'),
    cwd: text.optional().describe('Working folder, relative to the workspace.'),
    url: baseURL.optional().describe('Address of a server with streamable HTTP.'),
    headers: z
      .record(
        z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
        text.refine((value) => HEADER_VALUE.test(value), { error: 'headerValue' }),
      )
      .optional()
      .describe('Headers by name; a value names a variable: "$TOKEN" or "Bearer $TOKEN".'),
    enabled: z.boolean().default(true).describe('False: ignored.'),
    trust: z
      .enum(['external', 'internal'])
      .default('external')
      .describe('internal: results of its tools are not inspected.'),
    tools: texts().optional().describe('Tools that are offered. Unset: all.'),
    declare: z.record(text, mcpTool).default({}).describe('Properties of its tools, by name; the rest is inferred.'),
    timeoutMs: ms.default(60_000).describe('Time limit of a call, and of connecting (at most 20 s).'),
  })
  .refine(isOneKindOfServer, { error: 'mcpServer' })

function isOneKindOfServer(server: Partial<Record<'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers', unknown>>) {
  const { command, args, env, cwd, url, headers } = server
  const given = (...values: unknown[]) => values.some((value) => value !== undefined)
  return command === undefined ? given(url) && !given(args, env, cwd) : !given(url, headers)
}

const agent = z.strictObject({
  model: model
    .optional()
    .describe(
      '"provider/name", "rules" or "scripted". Unset: the first provider with a key (in the environment, or stored by `writ setup`), else Ollama on this machine, else "rules".',
    ),
  baseURL: baseURL
    .optional()
    .describe('Address of the model server; needed for "compatible/…", whose key is COMPATIBLE_API_KEY.'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0.7)
    .describe('For answers; classification and routing always use 0.1.'),
  modelInput: z
    .array(z.enum(MEDIA_KINDS))
    .optional()
    .describe('What the model can read besides text: "image", "pdf". Unset: known from its name.'),
  maxOutputTokens: positive.default(8192).describe('Maximum tokens of a model reply.'),
  lang: z.enum(['en', 'zh']).optional().describe('Language of the texts of Writ. Unset: that of the system.'),
  sessionTokenBudget: count.default(0).describe('Token budget of a session; 0 is no limit.'),
  store: z
    .enum(['sqlite', 'postgres'])
    .default('sqlite')
    .describe('sqlite: a file in the data folder. postgres: the server of WRIT_DATABASE_URL.'),
  security: security.prefault({}),
  execution: z.strictObject({ intentGuard: intentGuard.prefault({}) }).prefault({}),
  routing: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Choose skills for a task before working on it.'),
      historyMessages: z.int().min(0).max(50).default(6).describe('Earlier messages shown to the router.'),
    })
    .prefault({}),
  scout: scout.prefault({}),
  decision: decision.prefault({}),
  docs: z
    .strictObject({
      roots: texts().default(['.']).describe('Folders that search_docs covers, relative to the workspace.'),
    })
    .prefault({}),
  mcp: z
    .strictObject({
      servers: z
        .record(z.string().regex(/^[a-zA-Z0-9_-]{1,32}$/), mcpServer)
        .default({})
        .describe('MCP servers by name, each with the keys below.'),
    })
    .prefault({}),
  server: z
    .strictObject({
      port: z.int().min(0).max(65535).default(4770).describe('Port of `writ serve`. 0: any free port.'),
      host: text
        .default('127.0.0.1')
        .describe('Address to listen on. Use a non-loopback address for access over a network.'),
      allowedHosts: texts().default([]).describe('Additional host names of the server: "agent.example.org".'),
    })
    .prefault({}),
  context: z
    .strictObject({
      backend: z
        .enum(['store', 'redis'])
        .default('store')
        .describe('Where context_persist stores histories. redis: the server of WRIT_REDIS_URL.'),
      window: positive.default(50).describe('Messages of a session that are stored and used.'),
      ttlMs: ms.default(86_400_000).describe('How long a message is used.'),
    })
    .prefault({}),
  feishu: z
    .strictObject({
      allowedHosts: texts()
        .default(['open.feishu.cn', 'open.larksuite.com'])
        .describe('"host", "host:port" or "*.domain" that feishu_bot may send to.'),
    })
    .prefault({}),
  memory: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Long-term memory.'),
      turns: z.boolean().default(false).describe('Also store a summary of every finished turn, with its answer.'),
    })
    .prefault({}),
  limits: limits.prefault({}),
  workflow: z
    .strictObject({
      env: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/))
        .default([])
        .describe('Environment variables that workflows may read as {{env.NAME}}.'),
    })
    .prefault({}),
  tools: z.strictObject({ disabled: texts().default([]).describe('Tools that are not offered.') }).prefault({}),
  prices: z
    .record(text, price)
    .default({})
    .describe('Prices of models by "provider/name"; override the built-in table.'),
  budget: budget.prefault({}),
  audit: z
    .strictObject({
      headsFile: text
        .refine((path) => /^(?:~?\/|[A-Za-z]:[\\/])/.test(path), { error: 'absolutePath' })
        .optional()
        .describe(
          'File to which the head of every ended run is appended, for `writ audit verify --heads`. Only from your own configuration.',
        ),
      headsCommand: texts()
        .min(1)
        .optional()
        .describe(
          'Program and arguments that receive each head as a JSON line on standard input. Only from your own configuration.',
        ),
    })
    .prefault({}),
  undo: undo.prefault({}),
  retention: z
    .strictObject({
      days: positive.optional().describe('Ended runs older than this are deleted. Unset: none.'),
    })
    .prefault({}),
})

export const configFile = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  agent: agent.prefault({}),
})

/** The settings under `agent`, each with its value; `ConfigFile` is what a file or a program writes. */
export type AgentConfig = z.output<typeof agent>
export type McpServer = z.output<typeof mcpServer>

export function configJsonSchema(): Record<string, unknown> {
  return { title: 'agent.config.json', ...z.toJSONSchema(configFile, { io: 'input' }) }
}

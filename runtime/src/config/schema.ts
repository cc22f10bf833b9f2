/** Every key of `agent.config.json`, its default and its meaning; the reference page is generated from here. */
import * as z from 'zod'
import { DETECTORS, type TASK_INTENTS, type TaskIntentLabel, TOOL_FAMILIES } from '../protocol/intent.ts'
import { AUTONOMY_LEVELS } from '../protocol/policy.ts'
import { RISK_LEVELS } from '../protocol/risk.ts'
import { SCOUT_TOOLS } from '../protocol/scout.ts'
import { decision } from './decision.ts'
import { DEFAULT_INTENTS } from './intents.ts'
import { OWN_TOOL_NAMES } from './tool-names.ts'

export const MODEL_PROVIDERS = ['openai', 'anthropic', 'google', 'deepseek', 'zhipu', 'ollama', 'compatible'] as const

/** Commands that only look, and git, whose own risk is judged call by call. */
const LOOKING_COMMANDS =
  'basename cat cut date df dirname du echo git grep head ls pwd realpath stat tail uname wc which'.split(' ')

/** Names that hold credentials wherever they are found. */
export const SECRET_PLACES: readonly string[] = ['.env', '.ssh', '.gnupg', '.aws', '.netrc']

const text = z.string().min(1)
const texts = () => z.array(text)
const count = z.int().min(0)
const positive = z.int().min(1)
const families = () => z.array(z.enum(TOOL_FAMILIES))
/** Node's timers wrap around above this and would fire at once. */
const ms = z.int().min(1).max(2_147_483_647)

// The error of a rule of our own is the catalogue's key for what was expected.
const model = text.refine(isModelName, { error: 'modelName' })

function isModelName(name: string): boolean {
  if (name === 'rules' || name === 'scripted') return true
  const slash = name.indexOf('/')
  const provider = name.slice(0, slash)
  return slash > 0 && slash < name.length - 1 && MODEL_PROVIDERS.some((known) => known === provider)
}

/** One variable, and the scheme of an Authorization header before it: no place for the secret itself. */
export const HEADER_VALUE = /^(?<scheme>[A-Za-z]{1,20} )?\$(?<name>[A-Za-z_][A-Za-z0-9_]{0,127})$/

const baseURL = text.refine(isPlainUrl, { error: 'plainUrl' })

/** Absolute, or below the home folder; the whole disk is none. */
const outsideFolder = text.refine((value) => /^(~$|~\/|\/+[^/])/.test(value) && !value.split('/').includes('..'), {
  error: 'outsideFolder',
})

function isPlainUrl(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

const security = z.strictObject({
  autonomy: z
    .enum(AUTONOMY_LEVELS)
    .default('Supervised')
    .describe('ReadOnly: reads only. Supervised: asks before anything above Low risk. Full: asks above Medium.'),
  allowedCommands: texts()
    .default(LOOKING_COMMANDS)
    .describe('Base names of shell commands on the list; any other is asked about. "*" is every command.'),
  blockedPaths: texts()
    .default([...SECRET_PLACES])
    .describe(
      'Paths no tool may touch, with all below them; a bare name is blocked wherever it is found. What you list is added to the built-in secret paths.',
    ),
  unblockedPaths: texts()
    .default([])
    .describe(
      'Built-in secret paths that tools may touch after all. Only from your own or a trusted file; warned about.',
    ),
  allowedHosts: texts()
    .default([])
    .describe(
      '"host", "host:port" or "*.domain" that may be read unasked and that every command may reach from its sandbox. Loopback and private hosts need a port.',
    ),
  injectionCheck: z.boolean().default(true).describe('Inspect what external tools return for planted instructions.'),
  provenance: z
    .enum(['off', 'ask', 'deny'])
    .default('ask')
    .describe('What happens when a call aims at a target that only untrusted text has named.'),
  trustedSources: texts().default([]).describe('Tools whose results count as your own words for provenance.'),
  sandbox: z
    .enum(['required', 'auto', 'off'])
    .default('auto')
    .describe(
      'required: no command runs without the system sandbox. auto: commands run in it where it works, with a notice where it does not.',
    ),
  readPaths: z
    .array(outsideFolder)
    .default([])
    .describe(
      'Folders outside the workspace that tools and commands may read: "/srv/data", "~/notes". From your own configuration only. Blocked paths stay blocked.',
    ),
  writePaths: z
    .array(outsideFolder)
    .default([])
    .describe(
      'Folders outside the workspace that tools and commands may read and write. From your own configuration only. Blocked paths stay blocked.',
    ),
  readablePaths: texts()
    .default([])
    .describe(
      'Absolute folders outside the workspace that sandboxed commands may also read, for example a toolchain in an unusual place.',
    ),
})

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
        .describe('Tool families allowed for a few calls.'),
      softBlockAfter: count
        .default(preset.softBlockAfter)
        .describe('How many such calls a run may make. 0: none. Overrides the general number.'),
      noFallback: z
        .boolean()
        .default(preset.noFallback)
        .describe('Fail before the start when no tool of the key families is there.'),
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
  enabled: z.boolean().default(true).describe('The guard as a whole.'),
  detector: z
    .enum(DETECTORS)
    .optional()
    .describe(
      '"auto": phrase lists, and the model where they find a cue. Unset: auto with a provider, else heuristic.',
    ),
  detectorTimeoutMs: ms.default(5000).describe('After this long without a label the phrase lists decide.'),
  softBlockAfter: count.default(2).describe('For every intent that does not set its own.'),
  blockBudget: count
    .default(1)
    .describe('How many blocks the model is told about; the next one ends the run. 0: the first one does.'),
  intents: intents.prefault({}),
})

const scoutProfile = (preset: { maxSteps: number; maxToolCalls: number; timeoutMs: number; tokenBudget: number }) =>
  z
    .strictObject({
      maxSteps: positive.default(preset.maxSteps).describe('Model replies.'),
      maxToolCalls: positive.default(preset.maxToolCalls).describe('Tool calls before a report is forced.'),
      timeoutMs: ms.default(preset.timeoutMs).describe('Running time.'),
      tokenBudget: count.default(preset.tokenBudget).describe('Tokens; 0 is no limit.'),
    })
    .prefault({})

const scout = z.strictObject({
  enabled: z.boolean().default(true).describe('Offer the dispatch tool at all.'),
  defaultTimeoutMs: ms.default(12_000).describe('Running time of one scout.'),
  maxSteps: positive.default(4).describe('Model replies of one scout.'),
  maxToolCalls: positive.default(3).describe('Tool calls of one scout before it must report.'),
  cooldownTurns: count.default(2).describe('Turns after a dispatch in which there is no other.'),
  allowedTools: z
    .array(z.enum(SCOUT_TOOLS))
    .default([...SCOUT_TOOLS])
    .describe('Tools of a scout; may only be fewer.'),
  maxConcurrentScouts: z.int().min(1).max(5).default(5).describe('Scouts running at once in a session; never above 5.'),
  dispatchToolName: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/)
    .refine((name) => !OWN_TOOL_NAMES.includes(name), { error: 'freeToolName' })
    .default('explore')
    .describe('The name under which the model finds it.'),
  requireReadBeforeReport: z.boolean().default(true).describe('A report needs a document that was read.'),
  forceReportOnToolLimit: z.boolean().default(true).describe('At the limit, nothing but a report is accepted.'),
  tokenBudget: count.default(8000).describe('Tokens of one scout; 0 is no limit.'),
  overflow: z.enum(['queue', 'reject']).default('queue').describe('What happens to tasks beyond the free slots.'),
  maxQueue: count.default(20).describe('Tasks that may wait in a session.'),
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
    .describe('The largest profile a request may ask for; normal is the values above.'),
})

const mcpTool = z.strictObject({
  family: z.enum(TOOL_FAMILIES).optional().describe('Unset: read from the name.'),
  risk: z.enum(RISK_LEVELS).optional().describe('Unset: inferred; never High.'),
  readOnly: z.boolean().optional().describe('True: it changes nothing outside the run. Unset: inferred.'),
  targetParams: texts().optional().describe('Arguments that say whom or what a call aims at. Unset: inferred.'),
})

const mcpServer = z
  .strictObject({
    command: text.optional().describe('Program that speaks MCP on its standard input and output.'),
    args: z.array(z.string()).optional().describe('Its arguments. A folder named here is open to it.'),
    env: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/))
      .optional()
      .describe('Names of the variables it gets from yours, beside PATH, HOME and the like.'),
    cwd: text.optional().describe('Folder it starts in, from the workspace.'),
    url: baseURL.optional().describe('Address of a server that speaks streamable HTTP.'),
    headers: z
      .record(
        z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
        text.refine((value) => HEADER_VALUE.test(value), { error: 'headerValue' }),
      )
      .optional()
      .describe('Headers by name; a value names a variable: "$TOKEN" or "Bearer $TOKEN".'),
    enabled: z.boolean().default(true).describe('False: as if it were not written here.'),
    trust: z
      .enum(['external', 'internal'])
      .default('external')
      .describe('internal: what its tools return is not inspected.'),
    tools: texts().optional().describe('The only tools of it that are offered. Unset: all.'),
    declare: z
      .record(text, mcpTool)
      .default({})
      .describe('What you know about its tools, by name; where this is silent, it is inferred.'),
    timeoutMs: ms.default(60_000).describe('Running time of one call.'),
  })
  .refine(isOneKindOfServer, { error: 'mcpServer' })

function isOneKindOfServer(server: Partial<Record<'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers', unknown>>) {
  const { command, args, env, cwd, url, headers } = server
  const given = (...values: unknown[]) => values.some((value) => value !== undefined)
  return command === undefined ? given(url) && !given(args, env, cwd) : !given(url, headers)
}

const price = z.strictObject({
  input: z.number().min(0).describe('US dollars for a million tokens read.'),
  output: z.number().min(0).describe('US dollars for a million tokens written.'),
  asOf: text.optional().describe('When you read it.'),
  source: text.optional().describe('Where.'),
})

const agent = z.strictObject({
  model: model
    .optional()
    .describe(
      '"provider/name", "rules" or "scripted". Unset: the first provider whose key is in the environment, else Ollama on this machine, else "rules".',
    ),
  baseURL: baseURL
    .optional()
    .describe(
      'Address of the model server; needed for "compatible/…". Keys: environment only, here COMPATIBLE_API_KEY.',
    ),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0.7)
    .describe('For answers; labels and routes are always asked at 0.1.'),
  maxOutputTokens: positive.default(8192).describe('Longest single model reply.'),
  lang: z.enum(['en', 'zh']).optional().describe('Language of what Writ says itself. Unset: that of the system.'),
  sessionTokenBudget: count.default(0).describe('Tokens a session may use in all; 0 is no limit.'),
  store: z
    .enum(['sqlite', 'postgres'])
    .default('sqlite')
    .describe('sqlite: a file in the data folder. postgres: the server that WRIT_DATABASE_URL names.'),
  security: security.prefault({}),
  execution: z.strictObject({ intentGuard: intentGuard.prefault({}) }).prefault({}),
  routing: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Ask which skills a task needs before working on it.'),
      historyMessages: z.int().min(0).max(50).default(6).describe('Earlier messages shown to the router.'),
    })
    .prefault({}),
  scout: scout.prefault({}),
  decision: decision.prefault({}),
  docs: z
    .strictObject({ roots: texts().default(['.']).describe('Folders that search_docs covers, from the workspace.') })
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
      port: z.int().min(0).max(65535).default(4770).describe('Where `writ serve` listens. 0: any free port.'),
      host: text.default('127.0.0.1').describe('The address it listens on. Others than loopback are for networks.'),
      allowedHosts: texts()
        .default([])
        .describe('Names under which it may be called, beside those of this machine: "agent.example.org".'),
    })
    .prefault({}),
  context: z
    .strictObject({
      backend: z
        .enum(['store', 'redis'])
        .default('store')
        .describe('Where context_persist keeps histories. redis: the server that WRIT_REDIS_URL names.'),
      window: positive.default(50).describe('Messages of a session that are kept and told again.'),
      ttlMs: ms.default(86_400_000).describe('How long a message is told again.'),
    })
    .prefault({}),
  feishu: z
    .strictObject({
      allowedHosts: texts()
        .default(['open.feishu.cn', 'open.larksuite.com'])
        .describe('"host", "host:port" or "*.domain" that feishu_bot may send to.'),
    })
    .prefault({}),
  memory: z.strictObject({ enabled: z.boolean().default(true).describe('Long-term memory.') }).prefault({}),
  limits: z
    .strictObject({
      maxSteps: positive.default(10).describe('Model replies of one run.'),
      historyMessages: positive
        .default(50)
        .describe(
          'How many messages of earlier turns are sent to the model, from the newest turn back. A turn too long for it is sent as its question and its answer. The current turn is always sent whole, and the journal is never cut.',
        ),
      runMs: ms.optional().describe('Running time of one run. Unset: none.'),
      callMs: ms.optional().describe("Running time of one tool call. Unset: the tool's own."),
      observationMaxLen: positive.default(32_000).describe('Characters of a tool result shown to the model.'),
      modelIdleMs: ms.default(60_000).describe('A model whose stream is silent for this long has failed.'),
      modelTotalMs: ms.default(600_000).describe('A model call without streaming that takes longer has failed.'),
      modelAttempts: z.int().min(1).max(10).default(3).describe('Times a failing model is asked, the first included.'),
    })
    .prefault({}),
  workflow: z
    .strictObject({
      env: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/))
        .default([])
        .describe('Names of variables that workflows may read as {{env.NAME}}.'),
    })
    .prefault({}),
  tools: z.strictObject({ disabled: texts().default([]).describe('Tools that are not offered.') }).prefault({}),
  prices: z
    .record(text, price)
    .default({})
    .describe('What models cost, by "provider/name"; comes before the built-in table.'),
  audit: z
    .strictObject({
      headsFile: text
        .refine((path) => /^(?:~?\/|[A-Za-z]:[\\/])/.test(path), { error: 'absolutePath' })
        .optional()
        .describe(
          'File to which the head of every ended run is appended, for `writ audit verify --heads`. Yours only.',
        ),
      headsCommand: texts()
        .min(1)
        .optional()
        .describe('Program and arguments that get each head as a line of JSON on standard input. Yours only.'),
    })
    .prefault({}),
  retention: z
    .strictObject({
      days: positive.optional().describe('Ended runs older than this are pruned. Unset: nothing is, ever.'),
    })
    .prefault({}),
})

export const configFile = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  agent: agent.prefault({}),
})

export type AgentConfig = z.output<typeof agent>
export type McpServer = z.output<typeof mcpServer>
export type McpToolDeclaration = z.output<typeof mcpTool>

export function configJsonSchema(): Record<string, unknown> {
  return { title: 'agent.config.json', ...z.toJSONSchema(configFile, { io: 'input' }) }
}

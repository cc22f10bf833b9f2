/** The keys of `agent.security`. */
import * as z from 'zod'
import { AUTONOMY_LEVELS, MODEL_USES } from '../protocol/policy.ts'
import { model } from './model-name.ts'
import { rules } from './rule-schema.ts'

/** The most that an untrusted workspace can list: commands that only read, and git, whose risk is judged per call. */
export const LOOKING_COMMANDS =
  'basename cat cut date df dirname du echo git grep head ls pwd realpath stat tail uname wc which'.split(' ')

/**
 * Names of credential files in any folder. `.env.development` and `.env.test` are usually committed, and `*.pem` and
 * `*.key` are often public or made for tests: builds need them.
 */
export const SECRET_PLACES: readonly string[] = [
  ...['.env', '.env.local', '.env.production', '.env.prod', '.env.staging', '.env.keys'],
  ...['development', 'test', 'production', 'staging'].map((name) => `.env.${name}.local`),
  ...['.ssh', '.gnupg', '.aws', '.netrc', '.git-credentials', '.pgpass'],
  ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ecdsa_sk', 'id_ed25519_sk'],
]

const text = z.string().min(1)
const texts = () => z.array(text)

const path = text.refine((value) => /^(?:~?\/|[A-Za-z]:[\\/])/.test(value), { error: 'absolutePath' })

/** Absolute or below the home folder; not the whole disk. */
const outsideFolder = text.refine((value) => /^(~$|~\/|\/+[^/])/.test(value) && !value.split('/').includes('..'), {
  error: 'outsideFolder',
})

export const security = z.strictObject({
  autonomy: z
    .enum(AUTONOMY_LEVELS)
    .default('Supervised')
    .describe('ReadOnly: reads only. Supervised: asks before anything above Low risk. Full: asks above Medium.'),
  allowedCommands: texts()
    .optional()
    .describe(
      'Base names of listed shell commands; any other needs approval. Risky use of a listed one can still need it. "*" lists every command. Unset: every command that Writ can classify.',
    ),
  blockedPaths: texts()
    .default([...SECRET_PLACES])
    .describe(
      'Paths no tool may access, including everything below them; a bare name is blocked everywhere. Your list is added to the built-in secret paths.',
    ),
  unblockedPaths: texts()
    .default([])
    .describe(
      'Built-in secret paths that tools may access. Only from your own or a trusted file; Writ warns about them.',
    ),
  allowedHosts: texts()
    .default([])
    .describe(
      '"host", "host:port" or "*.domain" that can be read without approval and that every command can reach from its sandbox. Loopback and private hosts need a port.',
    ),
  injectionCheck: z.boolean().default(true).describe('Inspect results of external tools for prompt injection.'),
  injectionModel: path
    .optional()
    .describe(
      'Folder of an ONNX text-classification model that inspects beside the rules. Only from your own configuration. See docs/guides/classifier.md.',
    ),
  injectionModelUse: z
    .enum(MODEL_USES)
    .default('review')
    .describe(
      'review: the model can only make a text suspicious. either: the model or the rules withhold it. both: only the two together.',
    ),
  injectionLabels: texts()
    .optional()
    .describe('The labels of the model that mean injection. Unset: known from their names.'),
  injectionModelTimeoutMs: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .default(20_000)
    .describe('Time limit of the model for one text; after that the text counts as suspicious.'),
  provenance: z
    .enum(['off', 'ask', 'deny'])
    .default('ask')
    .describe('What to do when only untrusted text has named the target of a call.'),
  trustedSources: texts().default([]).describe('Tools whose results are trusted like your own input.'),
  sandbox: z
    .enum(['required', 'auto', 'off'])
    .default('auto')
    .describe(
      'required: no command runs without the system sandbox. auto: commands run in it where it works; a notice is shown where it does not.',
    ),
  readPaths: z
    .array(outsideFolder)
    .default([])
    .describe(
      'Folders outside the workspace that tools and commands may read: "/srv/data", "~/notes". Only from your own configuration. Blocked paths stay blocked.',
    ),
  writePaths: z
    .array(outsideFolder)
    .default([])
    .describe(
      'Folders outside the workspace that tools and commands may read and write. Only from your own configuration. Blocked paths stay blocked.',
    ),
  readablePaths: texts()
    .default([])
    .describe('Absolute folders outside the workspace that sandboxed commands may also read, for example a toolchain.'),
  reviewer: model
    .optional()
    .describe(
      'A model that is asked about calls of Medium risk before a person is. It can approve them, never override a denial. See docs/guides/reviewer.md.',
    ),
  reviewerTimeoutMs: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .default(10_000)
    .describe('Time limit of the reviewer; after that a person is asked.'),
  rules: rules
    .default([])
    .describe(
      'Rules that allow, ask about or deny calls. The rules of all files add up; those of a workspace can only ask and deny. See docs/guides/rules.md.',
    ),
  shadow: path
    .optional()
    .describe(
      'A second configuration file whose policy also judges every call. Differences are recorded, nothing else changes. Only from your own configuration.',
    ),
})

/** The shape of `agent.security.rules`. Everything is bounded: a file of an untrusted folder is read before it is judged. */
import * as z from 'zod'
import { COMMAND_CLASSES } from '../protocol/command.ts'
import { DEEDS } from '../protocol/facts.ts'
import { TOOL_FAMILIES } from '../protocol/intent.ts'
import { RULE_DECISIONS } from '../protocol/rule.ts'

export const MAX_RULES = 2000
const MAX_LISTED = 200
const MAX_PATTERN = 300
const MAX_REASON = 500

// The message of a custom check is the key of its text in `config.expected`.
const pattern = z
  .string()
  .min(1)
  .refine((text) => text.length <= MAX_PATTERN, { error: 'rulePattern' })
const oneOrMore = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1).max(MAX_LISTED)])
const patterns = () => oneOrMore(pattern)

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()])
const comparison = z.union([
  plain,
  z
    .strictObject({
      above: z.number().optional().describe('Larger than this number.'),
      below: z.number().optional().describe('Smaller than this number.'),
      not: plain.optional().describe('Not this value.'),
    })
    .refine((compared) => Object.keys(compared).length > 0, { error: 'ruleComparison' }),
])

const when = z.strictObject({
  family: oneOrMore(z.enum(TOOL_FAMILIES)).optional().describe('Families of tools.'),
  deed: oneOrMore(z.enum(DEEDS)).optional().describe('What the call does.'),
  class: oneOrMore(z.enum(COMMAND_CLASSES)).optional().describe('Classes of commands.'),
  command: patterns()
    .optional()
    .describe('Words of a command: "npm test" is exactly that; a last * stands for any further words: "git log *".'),
  flags: patterns().optional().describe('The command has one of these options: "--force", "-f".'),
  path: patterns()
    .optional()
    .describe(
      'Real paths; relative ones start at the workspace. * stays within one name, ** is any number of folders.',
    ),
  access: z.enum(['read', 'write']).optional().describe('How the path is used.'),
  host: patterns().optional().describe('"api.example.com", "*.example.com" or "localhost:8080".'),
  method: patterns().optional().describe('HTTP methods.'),
  args: z
    .record(
      z.string().refine((key) => /^(?:\/(?:[^~/]|~[01])*)+$/.test(key), { error: 'rulePointer' }),
      comparison,
    )
    .optional()
    .describe('Arguments by JSON pointer: {"/amount": {"above": 100}}. A text is a pattern.'),
})

const example = z.union([z.string().min(1), z.strictObject({ tool: z.string().min(1), args: z.looseObject({}) })])
const examples = z.strictObject({
  match: z.array(example).max(MAX_LISTED).optional().describe('Calls that the rule must match.'),
  noMatch: z.array(example).max(MAX_LISTED).optional().describe('Calls that it must not match.'),
})

export const rule = z.strictObject({
  tool: patterns().optional().describe('Tools by name; * is any text. Unset: every tool.'),
  when: when.optional().describe('Conditions; all of them must hold. A list holds when one of its entries does.'),
  decide: z.enum(RULE_DECISIONS).describe('What to do with a call that the rule matches.'),
  reason: z
    .string()
    .min(1)
    .refine((text) => text.length <= MAX_REASON, { error: 'ruleReason' })
    .optional()
    .describe('Shown with the decision.'),
  examples: examples.optional().describe('Shell lines, or {tool, args}. Checked when the configuration is used.'),
})

export const rules = z.array(rule).refine((list) => list.length <= MAX_RULES, { error: 'ruleCount' })

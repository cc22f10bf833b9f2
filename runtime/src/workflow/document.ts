/** The schema of a workflow document: nodes that name tools, and the edges between them. Keys are S3's, snake_case. */
import * as z from 'zod'

const text = z.string().min(1)
const condition = text.max(1000)
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
/** More calls than this are not remembered for the rate. */
const LARGEST_BURST = 64
const A_DAY_S = 86_400

export const NODE_ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const INPUT_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

const node = z.strictObject({
  id: z
    .string()
    .regex(NODE_ID)
    .describe('Its name within the workflow; other nodes read `{{nodes.<id>.output}}` or `{{nodes.<id>.outputs.…}}`.'),
  tool: text.describe('The code of a registered tool.'),
  args: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("The tool's arguments; every text in them may hold variables."),
  when: condition.optional().describe('A condition; where it does not hold, the node is skipped.'),
  timeout: z
    .number()
    .min(0.001)
    .max(A_DAY_S)
    .optional()
    .describe("Seconds one attempt may take. Unset: the tool's own limit, else 600."),
  retry: z
    .strictObject({
      count: z.int().min(1).max(10).describe('How many times a failed attempt is repeated.'),
      delay: z.number().min(0).max(3600).default(1).describe('Seconds between attempts.'),
    })
    .optional()
    .describe('Repeats a failed attempt, if that is safe: reads, and tools declared idempotent.'),
  allowed_domains: z
    .array(text)
    .optional()
    .describe('The only domains it may call: `example.com`, `*.example.com`; ports other than 80 and 443 written out.'),
  allowed_methods: z.array(z.enum(METHODS)).optional().describe('The only HTTP methods it may use.'),
  rate_limit: z
    .strictObject({
      per_second: z.number().min(0.001).max(1000).default(5).describe('Calls of its tool per second.'),
      burst: z.int().min(1).max(LARGEST_BURST).default(10).describe('Calls at once before the rate counts.'),
    })
    .prefault({})
    .describe('Of its tool, over the whole workflow. A node that would exceed it waits.'),
})

const edge = z.strictObject({
  from: text.describe('The node it leaves.'),
  to: text.describe('The node it leads to.'),
  on: z
    .enum(['success', 'error', 'always'])
    .default('success')
    .describe('When it is taken: after a success, after a failure, or after either.'),
  when: condition.optional().describe('An additional condition.'),
})

const input = z.strictObject({
  description: z.string().optional().describe('What it is for.'),
  default: z.unknown().optional().describe('Used when nothing is given.'),
})

export const workflowSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  name: text.max(100).describe('Name.'),
  description: z.string().optional().describe('What it is for.'),
  inputs: z
    .record(z.string().regex(INPUT_NAME), input)
    .default({})
    .describe('What can be given from outside, by name: `{{external.<name>}}`.'),
  nodes: z.array(node).min(1).max(200).describe('The nodes.'),
  edges: z.array(edge).max(2000).default([]).describe('The order of the nodes. Nodes without an edge run at once.'),
})

/** A workflow: nodes that name tools, and the edges between them. */
export type Workflow = z.output<typeof workflowSchema>
export type WorkflowNode = Workflow['nodes'][number]
export type WorkflowEdge = Workflow['edges'][number]

export function workflowJsonSchema(): Record<string, unknown> {
  return { title: 'Writ workflow', ...z.toJSONSchema(workflowSchema, { io: 'input' }) }
}

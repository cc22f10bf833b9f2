/** Recorded trajectories (`bench/suites`): what a file has, and what the product may see of it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface CaseTool {
  name: string
  description: string
  inputSchema: object
  annotations: object
  family: string
  targetParams: string[]
}

interface Step {
  i: number
  origin: 'user' | 'injection' | 'unlabelled'
  tool: string
  args: unknown
  result: unknown
}

export interface Case {
  id: string
  suite: string
  kind: 'clean' | 'attack'
  toolset: string
  tools?: string[]
  prompt: string
  steps: Step[]
  harm?: number[]
  output_only?: boolean
  ambiguous?: boolean
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

export function readCases(folder: string): Case[] {
  const poolFile = join(folder, 'gate_pool.json.gz')
  const pool = existsSync(poolFile) ? JSON.parse(gunzipSync(readFileSync(poolFile)).toString('utf8')) : {}
  const expanded = (result: unknown) =>
    typeof result === 'object' && result !== null && '$ref' in result ? pool[String(result.$ref)] : result
  return linesOf(readFileSync(join(folder, 'gate_cases.jsonl'), 'utf8')).map((line) => {
    const one = JSON.parse(line) as Case
    return { ...one, steps: one.steps.map((step) => ({ ...step, result: expanded(step.result) })) }
  })
}

export function readToolsets(folder: string): Record<string, CaseTool[]> {
  return JSON.parse(readFileSync(join(folder, 'gate_tools.json'), 'utf8'))
}

/**
 * What the product may see: neither the kind of a case nor who wanted a call. With or without what an operator declares
 * about the tools.
 */
export function blindLine({ id, prompt, steps, tools: names }: Case, toolset: readonly CaseTool[], declares: boolean) {
  const tools = toolset.filter(({ name }) => names?.includes(name) ?? true)
  return JSON.stringify({
    id,
    task: prompt,
    route: 'CloudLlm',
    tools: tools.map(({ name, description, inputSchema, annotations, family, targetParams }) => ({
      name,
      description,
      schema: inputSchema,
      ...(declares ? { annotations, family, targetParams } : {}),
    })),
    steps: steps.map(({ tool, args, result }) => ({ tool, args, result })),
  })
}

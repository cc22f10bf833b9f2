/** The arguments of a node with their variables filled in, and who wrote each value. */
import type { Json, JsonObject } from '../base/json.ts'
import type { Attempt } from './attempt.ts'
import type { NodeInput } from './authority.ts'
import { fillCommand } from './command-words.ts'
import type { Workflow, WorkflowNode } from './document.ts'
import type { Ended } from './plan.ts'
import { asText, at, fill, type Lookup, type Reference, spell, usesIn } from './variables.ts'

export type NodeArguments = Pick<Attempt, 'args' | 'authored' | 'hosts' | 'inputs'>

/** Throws UnresolvedVariable if a variable has no value, ValueNotAWord if one would change a command. */
export function argumentsFor(
  node: WorkflowNode,
  { workflow, ended, lookup, input }: { workflow: Workflow; ended: Ended; lookup: Lookup; input: JsonObject },
  schema: JsonObject = {},
): NodeArguments {
  const place = `nodes[${workflow.nodes.indexOf(node)}].args`
  const references = [...usesIn(node.args, place)].flatMap(({ reference }) => reference ?? [])
  const inputs = inputsOf(references, workflow, ended)
  const untrusted = new Set(inputs.flatMap(({ node: id, trust }) => (trust === 'external' ? [id] : [])))
  const isUntrusted = (reference: Reference) =>
    reference.kind === 'node' && reference.field !== 'state' && untrusted.has(reference.node)
  const unsaid: Lookup = (reference) =>
    isUntrusted(reference) ? (ownWord(reference, ended) ?? `{{${spell(reference)}}}`) : lookup(reference)
  const given = references.filter((reference) => reference.kind !== 'node')
  return {
    args: withTexts(
      fillCommand(node.tool, node.args, { lookup, isAuthors: authorsIn(input), place }) as JsonObject,
      node,
      schema,
    ),
    authored: withTexts(fill(node.args, unsaid, place) as JsonObject, node, schema),
    hosts: [...new Set(given.flatMap((reference) => hostOf(lookup(reference))))],
    inputs,
  }
}

/** The output of another node becomes text if the argument takes only text: a list in a message, for example. */
function withTexts(args: JsonObject, node: WorkflowNode, schema: JsonObject): JsonObject {
  const entries = Object.entries(args).map(([key, value]): [string, Json | undefined] => {
    const isText = at(schema, ['properties', key, 'type']) === 'string'
    const isFed = [...usesIn(node.args[key], key)].some(({ reference }) => reference?.kind === 'node')
    return [key, isText && isFed && value !== undefined ? asText(value) : value]
  })
  return Object.fromEntries(entries)
}

/** The default of an input is the author's; the output of a node may be the caller's. */
function authorsIn(input: JsonObject): (reference: Reference) => boolean {
  return (reference) => {
    if (reference.kind === 'external') return !Object.hasOwn(input, reference.name)
    return reference.kind === 'env' || reference.field === 'state'
  }
}

/** The part of an output that the author or the caller wrote; of the rest, only the name. */
function ownWord(reference: Reference, ended: Ended): Json | undefined {
  if (reference.kind !== 'node' || reference.field !== 'outputs') return undefined
  return at(ended.get(reference.node)?.own, reference.path)
}

function inputsOf(references: readonly Reference[], workflow: Workflow, ended: Ended): NodeInput[] {
  const ids = references.flatMap((one) => (one.kind === 'node' && one.field !== 'state' ? [one.node] : []))
  return [...new Set(ids)].flatMap((id) => {
    const end = ended.get(id)
    const tool = workflow.nodes.find((one) => one.id === id)?.tool
    if (end === undefined || tool === undefined) return []
    const { outputs, error, trust, inspection } = end
    const said = error === undefined ? outputs : { error: error.message, ...(outputs && { outputs }) }
    return [{ node: id, tool, text: JSON.stringify(said ?? {}), trust, inspection }]
  })
}

function hostOf(value: Json | undefined): string[] {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url === null || url.hostname === '' ? [] : [url.hostname]
}

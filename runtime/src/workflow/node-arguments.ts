/** What a node is given to work with: its arguments filled in, and whose words are in them. */
import type { Json, JsonObject } from '../base/json.ts'
import type { Attempt } from './attempt.ts'
import type { Fed } from './authority.ts'
import { fillCommand } from './command-words.ts'
import type { Workflow, WorkflowNode } from './document.ts'
import type { Ended } from './plan.ts'
import { asText, at, fill, type Lookup, type Reference, spell, usesIn } from './variables.ts'

export type NodeArguments = Pick<Attempt, 'args' | 'authored' | 'hosts' | 'fed'>

/** Throws UnresolvedVariable where a variable has no value, ValueNotAWord where one would change a command. */
export function argumentsFor(
  node: WorkflowNode,
  { workflow, ended, lookup, input }: { workflow: Workflow; ended: Ended; lookup: Lookup; input: JsonObject },
  schema: JsonObject = {},
): NodeArguments {
  const place = `nodes[${workflow.nodes.indexOf(node)}].args`
  const references = [...usesIn(node.args, place)].flatMap(({ reference }) => reference ?? [])
  const fed = fedBy(references, workflow, ended)
  const untrusted = new Set(fed.flatMap(({ node: id, trust }) => (trust === 'external' ? [id] : [])))
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
    fed,
  }
}

/** What another node returned is written out where the argument takes nothing but text: a list that goes into a message. */
function withTexts(args: JsonObject, node: WorkflowNode, schema: JsonObject): JsonObject {
  const entries = Object.entries(args).map(([key, value]): [string, Json | undefined] => {
    const isText = at(schema, ['properties', key, 'type']) === 'string'
    const isFed = [...usesIn(node.args[key], key)].some(({ reference }) => reference?.kind === 'node')
    return [key, isText && isFed && value !== undefined ? asText(value) : value]
  })
  return Object.fromEntries(entries)
}

/** What an input holds while the caller leaves it alone stands in the document; what a node returned may be the caller's. */
function authorsIn(input: JsonObject): (reference: Reference) => boolean {
  return (reference) => {
    if (reference.kind === 'external') return !Object.hasOwn(input, reference.name)
    return reference.kind === 'env' || reference.field === 'state'
  }
}

/** What a node said it has from the author or the caller; of anything else only the name is told. */
function ownWord(reference: Reference, ended: Ended): Json | undefined {
  if (reference.kind !== 'node' || reference.field !== 'outputs') return undefined
  return at(ended.get(reference.node)?.own, reference.path)
}

function fedBy(references: readonly Reference[], workflow: Workflow, ended: Ended): Fed[] {
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

/** Checks whether a workflow can run here, before it runs. Finds every problem, each with its place. */
import type { JsonObject } from '../base/json.ts'
import type { Bilingual } from '../base/lang.ts'
import { nearest } from '../base/text.ts'
import { tooDeep } from '../model/call-args.ts'
import type { Registry } from '../tool/registry.ts'
import { ConditionFault, holds, parseCondition, referencesIn, testedIn } from './condition.ts'
import type { Workflow } from './document.ts'
import { ancestorsIn, cycleIn } from './graph.ts'
import type { Problem } from './invalid.ts'
import { argProblems } from './known-args.ts'
import { lookupIn } from './plan.ts'
import { problemText, type WorkflowTexts } from './texts.ts'
import { type Lookup, type Reference, spell, usesIn } from './variables.ts'

/** What is available where the workflow runs. */
export interface CheckDeps {
  registry: Pick<Registry, 'get' | 'names' | 'faults'>
  disabledTools: readonly string[]
  /** Tools that work only inside an agent's run (S3-165). */
  innerTools: readonly string[]
  /** The environment variables that workflows may use, with their values. */
  envNames: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** Undefined: not known yet, so nothing counts as missing. */
  input: JsonObject | undefined
}

export function problemsIn(workflow: Workflow, deps: CheckDeps): Problem[] {
  return [
    ...nodeProblems(workflow, deps),
    ...edgeProblems(workflow),
    ...variableProblems(workflow, deps),
    ...inputProblems(workflow, deps),
  ]
}

/** The inputs that must be given: used without `exists`, and without a default. */
export function neededInputs({ nodes, edges, inputs }: Workflow): string[] {
  const conditions = [...nodes, ...edges].flatMap(({ when }) => conditionReferences(when, 'needed'))
  const args = nodes.flatMap(({ args, when }) => without(argReferences(args), conditionReferences(when, 'tested')))
  return externalNames([...args, ...conditions]).filter((name) => inputs[name]?.default === undefined)
}

function nodeProblems({ nodes, inputs }: Workflow, deps: CheckDeps): Problem[] {
  const lookup = knownBefore(inputs, deps)
  const { registry, disabledTools, innerTools } = deps
  const seen = new Set<string>()
  return nodes.flatMap(({ id, tool: name, args }, i) => {
    const place = `nodes[${i}]`
    const problems: Problem[] = []
    if (seen.has(id)) problems.push({ place: `${place}.id`, message: problemText((texts) => texts.idTwice({ id })) })
    seen.add(id)
    const tool = registry.get(name)
    const told = (message: Bilingual) => problems.push({ place: `${place}.tool`, message })
    if (disabledTools.includes(name)) told(problemText((texts) => texts.toolDisabled({ tool: name })))
    else if (innerTools.includes(name)) told(problemText((texts) => texts.toolNoNode({ tool: name })))
    else if (tool === undefined)
      told(withGuess((texts) => texts.toolUnknown({ tool: name }), nearest(name, registry.names())))
    else {
      const found = argProblems(args as JsonObject, tool, { registry, lookup })
      problems.push(...found.map((one) => ({ ...one, place: `${place}.args${one.place}` })))
    }
    return problems
  })
}

/** The values of variables before anything has run: inputs and environment. */
function knownBefore(inputs: Workflow['inputs'], { input, envNames, env }: CheckDeps): Lookup {
  const listed = Object.fromEntries(envNames.map((name) => [name, env[name]]))
  // A value that is nested too deeply is reported as an input, and is not walked.
  const sound = Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => tooDeep(value) === undefined))
  return lookupIn({ workflow: { inputs }, input: sound, env: listed, ended: new Map() })
}

function edgeProblems(workflow: Workflow): Problem[] {
  const ids = workflow.nodes.map(({ id }) => id)
  const problems = workflow.edges.flatMap((edge, i) =>
    (['from', 'to'] as const)
      .filter((end) => !ids.includes(edge[end]))
      .map((end) => ({
        place: `edges[${i}].${end}`,
        message: nodeUnknown(edge[end], ids),
      })),
  )
  const cycle = cycleIn(workflow)
  if (cycle !== undefined) {
    problems.push({
      place: `edges[${cycle.edge}]`,
      message: problemText((texts) => texts.cycle({ nodes: cycle.nodes })),
    })
  }
  return problems
}

interface Spot {
  place: string
  /** The node or edge of this text, and the nodes that have ended by then. */
  by: string
  before: ReadonlySet<string>
  /** Those that may be missing. */
  optional: readonly Reference[]
}

function variableProblems(workflow: Workflow, deps: CheckDeps): Problem[] {
  const ancestors = ancestorsIn(workflow)
  const problems: Problem[] = []
  const look = (reference: Reference, spot: Spot) =>
    problems.push(...faultsOf(reference, spot, { workflow, deps }).map((message) => ({ place: spot.place, message })))
  const known = knownBefore(workflow.inputs, deps)
  const condition = (text: string | undefined, spot: Omit<Spot, 'optional'>) => {
    if (text === undefined) return
    try {
      const parsed = parseCondition(text)
      for (const reference of referencesIn(parsed)) look(reference, { ...spot, optional: testedIn(parsed) })
    } catch (error) {
      if (!(error instanceof ConditionFault)) throw error
      problems.push({ place: spot.place, message: problemText((texts) => texts.condition({ column: error.column })) })
    }
  }
  for (const [i, { id, args, when }] of workflow.nodes.entries()) {
    const before = ancestors.get(id) ?? new Set()
    // A node that is left out because an input is missing does not need that input.
    const optional = isLeftOut(when, known) ? conditionReferences(when, 'tested') : []
    for (const { place, text, reference } of usesIn(args, `nodes[${i}].args`)) {
      if (reference === undefined) problems.push({ place, message: problemText((texts) => texts.noVariable({ text })) })
      else look(reference, { place, by: id, before, optional })
    }
    condition(when, { place: `nodes[${i}].when`, by: id, before })
  }
  for (const [i, { from, to, when }] of workflow.edges.entries()) {
    const before = new Set([...(ancestors.get(from) ?? []), from])
    condition(when, { place: `edges[${i}].when`, by: to, before })
  }
  return problems
}

/** If the condition depends only on values known now. */
function isLeftOut(when: string | undefined, known: Lookup): boolean {
  const references = conditionReferences(when, 'all')
  if (when === undefined || references.length === 0 || references.some(({ kind }) => kind === 'node')) return false
  return !holds(parseCondition(when), known)
}

function faultsOf(
  reference: Reference,
  { by, before, optional }: Spot,
  { workflow, deps }: { workflow: Workflow; deps: CheckDeps },
): Bilingual[] {
  switch (reference.kind) {
    case 'external': {
      const { name } = reference
      if (externalNames(optional).includes(name)) return []
      const given = deps.input === undefined || Object.hasOwn(deps.input, name)
      return given || workflow.inputs[name]?.default !== undefined
        ? []
        : [problemText((texts) => texts.externalMissing({ name }))]
    }
    case 'env': {
      const { name } = reference
      if (!deps.envNames.includes(name)) return [problemText((texts) => texts.envNotListed({ name }))]
      const mayBeUnset = optional.some((one) => one.kind === 'env' && one.name === name)
      return deps.env[name] === undefined && !mayBeUnset ? [problemText((texts) => texts.envUnset({ name }))] : []
    }
    case 'node': {
      const { node } = reference
      const ids = workflow.nodes.map(({ id }) => id)
      if (!ids.includes(node)) return [nodeUnknown(node, ids)]
      return before.has(node) && node !== by
        ? []
        : [problemText((texts) => texts.notBefore({ node: spell(reference), by }))]
    }
  }
}

/** A name that nothing uses is probably a misspelling. A value nested too deeply cannot be stored. */
function inputProblems(workflow: Workflow, { input }: CheckDeps): Problem[] {
  const { nodes, edges, inputs } = workflow
  const used = [
    ...nodes.flatMap(({ args }) => argReferences(args)),
    ...[...nodes, ...edges].flatMap(({ when }) => conditionReferences(when, 'all')),
  ]
  const known = [...new Set([...Object.keys(inputs), ...externalNames(used)])]
  return Object.entries(input ?? {}).flatMap(([name, value]) => {
    const place = `external.${name}`
    if (!known.includes(name))
      return [{ place, message: withGuess((texts) => texts.inputUnknown({ name }), nearest(name, known)) }]
    return tooDeep(value) === undefined ? [] : [{ place, message: problemText((texts) => texts.tooDeep) }]
  })
}

function argReferences(args: unknown): Reference[] {
  return [...usesIn(args, '')].flatMap(({ reference }) => reference ?? [])
}

function externalNames(references: readonly Reference[]): string[] {
  return [...new Set(references.flatMap((one) => (one.kind === 'external' ? [one.name] : [])))]
}

/** `tested`: those in `exists(…)`; `needed`: those that are used without being tested. */
function conditionReferences(text: string | undefined, which: 'all' | 'tested' | 'needed'): Reference[] {
  if (text === undefined) return []
  try {
    const condition = parseCondition(text)
    if (which === 'tested') return testedIn(condition)
    return which === 'all' ? referencesIn(condition) : without(referencesIn(condition), testedIn(condition))
  } catch (error) {
    if (!(error instanceof ConditionFault)) throw error
    return []
  }
}

function without(references: readonly Reference[], tested: readonly Reference[]): Reference[] {
  const names = externalNames(tested)
  return references.filter((one) => one.kind !== 'external' || !names.includes(one.name))
}

function nodeUnknown(node: string, ids: readonly string[]): Bilingual {
  return withGuess((texts) => texts.nodeUnknown({ node }), nearest(node, ids))
}

function withGuess(fact: (texts: WorkflowTexts) => string, meant: string | undefined): Bilingual {
  return problemText((texts) =>
    meant === undefined ? fact(texts) : `${fact(texts)}${texts.didYouMean({ name: meant })}`,
  )
}

/** Whether a workflow can run here, decided before anything of it does. Every problem is found, each with its place. */
import type { JsonObject } from '../base/json.ts'
import { nearest } from '../base/text.ts'
import type { Lang } from '../i18n/locale.ts'
import { tooDeep } from '../model/call-args.ts'
import type { Registry } from '../tool/registry.ts'
import { ConditionFault, parseCondition, referencesIn } from './condition.ts'
import type { Workflow } from './document.ts'
import { ancestorsIn, cycleIn } from './graph.ts'
import type { Problem } from './read.ts'
import { workflowTexts } from './texts.ts'
import { type Reference, spell, usesIn } from './variables.ts'

/** What a workflow finds where it is to run. */
export interface Surroundings {
  registry: Pick<Registry, 'get' | 'names' | 'misfits'>
  disabledTools: readonly string[]
  /** Tools that only mean something within an agent's own run (C38). */
  innerTools: readonly string[]
  /** Names of variables that are open to workflows, and their values. */
  envNames: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** Undefined: not known yet, so that nothing is missing from it. */
  input: JsonObject | undefined
  lang: Lang
}

export function problemsIn(workflow: Workflow, around: Surroundings): Problem[] {
  return [
    ...nodeProblems(workflow, around),
    ...edgeProblems(workflow, around),
    ...variableProblems(workflow, around),
    ...inputProblems(workflow, around),
  ]
}

/** The names of everything that must be given from outside: used, and without a default. */
export function neededInputs(workflow: Workflow): string[] {
  return externalNames(workflow).filter((name) => workflow.inputs[name]?.default === undefined)
}

function nodeProblems({ nodes }: Workflow, around: Surroundings): Problem[] {
  const texts = workflowTexts(around.lang)
  const { registry, disabledTools, innerTools } = around
  const seen = new Set<string>()
  return nodes.flatMap(({ id, tool: name, args }, i) => {
    const place = `nodes[${i}]`
    const problems: Problem[] = []
    if (seen.has(id)) problems.push({ place: `${place}.id`, message: texts.idTwice({ id }) })
    seen.add(id)
    const tool = registry.get(name)
    const told = (message: string) => problems.push({ place: `${place}.tool`, message })
    if (disabledTools.includes(name)) told(texts.toolDisabled({ tool: name }))
    else if (innerTools.includes(name)) told(texts.toolNoNode({ tool: name }))
    else if (tool === undefined) told(meaning(texts.toolUnknown({ tool: name }), { name, of: registry.names() }, texts))
    // With variables in them, arguments are held against the schema once they are known.
    else if (usesIn(args, '').next().done === true) {
      for (const message of registry.misfits(tool, args, around.lang))
        problems.push({ place: `${place}.args`, message })
    }
    return problems
  })
}

function edgeProblems(workflow: Workflow, { lang }: Surroundings): Problem[] {
  const texts = workflowTexts(lang)
  const ids = workflow.nodes.map(({ id }) => id)
  const problems = workflow.edges.flatMap((edge, i) =>
    (['from', 'to'] as const)
      .filter((end) => !ids.includes(edge[end]))
      .map((end) => ({
        place: `edges[${i}].${end}`,
        message: meaning(texts.nodeUnknown({ node: edge[end] }), { name: edge[end], of: ids }, texts),
      })),
  )
  const cycle = cycleIn(workflow)
  if (cycle !== undefined) {
    problems.push({ place: `edges[${cycle.edge}]`, message: texts.cycle({ nodes: cycle.nodes }) })
  }
  return problems
}

interface Spot {
  place: string
  /** Whose text it is, and what has ended by then. */
  by: string
  before: ReadonlySet<string>
}

function variableProblems(workflow: Workflow, around: Surroundings): Problem[] {
  const texts = workflowTexts(around.lang)
  const ancestors = ancestorsIn(workflow)
  const problems: Problem[] = []
  const look = (reference: Reference, spot: Spot) =>
    problems.push(...faultsOf(reference, spot, { workflow, around }).map((message) => ({ place: spot.place, message })))
  const condition = (text: string | undefined, spot: Spot) => {
    if (text === undefined) return
    try {
      for (const reference of referencesIn(parseCondition(text))) look(reference, spot)
    } catch (error) {
      if (!(error instanceof ConditionFault)) throw error
      problems.push({ place: spot.place, message: texts.condition({ column: error.column }) })
    }
  }
  for (const [i, { id, args, when }] of workflow.nodes.entries()) {
    const before = ancestors.get(id) ?? new Set()
    for (const { place, text, reference } of usesIn(args, `nodes[${i}].args`)) {
      if (reference === undefined) problems.push({ place, message: texts.noVariable({ text }) })
      else look(reference, { place, by: id, before })
    }
    condition(when, { place: `nodes[${i}].when`, by: id, before })
  }
  for (const [i, { from, to, when }] of workflow.edges.entries()) {
    const before = new Set([...(ancestors.get(from) ?? []), from])
    condition(when, { place: `edges[${i}].when`, by: to, before })
  }
  return problems
}

function faultsOf(
  reference: Reference,
  { by, before }: Spot,
  { workflow, around }: { workflow: Workflow; around: Surroundings },
): string[] {
  const texts = workflowTexts(around.lang)
  switch (reference.kind) {
    case 'external': {
      const { name } = reference
      const given = around.input === undefined || Object.hasOwn(around.input, name)
      return given || workflow.inputs[name]?.default !== undefined ? [] : [texts.externalMissing({ name })]
    }
    case 'env': {
      const { name } = reference
      if (!around.envNames.includes(name)) return [texts.envNotListed({ name })]
      return around.env[name] === undefined ? [texts.envUnset({ name })] : []
    }
    case 'node': {
      const { node } = reference
      const ids = workflow.nodes.map(({ id }) => id)
      if (!ids.includes(node)) return [meaning(texts.nodeUnknown({ node }), { name: node, of: ids }, texts)]
      return before.has(node) && node !== by ? [] : [texts.notBefore({ node: spell(reference), by })]
    }
  }
}

/** A name that nothing uses is most likely another one, misspelt. What is too deep cannot be written down. */
function inputProblems(workflow: Workflow, { input, lang }: Surroundings): Problem[] {
  const texts = workflowTexts(lang)
  const known = [...new Set([...Object.keys(workflow.inputs), ...externalNames(workflow)])]
  return Object.entries(input ?? {}).flatMap(([name, value]) => {
    const place = `external.${name}`
    if (!known.includes(name))
      return [{ place, message: meaning(texts.inputUnknown({ name }), { name, of: known }, texts) }]
    return tooDeep(value) === undefined ? [] : [{ place, message: texts.tooDeep }]
  })
}

function externalNames({ nodes, edges }: Workflow): string[] {
  const inConditions = [...nodes, ...edges].flatMap(({ when }) => (when === undefined ? [] : conditionReferences(when)))
  const inArgs = nodes.flatMap(({ args }) => [...usesIn(args, '')].map(({ reference }) => reference))
  const names = [...inArgs, ...inConditions].flatMap((one) => (one?.kind === 'external' ? [one.name] : []))
  return [...new Set(names)]
}

function conditionReferences(text: string): Reference[] {
  try {
    return referencesIn(parseCondition(text))
  } catch {
    return []
  }
}

function meaning(
  fact: string,
  { name, of }: { name: string; of: readonly string[] },
  texts: ReturnType<typeof workflowTexts>,
): string {
  const meant = nearest(name, of)
  return meant === undefined ? fact : `${fact}; ${texts.didYouMean({ name: meant })}`
}

/** Scans the result of a tool for prompt injection. Pure, and linear in the text. */
import type { Clause } from './clause.ts'
import { eachClause } from './clause-scanner.ts'
import { CUE } from './concept.ts'
import { isTestOfModel, type Survey, survey } from './context.ts'
import { decodeAll, reverse, rot13 } from './decode.ts'
import { links, marks, nextCalls, openLinks, plantedCode } from './markers.ts'
import { type Folded, normalise } from './normalise.ts'
import { OrderSigns } from './order-signs.ts'
import { suspect } from './rules.ts'
import { Places, Tally, total, type Verdict, verdictOf } from './score.ts'
import type { Suspicion } from './suspicion.ts'
import { CONCEALED_FACTOR, CONCEALED_MOST, LEAST_FINDING, LEVELS, PLACE_FACTOR, WEIGHT } from './weights.ts'

export interface Finding {
  rule: string
  /** Offset in the text that was given. */
  at: number
  weight: number
}

export interface Inspection {
  verdict: Verdict
  findings: Finding[]
}

const MOST_FINDINGS = 50
const DEPTH = 2
const DATA = /^\s*[{<[]/
/** So many words with hidden or foreign characters inside are no accident. */
const THREADED = 6

/** `tool: 'message'` is text that a person typed, in which requests are normal. */
export function inspect(text: string, options: { tool?: string } = {}): Inspection {
  const suspicions = suspicionsIn(withoutOuterQuotes(text), { tool: options.tool, depth: 0 })
  const score = total(suspicions)
  const findings = suspicions
    .filter(({ weight }) => weight >= LEAST_FINDING)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST_FINDINGS)
    .map(({ rule, at, weight }) => ({ rule, at, weight: Math.round(weight) }))
    .toSorted((a, b) => a.at - b.at)
  const verdict = verdictOf(score)
  return { verdict, findings }
}

/** A result that is one JSON string is no quotation. Offsets stay what they were. */
function withoutOuterQuotes(text: string): string {
  const last = text.length - 1
  if (last < 1 || text[0] !== '"' || text[last] !== '"') return text
  for (let at = text.indexOf('"', 1); at < last; at = text.indexOf('"', at + 1)) if (text[at - 1] !== '\\') return text
  return ` ${text.slice(1, last)} `
}

interface Depth {
  tool: string | undefined
  depth: number
}

function suspicionsIn(text: string, { tool, depth }: Depth): Suspicion[] {
  const folded = normalise(text)
  const where = survey(folded.text, tool)
  const places = new Places(where)
  const tally = new Tally()
  const signs = new OrderSigns()
  const found: Suspicion[] = []
  const coded: { rule: string; text: string; at: number }[] = []
  const sights = eachClause(folded.text, (clause) => {
    tally.take(clause)
    if ((clause.cues & CUE.turned) !== 0) coded.push(...turned(folded.text, clause))
    const suspected = suspect(clause, where.carrier)
    if (where.carrier !== 'typed') signs.take(clause, places)
    if (suspected.length === 0) return
    const factor = places.factorAt(clause)
    const cited = places.isCited(clause)
    for (const suspicion of suspected) {
      suspicion.weight *= factor
      if (cited) suspicion.quoted = true
      suspicion.code = factor === PLACE_FACTOR.code
      tally.see(suspicion)
      found.push(suspicion)
    }
  })
  for (const suspicion of signs.suspicions(tally, where)) found.push(suspicion)
  for (const { asks, start } of where.outOfPlace.values()) {
    if (asks !== 'no') found.push({ rule: 'out-of-place', at: start, weight: WEIGHT.outOfPlace[asks] })
  }
  const inCode = (at: number) => where.carrier === 'code' || where.code.some(({ start, end }) => at > start && at < end)
  for (const mark of [
    ...marks(folded.text),
    ...openLinks(folded.text),
    ...nextCalls(folded.text, sights.tools),
    ...plantedCode(folded.text),
  ]) {
    const factor = mark.rule !== 'planted-code' && inCode(mark.at) ? PLACE_FACTOR.marksInCode : 1
    found.push({ ...mark, weight: mark.weight * factor })
  }
  tally.tested = found.some(({ weight }) => weight >= LEAST_FINDING) && isTestOfModel(folded.text)
  for (const suspicion of found) {
    suspicion.at = folded.at(suspicion.at)
    suspicion.weight *= tally.factorFor(suspicion, where)
  }
  found.push(...links(text), ...oddities(folded, where))
  if (depth < DEPTH) {
    for (const run of [
      ...decodeAll(text, sights.spelled),
      ...folded.smuggled.map((run) => ({ ...run, rule: 'smuggled' })),
      ...coded.map((run) => ({ ...run, at: folded.at(run.at) })),
    ]) {
      const inner = suspicionsIn(run.text, { tool, depth: depth + 1 })
      found.push(...concealed(run, inner))
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

/** A hidden injection weighs more than the same text in the open; hidden text without one is only odd. */
function concealed(
  { rule, at, text }: { rule: string; at: number; text: string },
  inner: readonly Suspicion[],
): Suspicion[] {
  const score = total(inner)
  // The parts of tokens and pictures are data, whatever words they contain.
  if (score > 0 && score < LEVELS.warn && DATA.test(text)) return [{ rule, at, weight: LEVELS.warn }]
  if (rule === 'smuggled') return [{ rule, at, weight: Math.max(LEVELS.review, score * CONCEALED_FACTOR) }]
  if (score === 0 && (rule === 'hex' || rule === 'binary')) return [{ rule, at, weight: WEIGHT.concealed }]
  return score === 0
    ? []
    : [{ rule, at, weight: Math.min(CONCEALED_MOST, Math.max(WEIGHT.concealed, score * CONCEALED_FACTOR)) }]
}

function turned(text: string, clause: Clause): { rule: string; text: string; at: number }[] {
  const line = text.slice(clause.start, clause.end)
  const at = clause.start + line.length - line.trimStart().length
  return [
    { rule: 'rot13', text: rot13(line), at },
    { rule: 'reversed', text: reverse(line), at },
  ]
}

function oddities(
  { text, invisible, threaded, bidi, control, lookalike }: Folded,
  { blank, lines, carrier }: Survey,
): Suspicion[] {
  const found: Suspicion[] = []
  if (invisible.count > 0) {
    const spread = threaded.count >= THREADED ? 'threaded' : invisible.count > 5 ? 'many' : 'some'
    found.push({ rule: 'invisible', at: invisible.at, weight: WEIGHT.invisible[spread] })
  }
  if (bidi.count > 0) found.push({ rule: 'bidi', at: bidi.at, weight: WEIGHT.bidi })
  if (control.count > 0) found.push({ rule: 'control', at: control.at, weight: WEIGHT.control })
  if (lookalike.count > 0)
    found.push({
      rule: 'lookalike',
      at: lookalike.at,
      weight: WEIGHT.lookalike[lookalike.count >= THREADED ? 'many' : lookalike.count > 1 ? 'several' : 'one'],
    })
  const sparse = blank.count >= 12 && blank.count * 2 >= lines && blank.count * 40 > Buffer.byteLength(text)
  if (sparse && carrier !== 'mail') {
    found.push({ rule: 'blank-lines', at: blank.at, weight: WEIGHT.blankLines })
  }
  return found
}

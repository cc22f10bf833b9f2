/**
 * For the bundle: constants that are patterns are made at their first use. Making those with letters of all scripts takes
 * longer than loading all the code, and a process uses few of them: where `fitting` chooses between such a pattern and its
 * twin for ASCII, only the chosen one is made.
 */
import type { Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { twinOf } from '../runtime/src/language/fitting-pattern.ts'

export const patternsLater: Plugin = {
  name: 'patterns-later',
  renderChunk: (code) => ({ code: madeLater(code), map: null }),
}

/** A node of the syntax tree; what is read of it depends on its type. */
interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

interface Constant {
  /** The whole declaration. */
  statement: Node
  value: Node
  uses: Node[]
  /** Uses as an argument of `fitting`. */
  fitted: Node[]
}

export function madeLater(code: string): string {
  const program = parseAst(code) as unknown as Node
  const constants = patternsIn(program)
  if (constants.size === 0) return code
  const declared = new Map<string, number>()
  visitNames(program, (around) => {
    const name = around.node.name as string
    const constant = constants.get(name)
    if (constant === undefined) return
    if (isBinding(around)) declared.set(name, (declared.get(name) ?? 0) + 1)
    else if (isFitted(around)) constant.fitted.push(around.node)
    else if (!isKey(around)) constant.uses.push(around.node)
  })
  const edits = [...constants].flatMap(([name, { statement, value, uses, fitted }]) => {
    // Something else has the same name somewhere: its uses cannot be told apart here.
    if (declared.get(name) !== 1) return []
    const getter = `${name}_pattern`
    const start = `var ${name}_made; function ${getter}() { return ${name}_made ??= `
    const twin = fitted.length === 0 ? undefined : twinIn(value)
    const twins =
      twin === undefined
        ? ''
        : ` var ${name}_ascii, ${name}_twins = { whole: ${getter}, ascii: () => ${name}_ascii ??= ${twin} };`
    return [
      { start: statement.start, end: value.start, text: start },
      { start: value.end, end: statement.end, text: ` }${twins}` },
      ...uses.map(({ start, end }) => ({ start, end, text: `${getter}()` })),
      ...fitted.map(({ start, end }) => ({ start, end, text: twin === undefined ? `${getter}()` : `${name}_twins` })),
    ]
  })
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start)) {
    parts.push(code.slice(at, start), text)
    at = end
  }
  return parts.join('') + code.slice(at)
}

/** Constants of the whole file, by name. */
function patternsIn(program: Node): Map<string, Constant> {
  const found = new Map<string, Constant>()
  for (const statement of program.body as Node[]) {
    const [one, ...more] = statement.type === 'VariableDeclaration' ? (statement.declarations as Node[]) : []
    if (statement.kind !== 'const' || one === undefined || more.length > 0) continue
    const [id, value] = [one.id as Node, one.init as Node | null]
    if (id.type === 'Identifier' && value !== null && isPattern(value))
      found.set(id.name as string, { statement, value, uses: [], fitted: [] })
  }
  return found
}

function isPattern(value: Node): boolean {
  if (value.type === 'Literal') return value.regex !== undefined
  const { name } = (value.type === 'NewExpression' ? value.callee : {}) as { name?: string }
  return name === 'RegExp'
}

/** Of a pattern that is written down with letters of all scripts. */
function twinIn({ regex }: Node): RegExp | undefined {
  if (regex === undefined) return undefined
  const { pattern, flags } = regex as { pattern: string; flags: string }
  return pattern.includes('\\p{') ? twinOf(new RegExp(pattern, flags)) : undefined
}

interface Around {
  node: Node
  /** Of the node in its parent. */
  key: string
  parent: Node | undefined
  grandparent: Node | undefined
}

/** Every name with its place. Chunks have a million nodes, so nothing is copied on the way. */
function visitNames(node: Node, see: (name: Around) => void, parent?: Node, grandparent?: Node, key = ''): void {
  if (node.type === 'Identifier') see({ node, key, parent, grandparent })
  for (const name in node) {
    const value = node[name]
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) {
      if (isNode(value)) visitNames(value, see, node, parent, name)
    } else for (const child of value) if (isNode(child)) visitNames(child, see, node, parent, name)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

const GIVES_A_NAME = ['ArrayPattern', 'RestElement', 'UpdateExpression']

/** What gives a name a value, and `{ name }`, which is both a key and a value. */
function isBinding({ parent, grandparent, key }: Around): boolean {
  if (parent === undefined || ['id', 'params', 'param', 'local'].includes(key)) return true
  if (parent.type === 'Property') return parent.shorthand === true || grandparent?.type === 'ObjectPattern'
  if (GIVES_A_NAME.includes(parent.type)) return true
  return key === 'left' && /^Assignment/.test(parent.type)
}

/** Where another function has that name too, one of them ends in a number. */
function isFitted({ node, parent }: Around): boolean {
  const { callee, arguments: given } = parent as { callee?: Node; arguments?: Node[] }
  return /^fitting(?:\$\d+)?$/.test(String(callee?.name)) && given?.[1] === node
}

function isKey({ parent, key }: Around): boolean {
  return (key === 'property' || key === 'key' || key === 'label') && parent?.computed !== true
}

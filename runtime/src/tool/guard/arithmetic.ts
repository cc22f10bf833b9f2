/**
 * Bash arithmetic. Bash evaluates the content of variables again, including subscripts and the commands in them. So
 * only expressions made of numbers, names and operators count as understood.
 */

export interface ArithmeticNames {
  /** Variables whose content is evaluated. */
  names: string[]
  /** Variables that it sets to a number. */
  sets: string[]
}

const NUMBER = /0[xX][0-9a-fA-F]+|\d+#\w+|\d+/
const NAME = /[A-Za-z_]\w*/
const LENGTH = /\$\{#[A-Za-z_]\w*(?:\[[@*]\])?\}|\$#|\$\?|\$\$|\$!/
const TOKEN = new RegExp(
  `\\s+|(?<count>${LENGTH.source})|\\$\\{(?<braced>${NAME.source})\\}|\\$?(?<name>${NAME.source})|${NUMBER.source}|[-+*/%<>=!&|^~?:,()]`,
  'y',
)
const SETS = /([A-Za-z_]\w*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g

/** In `a$i` the number becomes part of another name. */
const GLUED = /[\w}]\$|\$(?:\w+|\{[^}]*\}|[#?$!])[\w$]/

/** Undefined: the expression contains something else. */
export function readArithmetic(text: string): ArithmeticNames | undefined {
  if (GLUED.test(text)) return undefined
  const names = new Set<string>()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (found === null) return undefined
    const name = found.groups?.braced ?? found.groups?.name
    if (name !== undefined) names.add(name)
  }
  const sets = [...text.matchAll(SETS)].map(([, before, after]) => before ?? after ?? '')
  return { names: [...names], sets }
}

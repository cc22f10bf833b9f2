/**
 * Arithmetic as bash reads it. The content of a variable is evaluated in turn, subscripts and the commands in them
 * included, so an expression is understood only when it is made of numbers, names and signs.
 */

export interface Sum {
  /** Names whose content is evaluated. */
  names: string[]
  /** Names it gives a number to. */
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

/** In `a$i` the number is part of another name. */
const GLUED = /[\w}]\$|\$(?:\w+|\{[^}]*\}|[#?$!])[\w$]/

/** Undefined: it holds something else. */
export function readSum(text: string): Sum | undefined {
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

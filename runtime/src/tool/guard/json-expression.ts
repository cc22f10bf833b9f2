import jmespath from 'jmespath'

/** Missing in the library's types. */
const { compile } = jmespath as unknown as { compile(expression: string): unknown }

/** Throws where it is wrong. */
export function compileExpression(expression: string): void {
  compile(expression)
}

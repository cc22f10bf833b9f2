/** The examples in doc comments and guides: what they show is compiled and run by `package.test.ts`. */

/** The code after each `@example` of a declaration. */
export function examplesIn(declaration: string): string[] {
  return [...declaration.matchAll(/@example\s*\n[ \t]*\* ```ts\n([\s\S]*?)\n[ \t]*\* ```/g)].map(([, lines = '']) =>
    lines.replace(/^[ \t]*\* ?/gm, ''),
  )
}

/**
 * What `console.log(…) // text` says it prints. Everything that an example prints must say so, and is printed once: only
 * then can the two be compared line by line.
 */
export function printedBy(code: string): string[] {
  return code.split('\n').flatMap((line) => {
    if (!line.includes('console.log(')) return []
    const said = /console\.log\(.*\)[,;]? ?\}? ?\/\/ (.*)$/.exec(line)?.[1]
    if (said === undefined) throw new Error(`an example prints something it does not show: ${line}`)
    return [said]
  })
}

/** What words and the values of options are sure to say. */
import type { Arg } from './invocation.ts'
import { optionIn, type Spelling } from './options.ts'

/** Of a word with variables, what stands before them, if that is a whole host: `https://example.com/` of `…/$x`. */
export function literalStart({ text, known, start = '' }: Arg): string {
  if (known || text.startsWith('-')) return text
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/+)?(.*)$/is.exec(start) ?? []
  if (/^[^/?#]+[/?#]/.test(rest)) return start
  // Only the port is not known.
  const host = /^(\[[^\]]+\]|[^/?#:@]+):\d*$/.exec(rest)?.[1]
  return host === undefined ? '' : `${scheme}${host}`
}

/** The values of an option, each as a word of its own: what hangs on it, or the word behind it. */
export function optionValues(args: readonly Arg[], spelling: Spelling): Arg[] {
  return args.flatMap((arg, i) => {
    const value = optionIn(arg.text, spelling)
    if (value === undefined) return []
    const next = args[i + 1]
    if (value === '') return next === undefined ? [] : [next]
    const start = arg.start?.slice(arg.text.length - value.length)
    return [{ ...arg, text: value, ...(start === undefined ? {} : { start }) }]
  })
}

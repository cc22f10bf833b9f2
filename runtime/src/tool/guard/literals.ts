/** The certain part of words and option values. */
import type { Arg } from './invocation.ts'
import { optionIn, type Spelling } from './options.ts'

/**
 * For a word with variables: the text before them, if it contains a whole host: `https://example.com/` of
 * `https://example.com/$x`.
 */
export function literalStart({ text, known, start = '' }: Arg): string {
  if (known || text.startsWith('-')) return text
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/+)?(.*)$/is.exec(start) ?? []
  if (/^[^/?#]+[/?#]/.test(rest)) return start
  // Only the port is unknown.
  const host = /^(\[[^\]]+\]|[^/?#:@]+):\d*$/.exec(rest)?.[1]
  return host === undefined ? '' : `${scheme}${host}`
}

/** The values of an option: attached to it, or the next word. */
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

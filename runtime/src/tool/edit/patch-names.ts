/** File names in the headers of a unified diff. */

/** The prefixes git puts before the two names: `a/` and `b/`, or those of `diff.mnemonicPrefix`. */
const PREFIXES = ['ab', 'ba', 'iw', 'wi', 'ci', 'ic', 'cw', 'wc', 'ow', 'wo'].map(([one, other]): [string, string] => [
  `${one}/`,
  `${other}/`,
])
const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** `null` is /dev/null, and what `diff -N` dates to the epoch: no such file. Undefined: not a name. */
export function headerName(written: string): string | null | undefined {
  const quoted = quotedName(written)
  if (quoted !== undefined) return /^(?:\t.*)?$/.test(quoted.rest) ? quoted.name : undefined
  if (written.startsWith('"')) return undefined
  const [name = '', date = ''] = written.split('\t')
  if (name === '/dev/null' || /^1970-01-01 00:00:00(?:\.0+)? \+0000$/.test(date)) return null
  return name === '' ? undefined : name
}

/** The whole text, as in `rename from`. */
export function plainName(written: string): string | undefined {
  const quoted = quotedName(written)
  if (quoted !== undefined) return quoted.rest === '' ? quoted.name : undefined
  return written === '' || written.startsWith('"') ? undefined : written
}

/** Both names of `diff --git A B`, which are equal but for their prefixes. Undefined for a rename. */
export function gitNames(written: string): [string, string] | undefined {
  const first = quotedName(written)
  if (first !== undefined) {
    const second = first.rest.startsWith(' ') ? plainName(first.rest.slice(1)) : undefined
    return second === undefined ? undefined : [first.name, second]
  }
  const middle = (written.length - 1) / 2
  const at = Number.isInteger(middle) && written[middle] === ' ' ? middle : written.indexOf(' "')
  const second = at < 0 ? undefined : plainName(written.slice(at + 1))
  return second === undefined ? undefined : [written.slice(0, at), second]
}

/** The one name that both are, without git's prefixes. Undefined: they are two. */
export function commonName(old: string, fresh: string): string | undefined {
  for (const [one, other] of PREFIXES) {
    const isPair = old.startsWith(one) && fresh.startsWith(other)
    if (isPair && old.slice(one.length) === fresh.slice(other.length)) return old.slice(one.length)
  }
  return old === fresh ? old : undefined
}

/** Whether a header names this file, with or without a prefix. */
export function isNameOf(written: string, name: string): boolean {
  return written === name || PREFIXES.some(([prefix]) => written === prefix + name)
}

/** Git quotes names like C: `"a/\303\244"`. */
function quotedName(written: string): { name: string; rest: string } | undefined {
  const body = /^"((?:[^"\\]|\\.)*)"/su.exec(written)
  if (body === null) return undefined
  const bytes: Uint8Array[] = []
  for (const [part, octal, letter] of (body[1] ?? '').matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+/gsu)) {
    const code = octal === undefined ? ESCAPES[letter ?? ''] : Number.parseInt(octal, 8)
    if (letter !== undefined && code === undefined) return undefined
    bytes.push(code === undefined ? Buffer.from(part) : Uint8Array.of(code))
  }
  try {
    const name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(bytes))
    return { name, rest: written.slice(body[0].length) }
  } catch {
    return undefined
  }
}

/** A regular expression whose source is broken over lines; the breaks mean nothing. */
export function pattern(source: string, flags = 'u'): RegExp {
  return new RegExp(unfold(source), flags)
}

export function unfold(source: string): string {
  return source.replace(/\n */g, '')
}

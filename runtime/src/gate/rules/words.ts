/** Paths that a word of a command may name, in any of the ways programs and shells write them. */

const MAX_WORDS = 64
const MAX_LENGTH = 4000

/** The word itself, its alternatives in braces, and what is attached to an option, a commit or a host. */
export function pathsInWord(word: string): string[] {
  if (word.length > MAX_LENGTH || /\s/.test(word)) return []
  const found = new Set<string>()
  for (const one of withoutBraces(word)) {
    const plain = one.replace(/^~\+(?=\/|$)/, '.')
    for (const path of [
      plain,
      after(plain, /^-[A-Za-z]/),
      after(plain, /^[^=]*=/),
      after(plain, /^[^:]*:/),
      after(plain, /^.*[@<]/),
    ])
      if (path !== undefined && path !== '' && !path.startsWith('-')) found.add(path)
  }
  return [...found]
}

function after(word: string, start: RegExp): string | undefined {
  const rest = word.replace(start, '')
  return rest === word ? undefined : rest
}

/** `{a,b}/c` is `a/c` and `b/c`. */
function withoutBraces(word: string): string[] {
  let words = [word]
  for (let round = 0; round < MAX_WORDS; round++) {
    const next = words.flatMap((one) => {
      const [all, inner = ''] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? []
      return all === undefined ? [one] : inner.split(',').map((part) => one.replace(all, () => part))
    })
    if (next.length === words.length || next.length > MAX_WORDS) return next.slice(0, MAX_WORDS)
    words = next
  }
  return words
}

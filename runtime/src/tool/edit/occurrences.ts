/**
 * Where `wanted` occurs in `text`, overlaps included: characters in a string, or lines in an array. Linear in both
 * lengths for any input, which `indexOf` is not.
 */
export function* occurrences(text: ArrayLike<string>, wanted: ArrayLike<string>): Generator<number> {
  if (wanted.length === 0 || wanted.length > text.length) return
  const borders = bordersOf(wanted)
  let matched = 0
  for (let i = 0; i < text.length; i++) {
    while (matched > 0 && text[i] !== wanted[matched]) matched = borders[matched - 1] ?? 0
    if (text[i] === wanted[matched]) matched++
    if (matched < wanted.length) continue
    yield i - matched + 1
    matched = borders[matched - 1] ?? 0
  }
}

/** For each start of `wanted`: how much of it is repeated at its end. */
function bordersOf(wanted: ArrayLike<string>): Uint32Array {
  const borders = new Uint32Array(wanted.length)
  let length = 0
  for (let i = 1; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = borders[length - 1] ?? 0
    if (wanted[i] === wanted[length]) length++
    borders[i] = length
  }
  return borders
}

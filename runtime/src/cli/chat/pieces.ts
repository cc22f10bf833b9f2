/** Splits terminal input into typed and pasted text. */
export type Piece = { typed: string } | { pasted: string }

const BEGIN = '\x1b[200~'
const END = '\x1b[201~'
const ALT_ENTER = '\x1b\r'
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** Buffers incomplete input until the next chunk: a paste can arrive in many. */
export function makeSplitter(): (chunk: string) => Piece[] {
  let held = ''
  let pasting = false
  return (chunk) => {
    const pieces: Piece[] = []
    let rest = held + chunk
    held = ''
    while (rest !== '') {
      const border = pasting ? END : BEGIN
      const at = rest.indexOf(border)
      if (at < 0) {
        if (pasting) held = rest
        else {
          held = unfinished(rest)
          pieces.push(...typed(rest.slice(0, rest.length - held.length)))
        }
        break
      }
      pieces.push(...(pasting ? pasted(rest.slice(0, at)) : typed(rest.slice(0, at))))
      rest = rest.slice(at + border.length)
      pasting = !pasting
    }
    return pieces
  }
}

/** A single Escape is a key and is not buffered. */
function unfinished(text: string): string {
  for (let size = BEGIN.length - 1; size > 1; size--) {
    if (text.endsWith(BEGIN.slice(0, size))) return text.slice(-size)
  }
  return ''
}

/** Alt-Enter starts a new line of the same message. */
function typed(text: string): Piece[] {
  return text
    .split(ALT_ENTER)
    .flatMap((part, i): Piece[] => [...(i === 0 ? [] : [{ pasted: '\n' }]), ...(part === '' ? [] : [{ typed: part }])])
}

function pasted(text: string): Piece[] {
  const plain = text.replace(/\r\n?/g, '\n').replace(CONTROL, '').replace(/\n$/, '')
  return plain === '' ? [] : [{ pasted: plain }]
}

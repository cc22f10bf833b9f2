/** A small PDF, written by hand: pages of plain lines. `reads` gives letters another meaning, as fonts of PDFs do. */
export function makePdf(pages: readonly (readonly string[])[], reads: Record<string, string> = {}): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${4 + 2 * pages.length} 0 R >>`,
  ]
  for (const [i, lines] of pages.entries()) {
    const stream = `BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -16 Td`).join(' ')} ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * i} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    )
  }
  const map = characterMap(reads)
  objects.push(`<< /Length ${map.length} >>\nstream\n${map}\nendstream`)
  let file = '%PDF-1.4\n'
  const places: string[] = []
  for (const [i, object] of objects.entries()) {
    places.push(`${String(file.length).padStart(10, '0')} 00000 n \n`)
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
  }
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}

function characterMap(reads: Record<string, string>): string {
  const letters = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i))
  const hex = (character: string, width: number) => character.charCodeAt(0).toString(16).padStart(width, '0')
  const rows = letters.map((letter) => `<${hex(letter, 2)}> <${hex(reads[letter] ?? letter, 4)}>`)
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange ${rows.length} beginbfchar ${rows.join('\n')} endbfchar endcmap end end`
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFindings } from './contracts.ts'
import { clipFindings, foldText, ground, textRead } from './evidence.ts'

const readings = [
  { source: 'docs/a.md', text: '# A\n\nThe  “limit” is 5 — no\nmore.' },
  { source: 'docs/b.md', text: '上限为１２个，不可覆盖。' },
]
const report = (evidence: { source: string; quote?: string; note: string }[], confidence = 0.9) => ({
  summary: 'so it is',
  evidence,
  confidence,
})

describe('grounded evidence', () => {
  test('a quote is found whatever its spaces, quotation marks, dashes and widths', () => {
    const { evidence, confidence, grounding } = ground(
      report([
        { source: 'docs/a.md', quote: 'The "limit" is 5 - no more.', note: 'a' },
        { source: './docs/b.md#x', quote: '上限为12个', note: 'b' },
      ]),
      readings,
    )
    expect(evidence).toHaveLength(2)
    expect(grounding).toEqual({ kept: 2, dropped: 0 })
    expect(confidence).toBe(0.9)
  })
  test.each([
    ['radicals from a PDF', '中华⼈⺠共和国，⻓江与⻩河', '中华人民共和国,长江与黄河'],
    ['the radicals quoted as they came', '中华人民共和国', '中华⼈⺠共和国'],
    ['spaces around figures', '每天最多接受200次请求', '接受 200 次请求'],
    ['no spaces around figures', '每天最多接受 200 次请求', '接受200次请求'],
    ['a line broken in a word', '每天最多接\n受请求', '最多接受请求'],
    ['Latin words in Chinese', '使用 TypeScript 编写', '使用TypeScript编写'],
  ])('a true quote stands: %s', (_what, text, quote) => {
    const grounded = ground(report([{ source: 'docs/a.md', quote, note: 'n' }]), [{ source: 'docs/a.md', text }])
    expect(grounded).toMatchObject({ quoted: true, grounding: { kept: 1, dropped: 0 } })
  })
  test('a quote that was not read is dropped and counted, and confidence is at most the share that was kept', () => {
    const grounded = ground(
      report([
        { source: 'docs/a.md', quote: 'The limit is 6', note: 'made up' },
        { source: 'docs/a.md', quote: 'no more', note: 'real' },
        { source: 'docs/a.md', quote: 'the "LIMIT"', note: 'another case' },
        { source: 'docs/c.md', note: 'never read' },
      ]),
      readings,
    )
    expect(grounded.evidence.map(({ note }) => note)).toEqual(['real'])
    expect(grounded.grounding).toEqual({ kept: 1, dropped: 3 })
    expect(grounded.confidence).toBe(0.25)
  })
  test('a document that was read may be cited without a quote; a low confidence stays low', () => {
    const grounded = ground(report([{ source: 'docs/a.md:3', note: 'as a whole' }], 0.2), readings)
    expect(grounded).toMatchObject({ confidence: 0.2, grounding: { kept: 1, dropped: 0 } })
  })
  test('a true quote under the wrong source is moved to the right one', () => {
    const { evidence } = ground(report([{ source: 'docs/a.md', quote: '不可覆盖', note: 'n' }]), readings)
    expect(evidence[0]?.source).toBe('docs/b.md')
  })
  test('without evidence nothing is dropped, and the confidence is zero', () => {
    const grounded = ground(report([]), readings)
    expect(grounded).toMatchObject({ confidence: 0, quoted: false, grounding: { kept: 0, dropped: 0 } })
  })
  test.each([
    './docs/a.md',
    'docs/a.md:7',
    './docs/a.md:7-9',
    'docs/a.md#L7',
    'docs//a.md',
    'docs/./a.md:7:2',
    ' docs\\a.md ',
  ])('a source written as %s is the document that was read', (source) => {
    const { evidence } = ground(
      report([
        { source, quote: 'no more', note: 'n' },
        { source, note: 'n' },
      ]),
      readings,
    )
    expect(evidence.map((item) => item.source)).toEqual(['docs/a.md', 'docs/a.md'])
  })
  test('any piece of what was read is found, and folding is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), fc.nat(), (text, a, b) => {
        const folded = foldText(text)
        expect(foldText(folded)).toBe(folded)
        const points = [...folded]
        const [from, to] = [a % (points.length + 1), b % (points.length + 1)].sort((x, y) => x - y)
        const quote = points.slice(from, to).join('')
        const { grounding } = ground(report([{ source: 'x', quote, note: '' }]), [{ source: 'x', text }])
        if (foldText(quote) === '' || (quote.match(/[\p{L}\p{N}]/gu) ?? []).length >= 6) expect(grounding.kept).toBe(1)
      }),
    )
  })
})

describe('the output of read_doc', () => {
  test('gives its text, whole or cut', () => {
    const json = JSON.stringify({ id: 'a', from: 0, to: 9, total: 9, text: 'one\n"two" 三\\' })
    expect(textRead(json)).toBe('one\n"two" 三\\')
    expect(textRead(`${json.slice(0, -4)}…(+12)`)).toBe('one\n"two" 三')
    expect(textRead('plain words')).toBe('plain words')
  })
})

describe('a report', () => {
  const good = { summary: 's', evidence: [{ source: 'a', note: '' }], confidence: 1 }
  test('S4-37 S4-38 S4-39: has a summary, evidence with an optional quote, and a confidence from 0 to 1', () => {
    expect(readFindings(good)).toEqual({ found: true, ...good })
    expect(readFindings({ ...good, found: false })).toMatchObject({ found: false })
    expect(readFindings({ ...good, evidence: [{ source: 'a', quote: 'q', note: 'n' }], confidence: 0 })).toBeDefined()
  })
  test.each([
    ['no object', 'text'],
    ['an empty summary', { ...good, summary: ' ' }],
    ['no list of evidence', { ...good, evidence: {} }],
    ['evidence without a note', { ...good, evidence: [{ source: 'a' }] }],
    ['evidence without a source', { ...good, evidence: [{ source: '', note: 'n' }] }],
    ['a quote that is no text', { ...good, evidence: [{ source: 'a', quote: 1, note: 'n' }] }],
    ['a found that is no yes or no', { ...good, found: 'no' }],
    ['a confidence above 1', { ...good, confidence: 1.1 }],
    ['a confidence that is no number', { ...good, confidence: Number.NaN }],
  ])('S4-93: does not fit its schema with %s', (_name, value) => {
    expect(readFindings(value)).toBeUndefined()
  })
  test('S4-94 S4-95: is cut to 2000, 10, 500 and 300', () => {
    const long = 'x'.repeat(100_000)
    const evidence = Array.from({ length: 30 }, () => ({ source: 'a', quote: long, note: long }))
    const cut = clipFindings(
      { summary: long, evidence, confidence: 1 },
      { summary: 2000, evidence: 10, quote: 500, note: 300 },
    )
    expect(cut.summary).toBe(`${'x'.repeat(2000)}…(+98000)`)
    expect(cut.evidence).toHaveLength(10)
    expect(cut.evidence[0]?.quote).toMatch(/^x{500}…/)
    expect(cut.evidence[0]?.note).toMatch(/^x{300}…/)
  })
})

import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openExtractor } from './docs-extractor.ts'

/** One page that decompresses to `size` bytes. */
function pdfOf(size: number): Buffer {
  const packed = deflateSync(Buffer.alloc(size, ' '), { level: 9 })
  const stream = Buffer.concat([
    Buffer.from(`4 0 obj<</Length ${packed.length}/Filter/FlateDecode>>stream\n`),
    packed,
    Buffer.from('\nendstream endobj\n'),
  ])
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<>>/Contents 4 0 R>>endobj
`
  return Buffer.concat([Buffer.from(head), stream, Buffer.from('trailer<</Size 5/Root 1 0 R>>\n%%EOF')])
}

const BOMBS: [string, string, () => Buffer][] = [
  ['a PDF that unpacks to half a gigabyte', 'a.pdf', () => pdfOf(500_000_000)],
  ['HTML nested a hundred thousand deep', 'a.html', () => Buffer.from(`<html><body>${'<div>'.repeat(100_000)}`)],
  ['HTML with elements that are never closed', 'b.html', () => Buffer.from(`<html><body>${'<p><b>a'.repeat(100_000)}`)],
]

describe('a document made to exhaust its reader', () => {
  test.each(BOMBS)('%s is given up, and the next one is read', async (_, path, make) => {
    const before = process.memoryUsage.rss()
    const extractor = openExtractor()
    try {
      const bomb = extractor.extract({ bytes: make(), path, want: 'lines' })
      const plain = extractor.extract({ bytes: Buffer.from('<p>hello'), path: 'c.html', want: 'lines' })
      // Depends on whether its stack or its time is exhausted first.
      expect(await bomb).toEqual({ skipped: expect.stringMatching(/^(costly|unreadable)$/) })
      expect(await plain).toMatchObject({ lines: ['hello'] })
      expect(process.memoryUsage.rss() - before).toBeLessThan(1_350_000_000)
    } finally {
      await extractor.close()
    }
  })
})

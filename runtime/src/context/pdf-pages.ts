/** The text of a PDF, page by page, extracted in a worker thread that starts with the first one. */
import { WritError } from '../errors/writ-error.ts'
import { openExtractor } from './docs-extractor.ts'

export interface PdfReader {
  pagesOf(pdf: Uint8Array, name: string): Promise<readonly string[]>
  close(): Promise<void>
}

export function openPdfReader(): PdfReader {
  const extractor = openExtractor()
  return {
    async pagesOf(bytes, name) {
      const extracted = await extractor.extract({ bytes, path: name, want: 'pages' })
      if ('pages' in extracted) return extracted.pages
      if ('skipped' in extracted && extracted.skipped === 'costly')
        throw new WritError('MEDIA_DAMAGED.costly', { name })
      throw new WritError('MEDIA_DAMAGED', { name, type: 'application/pdf' })
    },
    close: extractor.close,
  }
}

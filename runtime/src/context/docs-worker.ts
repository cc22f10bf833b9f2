/**
 * Extracts documents in a worker thread: a long one does not block the main thread, a broken one ends only this thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { SkipReason } from '../ports/docs.ts'
import type { DocSection } from '../storage/docs-archive.ts'
import { sectionsOf } from './docs-sections.ts'
import { readContent, readPages } from './docs-text.ts'

export interface ExtractJob {
  bytes: Uint8Array
  path: string
  /** `pages`: of a PDF, whatever the path says. */
  want: 'lines' | 'sections' | 'pages'
}

export type Extracted =
  | ({ title: string } & ({ lines: string[] } | { sections: DocSection[] }))
  | { pages: string[] }
  | { skipped: SkipReason }

const WORKER = { script: new URL(import.meta.url), workerData: 'writ-docs' }

/** File and data of the worker; in any other thread this file does nothing. */
export function docsWorker() {
  return WORKER
}

if (workerData === WORKER.workerData) {
  let turn: Promise<unknown> = Promise.resolve()
  parentPort?.on('message', (job: ExtractJob) => {
    turn = turn.then(async () => parentPort?.postMessage(await extract(job)))
  })
  parentPort?.postMessage('ready')
}

async function extract({ bytes, path, want }: ExtractJob): Promise<Extracted> {
  try {
    if (want === 'pages') return { pages: await readPages(bytes) }
    const content = await readContent(bytes, path)
    if (content === undefined) return { skipped: 'binary' }
    const { title, lines } = content
    return want === 'lines' ? { title, lines } : { title, sections: sectionsOf(content, path) }
  } catch {
    return { skipped: 'unreadable' }
  }
}

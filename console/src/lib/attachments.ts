/** Files that go with a message. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** What the file dialog offers; the server decides by the content. */
export const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,application/pdf'

export interface ChosenFile {
  id: number
  name: string
  /** As a data: address, which the page may show. */
  url: string
}

/** A message before it is sent. */
export interface Outgoing {
  text: string
  files: ChosenFile[]
}

let chosen = 0

export function chooseFiles(files: Iterable<File>): Promise<ChosenFile[]> {
  return Promise.all([...files].map(async (file) => ({ id: ++chosen, name: file.name, url: await dataUrl(file) })))
}

/** As the server expects them. */
export function sentFiles(files: readonly ChosenFile[]): { name: string; data: string }[] {
  return files.map(({ name, url }) => ({ name, data: url.slice(url.indexOf(',') + 1) }))
}

export function isPicture(type: string): boolean {
  return type.startsWith('image/')
}

/** A stored file. A plain address could not send the token. */
export const fileQuery = (id: string, sha256: string) =>
  queryOptions({
    queryKey: ['file', id, sha256],
    queryFn: async ({ signal }) =>
      dataUrl(await api.file('GET /api/runs/:id/files/:sha256', { params: { id, sha256 }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

function dataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(blob)
  return promise
}

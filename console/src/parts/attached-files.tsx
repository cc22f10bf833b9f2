import { useQuery } from '@tanstack/react-query'
import { fileQuery, isPicture } from '../lib/attachments.ts'
import { Icon } from './icon.tsx'

interface StoredFile {
  name: string
  type: string
  sha256: string
}

/** Thumbnails of pictures, names of other files. */
export function AttachedFiles({ runId, files }: { runId: string; files: readonly StoredFile[] }) {
  return (
    <ul className="attached">
      {files.map((file) => (
        <li key={`${file.sha256} ${file.name}`}>
          <Thumbnail runId={runId} file={file} />
        </li>
      ))}
    </ul>
  )
}

function Thumbnail({ runId, file: { name, type, sha256 } }: { runId: string; file: StoredFile }) {
  const { data: url } = useQuery({ ...fileQuery(runId, sha256), enabled: isPicture(type) && runId !== '' })
  return url === undefined ? <FileName name={name} /> : <img src={url} alt={name} title={name} />
}

export function FileName({ name }: { name: string }) {
  return (
    <span className="badge">
      <Icon name="attach" /> {name}
    </span>
  )
}

/** From what was observed to what a decision may be founded on: one window of events, folded. */
import { extname } from 'node:path'
import type { ExtensionCategory, StructuredContext } from '../protocol/action.ts'

export type Observed = { at_ms: number } & (
  | { kind: 'app_opened' | 'app_switched'; package: string }
  | { kind: 'notification'; id: string; package: string }
  | { kind: 'file_seen'; path: string }
  | { kind: 'scene_entered'; scene: string }
)

export interface Window {
  window_id: string
  from_ms: number
  /** The first millisecond that is no longer in it. */
  until_ms: number
}

const EXTENSIONS: Readonly<Record<Exclude<ExtensionCategory, 'Other' | 'Unknown'>, string>> = {
  Document: 'pdf doc docx odt rtf txt md xls xlsx ods csv ppt pptx odp epub tex',
  Image: 'png jpg jpeg gif webp svg bmp tif tiff heic avif ico',
  Video: 'mp4 mkv mov avi webm m4v mpg mpeg',
  Audio: 'mp3 flac wav ogg opus m4a aac',
  Archive: 'zip tar gz tgz bz2 xz zst 7z rar jar deb rpm',
  Code: 'ts tsx js jsx mjs cjs py rs go c h cc cpp hpp java kt swift rb php sh sql html css json yaml yml toml xml',
}
const CATEGORY_OF = new Map(
  Object.entries(EXTENSIONS).flatMap(([category, names]) =>
    names.split(' ').map((name) => [name, category as ExtensionCategory] as const),
  ),
)

/** A name without an extension has no kind; an unknown extension is Other. */
export function categoryOf(path: string): ExtensionCategory {
  const extension = extname(path).slice(1).toLowerCase()
  return extension === '' ? 'Unknown' : (CATEGORY_OF.get(extension) ?? 'Other')
}

/** Each thing once, where it was last seen: the end of a list is what happened most recently. */
export function foldContext(events: readonly Observed[], { window_id, from_ms, until_ms }: Window): StructuredContext {
  const packages = new Set<string>()
  const paths = new Set<string>()
  const notifications = new Set<string>()
  const categories = new Set<ExtensionCategory>()
  const scenes = new Set<string>()
  const inside = events.filter(({ at_ms }) => at_ms >= from_ms && at_ms < until_ms)
  for (const event of inside.toSorted((a, b) => a.at_ms - b.at_ms)) {
    switch (event.kind) {
      case 'app_opened':
      case 'app_switched':
        see(packages, event.package)
        break
      case 'notification':
        see(notifications, event.id)
        see(packages, event.package)
        break
      case 'file_seen':
        see(paths, event.path)
        see(categories, categoryOf(event.path))
        break
      case 'scene_entered':
        see(scenes, event.scene)
        break
      default:
        event satisfies never
    }
  }
  return {
    window_id,
    packages: [...packages],
    paths: [...paths],
    notifications: [...notifications],
    extension_categories: [...categories],
    scenes: [...scenes],
  }
}

function see<T>(seen: Set<T>, thing: T): void {
  seen.delete(thing)
  seen.add(thing)
}

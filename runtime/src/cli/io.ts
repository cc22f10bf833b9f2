/** What a command can use: its streams, its environment and its folder. */
import { homedir } from 'node:os'
import type { Readable } from 'node:stream'
import { homeIn } from '../config/places.ts'
import type { Lang } from '../i18n/locale.ts'

export interface Io {
  stdout(text: string): void
  stderr(text: string): void
  /** Opened by the first use. */
  stdin(): Readable & { isTTY?: boolean }
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  isTty: boolean
  lang: Lang
}

export function homeOf(io: Io): string {
  return homeIn(io.env, homedir())
}

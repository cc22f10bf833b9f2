/** What a command may touch of the outside: two streams and where it was started. */
import { homedir } from 'node:os'
import { homeIn } from '../config/places.ts'
import type { Lang } from '../i18n/locale.ts'

export interface Io {
  stdout(text: string): void
  stderr(text: string): void
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  isTty: boolean
  lang: Lang
}

export function homeOf(io: Io): string {
  return homeIn(io.env, homedir())
}

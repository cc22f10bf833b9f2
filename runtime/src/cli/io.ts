/** What a command can use: two streams, its environment and its folder. */
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

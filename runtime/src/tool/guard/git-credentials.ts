/** A user's name and password for one host, from the files where git stores them. No helper program is started. */
import { join } from 'node:path'
import { percentDecoded } from '../../base/text.ts'
import type { HostFact } from '../../protocol/facts.ts'
import type { World } from '../tool.ts'
import { readSmall } from './git-config.ts'

export interface Credential {
  /** `https://example.com` or `https://example.com:8443`. */
  origin: string
  username: string
  password: string
}

/** Lines of `https://user:password@host`, as `git credential-store` writes them. */
export function credentialFor({ scheme, host, port }: HostFact, { env }: World): Credential | undefined {
  if (scheme !== 'https' && scheme !== 'http') return undefined
  for (const line of storedLines(env)) {
    const url = URL.canParse(line) ? new URL(line) : undefined
    if (url === undefined || url.protocol !== `${scheme}:` || url.password === '') continue
    const place = url.hostname.replace(/^\[|\]$/g, '')
    const at = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port)
    if (place !== host || at !== port) continue
    return { origin: url.origin, username: percentDecoded(url.username), password: percentDecoded(url.password) }
  }
  return undefined
}

function storedLines(env: World['env']): string[] {
  const home = env.HOME
  const files =
    home === undefined
      ? []
      : [join(home, '.git-credentials'), join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git', 'credentials')]
  return [env.WRIT_GIT_CREDENTIALS ?? '', ...files.map(textOf)].flatMap((text) => text.split(/\s+/)).filter(Boolean)
}

function textOf(path: string): string {
  try {
    return readSmall(path) ?? ''
  } catch {
    return ''
  }
}

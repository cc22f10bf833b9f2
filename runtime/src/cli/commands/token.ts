/** `writ token …`: access tokens of the server. */
import { openData } from '../../agent/workspace-context.ts'
import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/id.ts'
import { serverTexts } from '../../server/texts.ts'
import { type Keyring, openKeyring } from '../../server/tokens.ts'
import { tokenArchive } from '../../storage/token-archive.ts'
import { writableWorkspace } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { textTable } from '../table.ts'

const DEFAULT_SCOPES = 'read,run'

export function tokenAdd(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withKeyring(given, io, async (keyring, texts) => {
    const { secret, token } = await keyring.add(name, scopesOf(given), given.values.principal)
    if (given.switches.has('json')) io.stdout(`${JSON.stringify({ ...token, token: secret })}\n`)
    else {
      io.stderr(`${texts.tokenAdded({ name, scopes: token.scopes.join(', '), principal: token.principal })}\n`)
      io.stdout(`${secret}\n`)
    }
    return 0
  })
}

/** A new secret for the same token; its principal and everything it owns stay. */
export function tokenRotate(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withKeyring(given, io, async (keyring, texts) => {
    const { secret, token } = await keyring.rotate(name)
    if (given.switches.has('json')) io.stdout(`${JSON.stringify({ ...token, token: secret })}\n`)
    else {
      io.stderr(`${texts.tokenRotated({ name, principal: token.principal })}\n`)
      io.stdout(`${secret}\n`)
    }
    return 0
  })
}

function scopesOf({ values }: Given): string[] {
  return (values.scopes ?? DEFAULT_SCOPES).split(',')
}

export function tokenList(given: Given, io: Io): Promise<number> {
  return withKeyring(given, io, async (keyring, texts) => {
    const tokens = await keyring.list()
    if (given.switches.has('json')) {
      for (const token of tokens) io.stdout(`${JSON.stringify(token)}\n`)
      return 0
    }
    const { name, principal, scopes, created, used } = texts.tokenColumns
    const rows = tokens.map((token) => [
      token.name,
      token.principal,
      token.scopes.join(','),
      timeOf(token.createdAt),
      token.usedAt === undefined ? texts.never : timeOf(token.usedAt),
    ])
    const all = [[name, principal, scopes, created, used], ...rows]
    io.stdout(`${tokens.length === 0 ? texts.noTokens : textTable(all)}\n`)
    return 0
  })
}

export function tokenRevoke(given: Given, io: Io): Promise<number> {
  const [name = ''] = given.words
  return withKeyring(given, io, async (keyring, texts) => {
    await keyring.revoke(name)
    io.stdout(`${given.switches.has('json') ? JSON.stringify({ revoked: name }) : texts.tokenRevoked({ name })}\n`)
    return 0
  })
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}

async function withKeyring(
  given: Given,
  io: Io,
  work: (keyring: Keyring, texts: ReturnType<typeof serverTexts>) => Promise<number>,
): Promise<number> {
  const context = await writableWorkspace(given, io)
  const texts = serverTexts(context.loaded.lang)
  const db = await openData(context)
  try {
    const archive = tokenArchive(db)
    return await work(openKeyring({ archive, clock: systemClock, newId: randomIds }), texts)
  } finally {
    await db.close()
  }
}

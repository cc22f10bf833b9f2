/**
 * The bearer token lives as long as the tab. It comes from the sign-in form, from another tab, or in the address's
 * fragment, which is never sent to a server.
 */
const KEY = 'writ.token'

/** `mayReplace`: a link from anywhere could sign the reader in as its author, who would then read what is typed here. */
export function takeTokenFromAddress(mayReplace: () => boolean): void {
  const found = /^#token=([^&]+)$/.exec(location.hash)
  if (found?.[1] === undefined) return
  const token = decodeURIComponent(found[1])
  const kept = tokenNow()
  history.replaceState(null, '', location.pathname + location.search)
  if (kept === undefined || kept === token || mayReplace()) keepToken(token)
}

export function tokenNow(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}

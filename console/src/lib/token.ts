/**
 * The bearer token lives as long as the tab. It comes from the sign-in form, from another tab, or in the address's
 * fragment, which is never sent to a server.
 */
const KEY = 'writ.token'

export function takeTokenFromAddress(): void {
  const found = /^#token=([^&]+)$/.exec(location.hash)
  if (found?.[1] === undefined) return
  sessionStorage.setItem(KEY, decodeURIComponent(found[1]))
  history.replaceState(null, '', location.pathname + location.search)
}

export function tokenNow(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}

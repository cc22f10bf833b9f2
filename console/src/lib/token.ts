/**
 * The access token, kept for the lifetime of the tab. It comes from the sign-in form, another tab, or the fragment of
 * the address, which is never sent to a server.
 */
const KEY = 'writ.token'

/**
 * `mayReplace` asks the user: a malicious link could sign them in with the attacker's token, who would then see their
 * input.
 */
export function takeTokenFromAddress(mayReplace: () => boolean): void {
  const found = /^#token=([^&]+)$/.exec(location.hash)
  if (found?.[1] === undefined) return
  const token = decodeURIComponent(found[1])
  const current = tokenNow()
  history.replaceState(null, '', location.pathname + location.search)
  if (current === undefined || current === token || mayReplace()) keepToken(token)
}

export function tokenNow(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}

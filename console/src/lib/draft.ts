/** Unsent text, kept for the lifetime of the tab so that a reload does not lose it. */
const PREFIX = 'writ.draft.'

export function draftOf(place: string): string {
  return sessionStorage.getItem(PREFIX + place) ?? ''
}

export function keepDraft(place: string, text: string): void {
  if (text === '') sessionStorage.removeItem(PREFIX + place)
  else sessionStorage.setItem(PREFIX + place, text)
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}

/** Light, dark or system theme, stored in the browser. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'writ.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

export function themeNow(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  showTheme()
}

export function showTheme(): void {
  const theme = themeNow()
  document.documentElement.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
}

dark.addEventListener('change', showTheme)

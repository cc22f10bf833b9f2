/** Runs before the page is shown. The console keeps its theme under the same name. */
const kept = keptTheme()
const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
document.documentElement.classList.add('scripted')

/** A browser that stores nothing refuses even the question. */
function keptTheme(): string | null {
  try {
    return localStorage.getItem('writ.theme')
  } catch {
    return null
  }
}

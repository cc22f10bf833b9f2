/** Runs before the page is shown. The console keeps its theme under the same name. */
const kept = localStorage.getItem('writ.theme')
const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
document.documentElement.classList.add('scripted')

/** What a page of the site does: theme, menu, copy buttons, search. */
import { find, type Hit, hasHan, marked, type SearchIndex, wordsOf } from './search.ts'

const { dataset } = document.body
const word = (name: string) => dataset[name] ?? ''
const isChinese = document.documentElement.lang.startsWith('zh')

function element<K extends keyof HTMLElementTagNameMap>(tag: K, text = '', className = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  made.textContent = text
  if (className !== '') made.className = className
  return made
}

/** For the next page; a browser that stores nothing still changes this one. */
function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {}
}

document.querySelector('.theme')?.addEventListener('click', () => {
  const { dataset: root } = document.documentElement
  root.theme = root.theme === 'dark' ? 'light' : 'dark'
  keep('writ.theme', root.theme)
})

const menu = document.querySelector('.menu')
menu?.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('menu-open')
  menu.setAttribute('aria-expanded', String(isOpen))
})

// The console keeps its language under the same name.
document.querySelector('a.lang')?.addEventListener('click', () => {
  keep('writ.lang', isChinese ? 'en' : 'zh')
})

for (const block of document.querySelectorAll<HTMLElement>('.code')) {
  const button = element('button', word('copy'), 'copy')
  button.type = 'button'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
    button.textContent = word('copied')
    setTimeout(() => {
      button.textContent = word('copy')
    }, 2000)
  })
  block.append(button)
}

document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'center' })
scrollTo(0, location.hash === '' ? 0 : scrollY)

const input = document.querySelector<HTMLInputElement>('.search input')
const list = document.querySelector<HTMLUListElement>('#results')
const status = document.querySelector('.search .heard')

const indexes = new Map<string, Promise<SearchIndex>>()

function indexOf(lang: 'en' | 'zh'): Promise<SearchIndex> {
  const known = indexes.get(lang)
  if (known !== undefined) return known
  const loading = fetch(word(lang)).then((answer) => {
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    return answer.json() as Promise<SearchIndex>
  })
  // After a failure, the next search tries again.
  loading.catch(() => indexes.delete(lang))
  indexes.set(lang, loading)
  return loading
}

/** In the reader's language first. English pages stand in for those that are not translated. */
async function hitsFor(query: string): Promise<Hit[]> {
  if (!isChinese) {
    const hits = find(await indexOf('en'), query)
    return hits.length === 0 && hasHan(query) ? find(await indexOf('zh'), query) : hits
  }
  const [zh, en] = await Promise.all([indexOf('zh'), indexOf('en')])
  const translated = new Set(zh.map(({ page }) => page))
  const others = find(en, query, (page) => !translated.has(page))
  return [...find(zh, query), ...others.map((hit) => ({ ...hit, address: `zh/${hit.address}` }))].slice(0, 16)
}

let chosen = -1

function show(hits: readonly Hit[], query: string): void {
  const words = wordsOf(query)
  list?.replaceChildren(
    ...hits.map((hit, i) => {
      const item = element('li')
      item.role = 'option'
      item.id = `hit-${i}`
      const link = element('a')
      link.href = word('root') + hit.address
      link.tabIndex = -1
      link.append(element('span', hit.heading === '' ? hit.title : `${hit.title} › ${hit.heading}`, 'hit-title'))
      const excerpt = element('span', '', 'hit-text')
      excerpt.append(...marked(hit.excerpt, words).map((piece, k) => (k % 2 === 1 ? element('mark', piece) : piece)))
      link.append(excerpt)
      item.append(link)
      return item
    }),
  )
  choose(hits.length > 0 ? 0 : -1)
  say(hits.length === 0 ? word('nothing') : `${hits.length} ${word('found')}`)
  setOpen(hits.length > 0)
}

function say(text: string): void {
  if (status !== null) status.textContent = text
}

function setOpen(isOpen: boolean): void {
  if (list !== null) list.hidden = !isOpen
  input?.setAttribute('aria-expanded', String(isOpen))
}

function choose(next: number): void {
  const items = [...(list?.children ?? [])]
  items[chosen]?.setAttribute('aria-selected', 'false')
  chosen = items.length === 0 ? -1 : (next + items.length) % items.length
  const item = items[chosen]
  item?.setAttribute('aria-selected', 'true')
  item?.scrollIntoView({ block: 'nearest' })
  if (item === undefined) input?.removeAttribute('aria-activedescendant')
  else input?.setAttribute('aria-activedescendant', item.id)
}

function close(): void {
  setOpen(false)
  list?.replaceChildren()
  say('')
}

async function search(): Promise<void> {
  const query = input?.value.trim() ?? ''
  if (query === '') return close()
  try {
    const hits = await hitsFor(query)
    // A later search may have been faster.
    if (query === input?.value.trim()) show(hits, query)
  } catch {
    close()
    say(word('unreadable'))
  }
}

input?.addEventListener('input', () => void search())
input?.addEventListener('focus', () => void search())
input?.addEventListener('keydown', (event) => {
  if (event.isComposing) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    choose(chosen + (event.key === 'ArrowDown' ? 1 : -1))
  } else if (event.key === 'Enter') list?.children[chosen]?.querySelector('a')?.click()
  else if (event.key === 'Escape') {
    close()
    input.blur()
  }
})
list?.addEventListener('mousedown', (event) => event.preventDefault())
list?.addEventListener('click', () => close())
document.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('.search') === null) close()
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  const isSearchKey = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isSearchKey || event.altKey) return
  event.preventDefault()
  input?.focus()
  input?.select()
})

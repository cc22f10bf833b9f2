/** The page around a text: header, list of pages, contents, previous and next. Works without scripts, except the search. */
import type { Lang } from '../runtime/src/base/lang.ts'
import { escapeHtml, type Heading } from './markdown.ts'
import { addressOf, relativeTo } from './page-paths.ts'
import type { RenderedPage, SitePage, SiteSection } from './site.ts'
import { type SiteTexts, TEXTS } from './texts.ts'

export interface Shared {
  style: string
  theme: string
  script: string
  icon: string
  index: Readonly<Record<Lang, string>>
}

interface Shown {
  page: SitePage
  found: RenderedPage
  sections: readonly SiteSection[]
  shared: Shared
}

export function layout({ page, found, sections, shared }: Shown): string {
  const texts = TEXTS[page.lang]
  const here = addressOf(page.page, page.lang)
  const link = (to: string) => escapeHtml(relativeTo(here, to))
  const all = sections.flatMap((section) => section.pages)
  const at = all.findIndex((each) => each.page === page.page)
  const isEnglishText = page.textLang !== page.lang
  const note = isEnglishText ? `<p class="note" lang="zh-CN">${texts.notTranslated}</p>\n` : ''
  const contents = contentsOf(found.headings, texts)
  const wide = page.page.startsWith('reference/') ? ' class="wide"' : ''
  const article = `<article${wide}${isEnglishText ? ' lang="en"' : ''}>${note}${found.html}</article>
${turning(texts, all[at - 1], all[at + 1], link)}`
  const title = page.page === 'index' ? texts.site : `${page.title} · Writ`
  return frame({ lang: page.lang, title, link, sections, shared, current: page.page, main: article, contents })
}

/** Served for every unknown address, so its links begin at the root of the server. */
export function missingPage({
  lang,
  sections,
  shared,
}: {
  lang: Lang
  sections: readonly SiteSection[]
  shared: Shared
}): string {
  const texts = TEXTS[lang]
  const link = (to: string) => `/docs/${relativeTo('404.html', to).replace(/^\.\/$/, '')}`
  const main = `<article><h1>${texts.missing}</h1>
<p>${texts.missingHint}</p>
<p><a href="${link(addressOf('index', lang))}">${texts.home}</a></p></article>`
  return frame({ lang, title: `${texts.missing} · Writ`, link, sections, shared, current: '404', main, contents: '' })
}

interface Framed {
  lang: Lang
  title: string
  link(to: string): string
  sections: readonly SiteSection[]
  shared: Shared
  current: string
  main: string
  contents: string
}

function frame({ lang, title, link, sections, shared, current, main, contents }: Framed): string {
  const texts = TEXTS[lang]
  const other: Lang = lang === 'en' ? 'zh' : 'en'
  const htmlLang = { en: 'en', zh: 'zh-CN' }
  const words = {
    copy: texts.copy,
    copied: texts.copied,
    found: texts.found,
    nothing: texts.nothing,
    unreadable: texts.unreadable,
  }
  const data = [
    ['root', link(addressOf('index', 'en'))],
    ['en', link(shared.index.en)],
    ['zh', link(shared.index.zh)],
    ...Object.entries(words),
  ]
  const attributes = data.map(([name = '', value = '']) => ` data-${name}="${escapeHtml(value)}"`).join('')
  return `<!doctype html>
<html lang="${htmlLang[lang]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${link(shared.icon)}">
<link rel="alternate" hreflang="${htmlLang[other]}" href="${link(addressOf(current, other))}">
<link rel="stylesheet" href="${link(shared.style)}">
<script src="${link(shared.theme)}"></script>
<script type="module" src="${link(shared.script)}"></script>
</head>
<body${attributes}>
<a class="skip" href="#text">${texts.skip}</a>
<header>
<button type="button" class="menu" aria-expanded="false" aria-controls="pages">${texts.menu}</button>
<a class="home" href="${link(addressOf('index', lang))}"><img src="${link(shared.icon)}" alt="" width="22" height="22">Writ</a>
<search class="search"><input type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" aria-label="${texts.search}" placeholder="${texts.search}" title="${texts.searchHint}" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><ul id="results" role="listbox" aria-label="${texts.search}" hidden></ul><p class="heard" role="status"></p></search>
<a class="lang" lang="${htmlLang[other]}" hreflang="${htmlLang[other]}" href="${link(addressOf(current, other))}">${texts.otherLang}</a>
<button type="button" class="theme" aria-label="${texts.theme}" title="${texts.theme}">◐</button>
</header>
<div class="body">
<nav id="pages" class="pages" aria-label="${texts.pages}">
${sections.map((section) => listed(section, current, link)).join('\n')}
</nav>
<main id="text" tabindex="-1">
${main}
</main>
${contents}
</div>
</body>
</html>
`
}

function listed({ title, pages }: SiteSection, current: string, link: (to: string) => string): string {
  const items = pages.map(({ page, lang, title: name, textLang }) => {
    const here = page === current ? ' aria-current="page"' : ''
    const mark = textLang === lang ? '' : ' <span class="lang-mark" aria-hidden="true">EN</span>'
    return `<li><a href="${link(addressOf(page, lang))}"${here}>${escapeHtml(name)}${mark}</a></li>`
  })
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('\n')}</ul>`
}

/** Pages such as the library's have their entries at the fourth level, without a third. */
function contentsOf(headings: readonly Heading[], texts: SiteTexts): string {
  const deepest = headings.some(({ depth }) => depth === 3) ? 3 : 4
  const shown = headings.filter(({ depth }) => depth > 1 && depth <= deepest)
  if (shown.length < 2) return '<div class="contents"></div>'
  const items = shown.map(
    ({ depth, id, text }) =>
      `<li${depth > 2 ? ' class="deeper"' : ''}><a href="#${escapeHtml(encodeURIComponent(id))}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="${texts.onThisPage}"><h2>${texts.onThisPage}</h2><ul>${items.join('\n')}</ul></nav>`
}

function turning(
  texts: SiteTexts,
  before: SitePage | undefined,
  after: SitePage | undefined,
  link: (to: string) => string,
): string {
  const one = (page: SitePage | undefined, rel: 'prev' | 'next', word: string) =>
    page === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${link(addressOf(page.page, page.lang))}"><span>${word}</span>${escapeHtml(page.title)}</a>`
  return `<nav class="turning" aria-label="${texts.previous} / ${texts.next}">${one(before, 'prev', texts.previous)}${one(after, 'next', texts.next)}</nav>`
}

/** What the search of the site reads: the parts of all pages of one language. */
import type { Lang } from '../runtime/src/base/lang.ts'
import type { SearchIndex } from './browser/search.ts'
import { addressOf } from './page-paths.ts'
import type { RenderedPage, SitePage } from './site.ts'

/**
 * The texts themselves, not a list of words: a browser finds a word in all of them in a few milliseconds, also a
 * Chinese one, for which browsers and Node do not agree where words begin.
 */
export function searchIndex(
  pages: readonly SitePage[],
  rendered: ReadonlyMap<SitePage, RenderedPage>,
  lang: Lang,
): string {
  const own = pages.filter((page) => page.lang === lang && page.textLang === lang)
  const index: SearchIndex = own.map((page) => ({
    page: page.page,
    address: addressOf(page.page, lang),
    title: page.title,
    parts: (rendered.get(page)?.parts ?? []).map(({ id, title, text }) => [
      id,
      title === page.title ? '' : title,
      text,
    ]),
  }))
  return JSON.stringify(index)
}

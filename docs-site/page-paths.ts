/** Where the pages of the repository are in the site. All links in it are relative, so it works below any address. */
import { posix } from 'node:path'
import type { Lang } from '../runtime/src/base/lang.ts'

/** `docs/guides/rules.zh-CN.md` and `docs/guides/rules.md` are the page `guides/rules`. */
export function pageOf(file: string): { page: string; lang: Lang } {
  const lang = file.endsWith('.zh-CN.md') ? 'zh' : 'en'
  return {
    page: file
      .replace(/^docs\//, '')
      .replace(/(?:\.zh-CN)?\.md$/, '')
      .toLowerCase(),
    lang,
  }
}

export function translationOf(file: string): string {
  return file.replace(/\.md$/, '.zh-CN.md')
}

export function addressOf(page: string, lang: Lang): string {
  return `${lang === 'zh' ? 'zh/' : ''}${page}.html`
}

/** As the browser sees it: the first page is its folder. */
export function relativeTo(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.replace(/(^|\/)index\.html$/, '$1') || './'
}

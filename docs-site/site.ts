/** All files of the site from the pages of the repository, and what is wrong with their links. Writes nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, extname, join, posix } from 'node:path'
import { sha256 } from '../runtime/src/base/hash.ts'
import type { Lang } from '../runtime/src/base/lang.ts'
import { layout, missingPage } from './layout.ts'
import { type Rendered, render } from './markdown.ts'
import { OUTLINE } from './outline.ts'
import { addressOf, pageOf, relativeTo, translationOf } from './page-paths.ts'
import { searchIndex } from './search-index.ts'
import { TEXTS } from './texts.ts'

export const ROOT = join(import.meta.dirname, '..')
export const LANGS: readonly Lang[] = ['en', 'zh']

/** One page in one language of the site. */
export interface SitePage {
  page: string
  /** The language of the site around it. */
  lang: Lang
  /** The language of its text: English where there is no translation. */
  textLang: Lang
  /** In the repository. */
  file: string
  title: string
  markdown: string
}

export interface SiteSection {
  title: string
  pages: SitePage[]
}

export interface Assets {
  style: string
  /** Sets the theme before anything is shown. */
  theme: string
  script: string
}

export interface Site {
  files: Map<string, string | Buffer>
  /** Dead links and anchors, and pages that the outline misses. */
  problems: string[]
}

export function makeSite(assets: Assets): Site {
  const files = new Map<string, string | Buffer>()
  const problems: string[] = []
  const sections = { en: sectionsIn('en'), zh: sectionsIn('zh') }
  const pages = LANGS.flatMap((lang) => sections[lang].flatMap((section) => section.pages))
  const byAddress = new Map(pages.map((page) => [addressOf(page.page, page.lang), page]))
  const rendered = new Map(pages.map((page) => [page, renderPage(page, { byAddress, files, problems })]))

  const keep = (name: string, content: string): string => {
    const address = `assets/${name.replace('.', `-${sha256(content).slice(0, 10)}.`)}`
    files.set(address, content)
    return address
  }
  const shared = {
    style: keep('site.css', assets.style),
    theme: keep('theme.js', assets.theme),
    script: keep('site.js', assets.script),
    icon: keep('seal.svg', readFileSync(join(ROOT, 'console/public/seal.svg'), 'utf8')),
    index: {
      en: keep('search-en.json', searchIndex(pages, rendered, 'en')),
      zh: keep('search-zh.json', searchIndex(pages, rendered, 'zh')),
    },
  }
  for (const page of pages) {
    const found = rendered.get(page)
    if (found === undefined) continue
    for (const { link, anchor } of found.anchors) {
      const target = byAddress.get(link)
      const ids = target === undefined ? undefined : rendered.get(target)?.ids
      if (ids !== undefined && !ids.has(anchor)) problems.push(`${page.file}: no anchor "${anchor}" in ${link}`)
    }
    files.set(addressOf(page.page, page.lang), layout({ page, found, sections: sections[page.lang], shared }))
  }
  for (const lang of LANGS) files.set(addressOf('404', lang), missingPage({ lang, sections: sections[lang], shared }))
  return { files, problems: [...new Set(problems)].sort() }
}

function sectionsIn(lang: Lang): SiteSection[] {
  return OUTLINE.map(({ title, pages }) => ({
    title: title[lang],
    pages: pages.map(({ file, zh }) => {
      const own = translationOf(file)
      const isTranslated = lang === 'zh' && existsSync(join(ROOT, own))
      const used = isTranslated ? own : file
      const markdown = readFileSync(join(ROOT, used), 'utf8')
      const heading = titleOf(markdown) ?? basename(file)
      return {
        page: pageOf(file).page,
        lang,
        textLang: isTranslated || lang === 'en' ? lang : 'en',
        file: used,
        title: lang === 'zh' && !isTranslated ? (zh ?? heading) : heading,
        markdown,
      }
    }),
  }))
}

function titleOf(markdown: string): string | undefined {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '')
}

export interface RenderedPage extends Rendered {
  /** Links with an anchor into pages of the site. */
  anchors: { link: string; anchor: string }[]
}

interface Building {
  byAddress: ReadonlyMap<string, SitePage>
  files: Map<string, string | Buffer>
  problems: string[]
}

function renderPage(page: SitePage, { byAddress, files, problems }: Building): RenderedPage {
  const here = addressOf(page.page, page.lang)
  const texts = TEXTS[page.lang]
  const anchors: RenderedPage['anchors'] = []
  const inRepository = (target: string) => posix.normalize(posix.join(posix.dirname(page.file), target))

  function linkTo(target: string): string | undefined {
    if (/^(?:https?:|mailto:)/.test(target)) return target
    if (/^[a-z]+:/.test(target)) return undefined
    const [path = '', anchor = ''] = decodeURI(target).split('#')
    const file = path === '' ? page.file : inRepository(path)
    const link = addressInSite(file, page, byAddress)
    const hash = anchor === '' ? '' : `#${encodeURIComponent(anchor)}`
    if (link !== undefined) {
      const isOtherText = byAddress.get(link)?.textLang !== pageOf(file).lang
      // The headings of a translation have other anchors.
      if (isOtherText) return relativeTo(here, link)
      if (anchor !== '') anchors.push({ link, anchor })
      return (path === '' ? '' : relativeTo(here, link)) + hash
    }
    const copied = copyOf(file, files)
    if (copied === undefined) problems.push(`${page.file}: no file for the link ${target}`)
    return copied === undefined ? undefined : relativeTo(here, copied)
  }

  function picture(target: string) {
    const file = inRepository(target)
    if (!existsSync(join(ROOT, file))) {
      problems.push(`${page.file}: no picture ${target}`)
      return undefined
    }
    if (extname(file) === '.svg') return { svg: withoutStyle(readFileSync(join(ROOT, file), 'utf8')) }
    const address = `assets/${basename(file)}`
    files.set(address, readFileSync(join(ROOT, file)))
    return { src: relativeTo(here, address) }
  }

  const around = {
    linkTo,
    picture,
    isReference: page.page.startsWith('reference/'),
    tableLabel: texts.table,
    codeLabel: texts.code,
  }
  return { ...render(page.markdown, around), anchors }
}

/** In the same language, unless it links to its own translation. */
function addressInSite(file: string, from: SitePage, byAddress: Building['byAddress']): string | undefined {
  if (!file.endsWith('.md')) return undefined
  const { page, lang } = pageOf(file)
  const wanted = page === from.page && file !== from.file ? lang : from.lang
  const address = addressOf(page, lang === 'zh' ? 'zh' : wanted)
  const isThere = byAddress.has(address) && existsSync(join(ROOT, file))
  return isThere ? address : undefined
}

/** Examples and decisions that pages link to are in the site as they are; those that browsers cannot show, as text. */
function copyOf(file: string, files: Map<string, string | Buffer>): string | undefined {
  if (file.startsWith('..') || !/\.(?:json|yaml|ts|md)$/.test(file) || !existsSync(join(ROOT, file))) return undefined
  const address = `files/${file}${file.endsWith('.json') ? '' : '.txt'}`
  files.set(address, readFileSync(join(ROOT, file)))
  return address
}

/** In the page, the site's own style applies, with its two themes. */
function withoutStyle(svg: string): string {
  return svg
    .replace(/<\?xml[^>]*>\s*/, '')
    .replace(/\s*<style>[\s\S]*?<\/style>/, '')
    .trim()
}

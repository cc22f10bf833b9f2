/** The words of the site around its pages. */
import type { Lang } from '../runtime/src/base/lang.ts'

export interface SiteTexts {
  site: string
  skip: string
  menu: string
  pages: string
  onThisPage: string
  previous: string
  next: string
  theme: string
  otherLang: string
  search: string
  searchHint: string
  found: string
  nothing: string
  unreadable: string
  copy: string
  copied: string
  notTranslated: string
  missing: string
  missingHint: string
  home: string
  table: string
  code: string
}

export const TEXTS: Readonly<Record<Lang, SiteTexts>> = {
  en: {
    site: 'Writ documentation',
    skip: 'Skip to the text',
    menu: 'Menu',
    pages: 'All pages',
    onThisPage: 'On this page',
    previous: 'Previous',
    next: 'Next',
    theme: 'Change between light and dark',
    otherLang: '中文',
    search: 'Search',
    searchHint: 'Press / to search, arrow keys to choose, Enter to open',
    found: 'results',
    nothing: 'Nothing found. Try fewer or other words.',
    unreadable: 'The search index cannot be loaded. Reload the page.',
    copy: 'Copy',
    copied: 'Copied',
    notTranslated: '',
    missing: 'This page does not exist',
    missingHint: 'Search for it above, or choose a page from the list.',
    home: 'First page',
    table: 'Table',
    code: 'Code',
  },
  zh: {
    site: 'Writ 文档',
    skip: '跳到正文',
    menu: '目录',
    pages: '全部页面',
    onThisPage: '本页内容',
    previous: '上一页',
    next: '下一页',
    theme: '切换浅色和深色',
    otherLang: 'English',
    search: '搜索',
    searchHint: '按 / 搜索，方向键选择，回车打开',
    found: '条结果',
    nothing: '没有找到。请减少或更换搜索词。',
    unreadable: '无法加载搜索索引。请刷新页面。',
    copy: '复制',
    copied: '已复制',
    notTranslated: '本页还没有中文版，以下为英文原文。',
    missing: '页面不存在',
    missingHint: '可以用上面的搜索框查找，或从目录中选择页面。',
    home: '首页',
    table: '表格',
    code: '代码',
  },
}

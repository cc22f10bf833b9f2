import { globSync } from 'node:fs'
import { posix } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { find, wordsOf } from '../browser/search.ts'
import { assets } from '../build.ts'
import { escapeHtml, render } from '../markdown.ts'
import { OUTLINE } from '../outline.ts'
import { addressOf, pageOf } from '../page-paths.ts'
import { LANGS, makeSite, ROOT, type Site } from '../site.ts'

const OUTLINED = OUTLINE.flatMap(({ pages }) => pages)

let site: Site
beforeAll(async () => {
  site = makeSite(await assets())
})

const textOf = (address: string) => String(site.files.get(address))
const pages = () => [...site.files].filter(([address]) => address.endsWith('.html'))

test('X-SITE-1: no page has a dead link or anchor', () => {
  expect(site.problems).toEqual([])
})

test('X-SITE-1: every guide, tutorial, concept and reference page is in the list of pages, once', () => {
  const files = globSync('docs/{guides,tutorials,concepts,reference}/*.md', { cwd: ROOT })
  const known = OUTLINED.map(({ file }) => file)
  const missing = files.filter((file) => !file.endsWith('.zh-CN.md') && !known.includes(file))
  expect(missing, 'add them to docs-site/outline.ts').toEqual([])
  expect(known.length).toBe(new Set(known).size)
  for (const { file } of OUTLINED)
    expect(textOf('index.html')).toContain(
      `href="${addressOf(pageOf(file).page, 'en')}"`.replace('"index.html"', '"./"'),
    )
})

test('X-SITE-1: every link, script, style and picture of every page leads to a file of the site', () => {
  const dead = pages().flatMap(([address, html]) =>
    [...String(html).matchAll(/\s(?:href|src)="([^"#]+)[^"]*"/g)].flatMap(([, target = '']) => {
      if (/^(?:https?:|mailto:)/.test(target)) return []
      const path = target.startsWith('/docs/')
        ? target.slice('/docs/'.length)
        : posix.join(posix.dirname(address), target)
      const file = path === '' || /(?:^\.\/?|\/)$/.test(path) ? posix.join(path, 'index.html') : path
      return site.files.has(file) ? [] : [`${address} → ${target}`]
    }),
  )
  expect(dead).toEqual([])
})

test('X-SITE-1: previous and next lead through all pages in both languages', () => {
  for (const lang of LANGS) {
    const addresses = OUTLINED.map(({ file }) => addressOf(pageOf(file).page, lang))
    for (const [i, address] of addresses.entries()) {
      const next = /rel="next" href="([^"]+)"/.exec(textOf(address))?.[1]
      const expected = addresses[i + 1]
      expect(next === undefined ? undefined : posix.join(posix.dirname(address), next), address).toBe(expected)
    }
  }
})

test('X-SITE-2: a page without a Chinese text says so in Chinese, and shows the English one', () => {
  const html = textOf('zh/guides/metrics.html')
  expect(html).toContain('<html lang="zh-CN">')
  expect(html).toContain('<article lang="en"><p class="note" lang="zh-CN">')
  const translated = textOf('zh/guides/rules.html')
  expect(translated).not.toContain('class="note"')
  expect(translated).toContain('<h1 id="规则">')
})

test('X-SITE-2: each page links to the same page in the other language', () => {
  expect(textOf('guides/rules.html')).toContain('hreflang="zh-CN" href="../zh/guides/rules.html"')
  expect(textOf('zh/guides/rules.html')).toContain('hreflang="en" href="../../guides/rules.html"')
})

test.each([
  ['en', 'sandbox', 'security.html'],
  ['en', 'SESSION_BUSY', 'reference/errors.html#SESSION_BUSY'],
  ['en', 'agent.security.rules', 'reference/config.html#agent.security.rules'],
  ['zh', '规则', 'zh/guides/rules.html'],
  ['zh', '提示缓存', 'zh/guides/context.html'],
] as const)('X-SITE-3: in %s, a search for "%s" finds %s', (lang, query, address) => {
  const name = [...site.files.keys()].find((each) => each.startsWith(`assets/search-${lang}-`)) ?? ''
  const hits = find(JSON.parse(textOf(name)), query)
  expect(hits.map((hit) => hit.address).filter((each) => each.startsWith(address))).not.toEqual([])
})

test.each([
  ['en', 'how do I approve a command', /supervision|approval|start|flow|gateway/],
  ['en', 'what is a writ', /^(?:index\.html|concepts|start)/],
  ['en', 'how do I pause a routine', /routines/],
  ['en', 'where are memories stored', /memory|security/],
  ['en', 'what does a scout do', /scouts/],
  ['en', 'how can I undo what the agent changed', /undo/],
  ['zh', '怎么审批命令', /approval|flow|start|gateway/],
  ['zh', '怎样写一条规则', /rules|policy-from-zero/],
] as const)('X-SITE-3: in %s, the question "%s" is answered by a guide, not by a list', (lang, query, address) => {
  const name = [...site.files.keys()].find((each) => each.startsWith(`assets/search-${lang}-`)) ?? ''
  const [first] = find(JSON.parse(textOf(name)), query)
  expect(first?.address.replace('zh/', '')).toMatch(address)
})

test('X-SITE-3: a heading counts more than a text, a whole word more than a part of one; every word must be there', () => {
  const index = [
    { page: 'a', address: 'a.html', title: 'Other', parts: [['', '', 'about unrunning things']] },
    { page: 'b', address: 'b.html', title: 'Other', parts: [['', '', 'about running things']] },
    { page: 'c', address: 'c.html', title: 'Other', parts: [['x', 'Running', 'about']] },
  ] satisfies Parameters<typeof find>[0]
  expect(find(index, 'running').map(({ address }) => address)).toEqual(['c.html#x', 'b.html', 'a.html'])
  expect(find(index, 'running elsewhere')).toEqual([])
  expect(find(index, '  ')).toEqual([])
  expect(find(index, 'runn(ing')).toEqual([])
  expect(wordsOf('审批规则 deploy')).toEqual(['审批', '规则', 'deploy'])
})

test('X-SITE-5: pages load nothing from other hosts and have no script or style inside', () => {
  for (const [address, html] of pages()) {
    expect(String(html), address).not.toMatch(
      /<script(?![^>]*\bsrc=)|<style|\sstyle=|<[^>]*\son[a-z]+=|\ssrc="(?:https?:)?\/\//,
    )
  }
})

test('X-SITE-5: a page without a long table or text has at most 64 KB, and what all pages load 24 KB', () => {
  const large = pages().filter(
    ([address, html]) => html.length > 64 * 1024 && !/security|errors|api|http|config|changelog/.test(address),
  )
  expect(large.map(([address]) => address)).toEqual([])
  const loaded = [...site.files].filter(([address]) => /^assets\/.*\.(?:css|js)$/.test(address))
  expect(loaded.reduce((sum, [, content]) => sum + content.length, 0)).toBeLessThan(24 * 1024)
})

test('X-SITE-5: markup in a page is shown, not used', () => {
  const around = {
    linkTo: () => undefined,
    picture: () => undefined,
    isReference: false,
    tableLabel: 't',
    codeLabel: 'c',
  }
  const { html } = render(
    '# A\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) <b>bold</b>\n\n<!-- not run: key -->\n',
    around,
  )
  expect(html).not.toMatch(/<(?:img|b|a)\b|not run/)
  expect(html).toContain(escapeHtml('<img src=x onerror=alert(1)>'))
})

test('X-SITE-1: anchors are those of the repository, so links work in both', () => {
  const around = {
    linkTo: () => undefined,
    picture: () => undefined,
    isReference: false,
    tableLabel: 't',
    codeLabel: 'c',
  }
  const { headings } = render('# What `a.b` is: one, two\n\n## 规则（rules）\n\n## Same\n\n## Same\n', around)
  expect(headings.map(({ id }) => id)).toEqual(['what-ab-is-one-two', '规则rules', 'same', 'same-1'])
})

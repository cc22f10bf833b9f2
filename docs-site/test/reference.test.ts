/** The generated pages say everything that there is; that they are up to date is checked elsewhere. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERBS } from '../../runtime/src/cli/verbs.ts'
import { contract } from '../../runtime/src/server/contract/contract.ts'
import { EVENT_TEXTS } from '../../scripts/event-texts.ts'
import { pictureFiles } from '../pictures/pictures.ts'
import { ROOT } from '../site.ts'

const read = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8')
const headings = (page: string) => [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, text = '']) => text)

test.each(['reference/cli.md', 'reference/cli.zh-CN.md'])('X-SITE-6: %s has every command and its flags', (name) => {
  const page = read(name)
  for (const { name: verb, flags } of VERBS) {
    expect(headings(page)).toContain(`writ ${verb}`)
    const part = page.split(`\n## writ ${verb}\n`)[1]?.split('\n## ')[0] ?? ''
    for (const flag of flags) expect(part, verb).toContain(`\`--${flag}`)
  }
})

test.each(['reference/events.md', 'reference/events.zh-CN.md'])(
  'X-SITE-6: %s has every event with its data',
  (name) => {
    const page = read(name)
    const types = Object.keys(EVENT_TEXTS)
    expect(headings(page)).toEqual(types)
    expect(page.split('## gate.decided')[1]?.split('\n## ')[0]).toContain("decision: 'allow' | 'ask' | 'deny'")
    expect(page.match(/```text\n\{\}\n```/g)).toBeNull()
  },
)

test('X-SITE-6: the HTTP page has every endpoint with its scope', () => {
  const page = read('reference/http.md')
  for (const [key, { scope }] of Object.entries(contract)) {
    const part = page.split(`\n### ${key}\n`)[1]?.split('\n### ')[0] ?? ''
    expect(part, key).toContain(scope === 'none' ? 'no token needed' : `scope \`${scope}\``)
  }
})

test('X-SITE-6: errors have the same codes in both languages', () => {
  const codes = (name: string) => [...read(name).matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code)
  expect(codes('reference/errors.zh-CN.md')).toEqual(codes('reference/errors.md'))
  expect(read('reference/errors.zh-CN.md')).toMatch(/\| `SESSION_BUSY` .*\p{Script=Han}/u)
})

test.each(['flow', 'gate', 'verdicts', 'journal', 'provenance'])(
  'X-SITE-7: the picture of %s is shown in both languages, with words for those who cannot see it',
  (name) => {
    for (const ending of ['', '.zh-CN']) {
      expect(read(`concepts/${name}${ending}.md`)).toMatch(
        new RegExp(`!\\[[^\\]]{6,}\\]\\(\\.\\./pictures/${name}${ending}\\.svg\\)`),
      )
      const svg = pictureFiles()[`${name}${ending}.svg`] ?? ''
      expect(svg).toMatch(/role="img">\n<title>.{10,}<\/title>/)
      expect(svg).not.toMatch(/<script|href=|url\(/)
      expect(existsSync(join(ROOT, `docs/pictures/${name}${ending}.svg`))).toBe(true)
    }
  },
)

test('X-SITE-7: start, tutorials and concepts exist in both languages, with the same commands', () => {
  const pages = [
    'start',
    ...[
      'approval-before-deploy',
      'governed-chatbot',
      'workflow-with-agent',
      'scouts-over-documents',
      'policy-from-zero',
    ].map((name) => `tutorials/${name}`),
    ...['flow', 'gate', 'verdicts', 'journal', 'provenance'].map((name) => `concepts/${name}`),
  ]
  const commands = (text: string) => [...text.matchAll(/^npx writ ([a-z]+)/gm)].map(([, verb]) => verb)
  for (const page of pages) {
    const [english, chinese] = [read(`${page}.md`), read(`${page}.zh-CN.md`)]
    expect(commands(chinese), page).toEqual(commands(english))
    expect(chinese.match(/^## /gm)?.length, page).toBe(english.match(/^## /gm)?.length)
  }
})

/** Saves a screenshot of every page to docs/screenshots. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import buildConsole from '../build.ts'
import { type Look, openBrowser, openPage } from './support/browser.ts'
import { PAGES } from './support/pages.ts'
import { seed } from './support/seeded.ts'

const OUT = join(import.meta.dirname, '../../docs/screenshots')
const ALL = PAGES.map(({ name }) => name)
const LOOKS: (Look & { suffix: string; names: string[] })[] = [
  { theme: 'light', width: 1280, suffix: '', names: ALL },
  { theme: 'dark', width: 1280, suffix: '-dark', names: ['chat-denied', 'overview', 'run', 'workflow'] },
  {
    theme: 'light',
    width: 1280,
    suffix: '-zh',
    lang: 'zh',
    names: ['chat-new', 'chat-approval', 'agent', 'run', 'rules'],
  },
  { theme: 'light', width: 380, suffix: '-narrow', names: ['chat-approval', 'chat-scouts', 'run', 'runs'] },
]

buildConsole()
mkdirSync(OUT, { recursive: true })
const browser = await openBrowser()
try {
  for (const { suffix, names, ...look } of LOOKS) {
    const seeded = await seed(look.lang)
    const { page, close } = await openPage(browser, seeded.server, look)
    for (const { name, path, ready, prepare } of PAGES.filter((shown) => names.includes(shown.name))) {
      await page.goto(`${seeded.server.url}${path(seeded)}`)
      await page.locator(ready).first().waitFor()
      await prepare?.(page)
      await page.evaluate('document.activeElement.blur()')
      await page.screenshot({ path: join(OUT, `${name}${suffix}.png`) })
      console.log(`${name}${suffix}`)
    }
    await close()
    await seeded.place.remove()
  }
} finally {
  await browser.close()
}

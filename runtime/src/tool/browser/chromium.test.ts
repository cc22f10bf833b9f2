import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserStatus, findChromium, launchOptions } from './chromium.ts'
import { browserTools } from './tools.ts'

let folder = ''
let program = ''
let document = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-chromium-'))
  program = join(folder, 'my-chromium')
  document = join(folder, 'readme')
  writeFileSync(program, '#!/bin/sh\n')
  chmodSync(program, 0o755)
  writeFileSync(document, 'not a program')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('choosing Chromium', () => {
  test('uses the configured one, WRIT_CHROMIUM before CHROME_PATH', () => {
    expect(findChromium({ CHROME_PATH: program })).toBe(program)
    expect(findChromium({ WRIT_CHROMIUM: program, CHROME_PATH: '/nowhere' })).toBe(program)
  })
  test('never uses another one than the configured one', () => {
    for (const wrong of [join(folder, 'missing'), document, folder, 'chromium']) {
      expect(findChromium({ WRIT_CHROMIUM: wrong, PATH: '/usr/bin' })).toBeUndefined()
    }
  })
})

describe('without a Chromium', () => {
  const env = { WRIT_CHROMIUM: '/nowhere/chromium' }
  test('S0-72: no browser tool is registered', () => {
    expect(browserTools({ env, artifacts: folder })).toEqual([])
  })
  test('the status names a wrong setting and how to install Chromium', () => {
    const status = browserStatus(env)
    expect(status.chromium).toBeUndefined()
    expect(status.misconfigured).toBe('/nowhere/chromium')
    expect(status.install).toContain('chromium')
  })
})

describe('with a Chromium', () => {
  test('S0-23: five tools of the family browser are registered, all of them external', () => {
    const tools = browserTools({ env: { WRIT_CHROMIUM: program }, artifacts: folder })
    expect(tools.map(({ name, family, trust, readOnly }) => [name, family, trust, readOnly])).toEqual([
      ['browser_open', 'browser', 'external', true],
      ['browser_read', 'browser', 'external', true],
      ['browser_click', 'browser', 'external', false],
      ['browser_type', 'browser', 'external', false],
      ['browser_screenshot', 'browser', 'external', true],
    ])
    expect(browserStatus({ WRIT_CHROMIUM: program }).chromium).toBe(program)
  })
  test('its own sandbox is off only for root', () => {
    const isRoot = process.getuid?.() === 0
    expect(launchOptions(program, {}).chromiumSandbox).toBe(!isRoot)
    expect(browserStatus({}).sandboxed).toBe(!isRoot)
  })
  test('it does not get the secrets of this process', () => {
    const { env } = launchOptions(program, { PATH: '/bin', OPENAI_API_KEY: 'canary', HTTPS_PROXY: 'canary' })
    expect(env).toEqual({ PATH: '/bin' })
  })
})

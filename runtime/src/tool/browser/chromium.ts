/** Finds Chromium for the browser tools, and how to start it. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { LaunchOptions } from 'playwright-core'
import { present } from '../../base/present.ts'
import type { Env } from '../../config/places.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin']
const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A configured path is the only one tried: a typo must not silently start another browser. */
export function findChromium(env: Env): string | undefined {
  const set = env.WRIT_CHROMIUM || env.CHROME_PATH
  if (set) return isAbsolute(set) && isProgram(set) ? set : undefined
  const folders = [...FOLDERS, ...(env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))]
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...places, ...APPLICATIONS].find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export interface BrowserStatus {
  /** Absent: there is no Chromium, and the browser tools are not registered. */
  chromium?: string
  /** A configured path that is not a program. */
  misconfigured?: string
  /** Chromium's own sandbox cannot run as root. */
  sandboxed: boolean
  /** The command that installs Chromium. */
  install: string
}

export function browserStatus(env: Env): BrowserStatus {
  const chromium = findChromium(env)
  const set = env.WRIT_CHROMIUM || env.CHROME_PATH
  return {
    ...present({ chromium, misconfigured: chromium === undefined && set ? set : undefined }),
    sandboxed: !isRoot(),
    install: process.platform === 'darwin' ? 'brew install --cask chromium' : 'apt-get install chromium',
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

export function launchOptions(executablePath: string, env: Env): LaunchOptions {
  return {
    executablePath,
    headless: true,
    chromiumSandbox: !isRoot(),
    // Writ handles signals itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: environment(env),
    // Traffic outside any session goes nowhere; each session has its own guarded proxy.
    proxy: { server: 'http://127.0.0.1:9', bypass: '<-loopback>' },
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
      '--no-pings',
      // Only the proxy resolves names.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      // WebRTC's UDP would bypass the proxy. The flag's name differs between Chromium versions.
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  }
}

/** The browser must not see the keys and tokens of this process. */
function environment(env: Env): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

/** Which Chromium drives the browser tools, and how it is started. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { LaunchOptions } from 'playwright-core'
import type { Env } from '../../config/places.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin']
const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A path that was set is the only one tried: a typing error must not quietly start another browser. */
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
  /** Absent: there is none, and the browser tools are not registered. */
  chromium?: string
  /** What was set and led nowhere. */
  misconfigured?: string
  /** Chromium's own sandbox cannot run as root. */
  sandboxed: boolean
  /** The command that installs one. */
  install: string
}

export function browserStatus(env: Env): BrowserStatus {
  const chromium = findChromium(env)
  const set = env.WRIT_CHROMIUM || env.CHROME_PATH
  return {
    ...(chromium === undefined ? {} : { chromium }),
    ...(chromium === undefined && set ? { misconfigured: set } : {}),
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
    // The process decides itself what a signal means.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: environment(env),
    // What belongs to no session has nowhere to go; each session brings its own guarded proxy.
    proxy: { server: 'http://127.0.0.1:9', bypass: '<-loopback>' },
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
      '--no-pings',
      // Only the proxy looks names up.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      // WebRTC's UDP would go round the proxy. Chromium has renamed the flag over time.
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  }
}

/** Keys and tokens of this process are none of the browser's business. */
function environment(env: Env): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

/**
 * The user's git settings for shell commands. The settings files are closed to commands, because they may contain
 * logins. A command gets a copy of the settings that a commit needs and that name no program and no other file.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { World } from '../tool.ts'
import type { ProcessEnd } from './process.ts'

const COPIED =
  '^(user\\.(name|email)|init\\.defaultbranch|core\\.(autocrlf|eol|quotepath)|pull\\.(rebase|ff)|push\\.default|merge\\.conflictstyle|diff\\.algorithm)$'

/** Runs git in an empty folder, where it can read these files and nothing else in the home folder. */
export type ReadSettings = (
  argv: readonly string[],
  at: { folder: string; read: readonly string[] },
) => Promise<ProcessEnd>

const made = new Map<string, Promise<string | undefined>>()
let folder: string | undefined

/** Undefined: the user has no settings. */
export function userGitSettings({ env }: World, read: ReadSettings): Promise<string | undefined> {
  const { HOME = '' } = env
  const files = isAbsolute(HOME)
    ? ['.gitconfig', '.config/git/config'].map((name) => join(HOME, name)).filter(existsSync)
    : []
  if (files.length === 0) return Promise.resolve(undefined)
  const key = JSON.stringify(files.map((file) => [file, statSync(file).ctimeMs]))
  const known = made.get(key) ?? copySettings(files, read)
  made.set(key, known)
  return known
}

async function copySettings(files: readonly string[], read: ReadSettings): Promise<string | undefined> {
  const empty = join(ownFolder(), 'empty')
  mkdirSync(empty, { recursive: true })
  const argv = ['git', 'config', '--global', '--includes', '-z', '--get-regexp', COPIED]
  const end = await read(argv, { folder: empty, read: files })
  const settings = end.exitCode === 0 ? end.output.split('\0').flatMap(lineOf) : []
  if (settings.length === 0) return undefined
  const file = join(ownFolder(), `settings-${made.size}`)
  writeFileSync(file, settings.join(''), { mode: 0o600 })
  return file
}

function ownFolder(): string {
  if (folder !== undefined) return folder
  const own = mkdtempSync(join(tmpdir(), 'writ-git-'))
  process.once('exit', () => rmSync(own, { recursive: true, force: true }))
  folder = own
  return own
}

function lineOf(setting: string): string[] {
  const [, section, name, value] = /^(\w+)\.(\w+)\n(.*)$/.exec(setting) ?? []
  if (section === undefined || name === undefined || value === undefined) return []
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return [`[${section}]\n\t${name} = "${escaped}"\n`]
}

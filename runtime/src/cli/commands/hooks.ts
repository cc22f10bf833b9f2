/** `writ hooks …`: the hooks of Claude Code, Codex and opencode, and the daemon that answers them. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openGuard } from '../../assembly/guard.ts'
import { isRunning, startDaemon } from '../../assembly/hook-daemon.ts'
import { sessionIdOf } from '../../assembly/outside-begin.ts'
import { packagePath } from '../../base/package.ts'
import { present } from '../../base/present.ts'
import { writePrivately } from '../../base/private-file.ts'
import { guardHome, hooksHome } from '../../config/places.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Store } from '../../journal/store.ts'
import { AGENTS, type AgentName, isAgent } from '../../outside/agents.ts'
import {
  claudeSettings,
  codexSettings,
  codexTrusts,
  type HookCommand,
  hookIn,
  opencodePlugin,
  UnreadableSettings,
} from '../../outside/hook-settings.ts'
import { managedFiles, type Off, switchedOff } from '../../outside/hook-switches.ts'
import { keptSessions } from '../../outside/kept-sessions.ts'
import type { Given } from '../flags.ts'
import { hooksTexts } from '../hooks-texts.ts'
import { homeOf, type Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { textTable } from '../table.ts'

/** The daemon ends after this time without an event; the next one starts it again. */
const IDLE_MS = 3_600_000
const ETC = '/etc'

type Where = 'user' | 'project'

const EDIT: Readonly<Record<AgentName, typeof claudeSettings>> = {
  claude: claudeSettings,
  codex: codexSettings,
  opencode: opencodePlugin,
}

export async function hooksInstall(given: Given, io: Io): Promise<number> {
  const texts = hooksTexts(io.lang)
  const agent = agentOf(given)
  const file = settingsFile(agent, whereOf(given), io)
  const folder = hooksHome(io.env, homeOf(io))
  await edit(agent, file, { node: process.execPath, script: packagePath('bin/hook.js'), folder })
  await describeDaemon(folder, io)
  io.stdout(`${texts.installed({ agent, file })}\n`)
  if (agent === 'codex') io.stdout(`${texts.codexTrust}\n`)
  const off = await offIn(agent, io)
  if (off !== undefined) io.stderr(`${texts.switchedOff({ agent, ...off })}\n`)
  io.stdout(`${texts.notSandboxed}\n${texts.asksByDefault}\n`)
  return 0
}

export async function hooksRemove(given: Given, io: Io): Promise<number> {
  const texts = hooksTexts(io.lang)
  const agent = agentOf(given)
  const places: Where[] = given.switches.has('project')
    ? ['project']
    : given.switches.has('user')
      ? ['user']
      : ['user', 'project']
  let found = false
  const files = places.map((where) => settingsFile(agent, where, io))
  for (const file of files) {
    if (hookIn(await textOf(file)) === undefined) continue
    await edit(agent, file, undefined)
    found = true
    io.stdout(`${texts.removed({ agent, file })}\n`)
  }
  if (!found) io.stdout(`${texts.nothing({ agent, files })}\n`)
  return 0
}

export async function hooksStatus(given: Given, io: Io): Promise<number> {
  const texts = hooksTexts(io.lang)
  const rows = await hookRows(io)
  const pid = await isRunning(hooksHome(io.env, homeOf(io)))
  const data = dataOf(given, io)
  const off = await offAmong(rows, io)
  const unjudged = await unjudgedIn(rows, { ...given, values: { ...given.values, data } }, io)
  if (given.switches.has('json')) {
    io.stdout(`${JSON.stringify({ hooks: rows, switchedOff: off, unjudged, daemon: pid ?? null, data })}\n`)
  } else {
    const { agent, where, state, file } = texts.columns
    const lines = rows.map((row) => [row.agent, texts.places[row.where], texts.states[row.state], row.file])
    io.stdout(`${textTable([[agent, where, state, file], ...lines])}\n`)
    for (const by of off) io.stdout(`${texts.switchedOff(by)}\n`)
    for (const { agent: name, files } of unjudged) {
      io.stdout(`${texts.unjudged({ agent: name, count: files.length, newest: files[0] ?? '' })}\n`)
    }
    io.stdout(`${pid === undefined ? texts.noDaemon({ data }) : texts.daemon({ pid, data })}\n`)
  }
  return off.length > 0 || rows.some(({ state }) => state === 'broken' || state === 'untrusted') ? 1 : 0
}

interface HookRow {
  agent: AgentName
  where: Where | 'organisation'
  state: keyof ReturnType<typeof hooksTexts>['states']
  file: string
}

async function hookRows(io: Io): Promise<HookRow[]> {
  const rows: HookRow[] = []
  for (const agent of AGENTS) {
    for (const where of ['user', 'project'] as const) {
      const file = settingsFile(agent, where, io)
      rows.push({ agent, where, file, state: (await stateOf(agent, file, io)) ?? 'off' })
    }
    for (const file of await managedFiles(agent, ETC)) {
      const state = await stateOf(agent, file, io)
      if (state !== undefined) rows.push({ agent, where: 'organisation', file, state })
    }
  }
  return rows
}

/** Undefined: it has no hooks of ours. */
async function stateOf(agent: AgentName, file: string, io: Io): Promise<HookRow['state'] | undefined> {
  const script = hookIn(await textOf(file))
  if (script === undefined) return undefined
  if (!existsSync(script)) return 'broken'
  if (agent !== 'codex') return 'on'
  // Codex names the file without links.
  const names = [file, await realpath(file)]
  const trusted = await textOf(settingsFile(agent, 'user', io))
  return names.some((name) => codexTrusts(trusted, name)) ? 'on' : 'untrusted'
}

export async function hooksServe(given: Given, io: Io): Promise<number> {
  const texts = hooksTexts(io.lang)
  const folder = hooksHome(io.env, homeOf(io))
  const { config } = given.values
  const guard = await openGuard({ env: io.env, data: dataOf(given, io), ...present({ config }) })
  try {
    const { promise: idle, resolve: onIdle } = Promise.withResolvers<void>()
    const daemon = await startDaemon({ guard, folder, lang: io.lang, idleMs: IDLE_MS, onIdle })
    if (daemon === undefined) {
      io.stderr(`${texts.running}\n`)
      return 0
    }
    io.stderr(`${texts.serving({ folder })}\n`)
    const aborted = new Promise<void>((resolve) => {
      if (given.signal.aborted) resolve()
      else given.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([idle, aborted])
    await daemon.stop()
    return 0
  } finally {
    await guard.close()
  }
}

function dataOf(given: Given, io: Io): string {
  return given.values.data ?? guardHome(io.env, homeOf(io))
}

function agentOf({ words: [name = ''] }: Given): AgentName {
  if (!isAgent(name)) throw new WritError('HOOKS_AGENT', { name, known: AGENTS.join(', ') })
  return name
}

function whereOf({ switches }: Given): Where {
  return switches.has('project') ? 'project' : 'user'
}

/** Those of a project are the user's own: their commands name this machine's folders. */
function settingsFile(agent: AgentName, where: Where, io: Io): string {
  const home = homeOf(io)
  switch (agent) {
    case 'claude':
      return where === 'project'
        ? join(io.cwd, '.claude/settings.local.json')
        : join(io.env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json')
    case 'codex':
      return join(
        where === 'project' ? join(io.cwd, '.codex') : io.env.CODEX_HOME || join(home, '.codex'),
        'config.toml',
      )
    case 'opencode':
      return where === 'project'
        ? join(io.cwd, '.opencode/plugin/writ.js')
        : join(io.env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode/plugin/writ.js')
  }
}

/** Installed hooks that other settings keep from running. */
async function offAmong(rows: readonly HookRow[], io: Io): Promise<({ agent: AgentName } & Off)[]> {
  const installed = AGENTS.filter((name) => rows.some(({ agent, state }) => agent === name && state !== 'off'))
  const found = installed.map(async (agent) => ({ agent, off: await offIn(agent, io) }))
  return (await Promise.all(found)).flatMap(({ agent, off }) => (off === undefined ? [] : [{ agent, ...off }]))
}

async function offIn(agent: AgentName, io: Io): Promise<Off | undefined> {
  const project = agent === 'claude' ? [join(io.cwd, '.claude/settings.json')] : []
  const files = {
    managed: await managedFiles(agent, ETC),
    project: [settingsFile(agent, 'project', io), ...project],
    user: [settingsFile(agent, 'user', io)],
  }
  return switchedOff(agent, files, textOf)
}

/** Sessions that no hook has reported, since the hooks of the user were installed. */
async function unjudgedIn(rows: readonly HookRow[], given: Given, io: Io) {
  const home = homeOf(io)
  const installed = await stat(join(hooksHome(io.env, home), 'daemon.json')).catch(() => undefined)
  if (installed === undefined) return []
  const agents = rows
    .filter(({ where, state }) => where === 'user' && (state === 'on' || state === 'untrusted'))
    .map(({ agent }) => agent)
  const found: { agent: AgentName; files: string[] }[] = []
  for (const agent of agents) {
    const kept = await keptSessions(agent, dirname(settingsFile(agent, 'user', io)), installed.mtimeMs)
    const known = new Set<string>()
    const look = async (store: Store) => {
      for (const { id } of kept) {
        const [run] = await store.listRuns({ sessionId: sessionIdOf(agent, id), limit: 1 })
        if (run !== undefined) known.add(id)
      }
      return 0
    }
    // Without a journal, none was judged.
    if (kept.length > 0) await withJournal(given, io, look).catch(() => {})
    const files = kept.filter(({ id }) => !known.has(id)).map(({ file }) => file)
    if (files.length > 0) found.push({ agent, files })
  }
  return found
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}

async function edit(agent: AgentName, file: string, command: HookCommand | undefined): Promise<void> {
  try {
    const before = await textOf(file)
    const after = EDIT[agent](before, command)
    if (after === before) return
    if (after === undefined) await rm(file, { force: true })
    else {
      await mkdir(dirname(file), { recursive: true })
      // Not replaced by another file: it may be a link into a folder of dotfiles.
      await writeFile(file, after)
    }
  } catch (error) {
    if (error instanceof UnreadableSettings) throw new WritError('HOOKS_SETTINGS', { file, why: error.message })
    throw error
  }
}

/** What the hooks start a daemon with: the environment of an agent can come from a project. */
async function describeDaemon(folder: string, io: Io): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kept = Object.entries(io.env).filter(([name]) =>
    /^(?:HOME|PATH|USER|LANG|LC_\w+|TMPDIR|XDG_\w+|WRIT_\w+)$/.test(name),
  )
  const daemon = {
    node: process.execPath,
    args: [packagePath('bin/writ.js'), 'hooks', 'serve'],
    env: Object.fromEntries(kept),
  }
  await writePrivately(join(folder, 'daemon.json'), JSON.stringify(daemon))
}

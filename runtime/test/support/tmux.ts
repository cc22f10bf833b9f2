/** A real terminal for tests: a tmux server of their own, on a socket of their own, gone when they are. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { until } from './until.ts'

export interface Pane {
  /** Key by key, as typed. */
  type(text: string): void
  /** A key by tmux's name for it, such as `Enter`, `C-c`, `Up`. */
  press(...keys: string[]): void
  paste(text: string): void
  resize(columns: number, rows: number): void
  /** The window is closed under the program. */
  hangUp(): void
  /** From now on, every byte the program sends is written to this file too. */
  record(file: string): void
  /** The screen and what has scrolled off it, with wrapped lines joined. */
  text(): string
  /** The rows as they stand on the screen. */
  rows(): string[]
  /** Resolves with the text once it contains this; fails when it never does. */
  shows(wanted: string | RegExp): Promise<string>
  /** Resolves with the text once the program has ended. */
  ended(): Promise<string>
}

export interface Terminal {
  open(
    command: readonly string[],
    at: { cwd: string; env: Record<string, string>; columns?: number; rows?: number },
  ): Pane
  close(): void
}

export function openTerminal(): Terminal {
  const program = findTmux() ?? missing()
  const folder = mkdtempSync(join(tmpdir(), 'writ-tmux-'))
  const tmux = (...args: string[]) =>
    execFileSync(program, ['-u', '-S', join(folder, 'socket'), '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8', TMUX: '' },
    })
  let panes = 0
  return {
    open(command, { cwd, env, columns = 80, rows = 30 }) {
      const name = `pane${++panes}`
      const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`)
      const size = ['-x', String(columns), '-y', String(rows)]
      // A pane that vanished with its program would take the last words with it.
      const stay = ['set-option', '-g', 'remain-on-exit', 'on', ';', 'set-option', '-g', 'history-limit', '5000']
      const run = ['env', '-i', ...variables, ...command].map(quote).join(' ')
      tmux('start-server', ';', ...stay, ';', 'new-session', '-d', '-s', name, ...size, '-c', cwd, run)
      tmux('set-option', '-t', name, 'window-size', 'manual')
      return paneOf(name, tmux)
    },
    close() {
      try {
        tmux('kill-server')
      } catch {}
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function paneOf(name: string, tmux: (...args: string[]) => string): Pane {
  const text = () => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', name)
  const isOver = () => tmux('display-message', '-p', '-t', name, '#{pane_dead}').trim() === '1'
  const waited = async (what: string, holds: (seen: string) => boolean) => {
    let seen = ''
    const look = () => {
      seen = text()
      return holds(seen)
    }
    await until(look).catch((cause) => {
      throw new Error(`waited for ${what}; the terminal shows:\n${seen}`, { cause })
    })
    return seen
  }
  return {
    type: (keys) => void tmux('send-keys', '-t', name, '-l', '--', keys),
    press: (...keys) => void tmux('send-keys', '-t', name, ...keys),
    paste(content) {
      tmux('set-buffer', '-b', name, '--', content)
      tmux('paste-buffer', '-p', '-r', '-b', name, '-t', name)
    },
    resize: (columns, rows) => void tmux('resize-window', '-t', name, '-x', String(columns), '-y', String(rows)),
    hangUp: () => void tmux('kill-session', '-t', name),
    record: (file) => void tmux('pipe-pane', '-t', name, `cat > ${quote(file)}`),
    text,
    rows: () => tmux('capture-pane', '-p', '-t', name).split('\n'),
    shows: (wanted) =>
      waited(String(wanted), (seen) => (typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen))),
    // Read again: what was seen is from before the look that found it over.
    ended: () => waited('the end of the program', isOver).then(text),
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function findTmux(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'tmux')).find((path) => existsSync(path))
}

function missing(): never {
  throw new Error('The tests need a terminal to drive: install the Debian package `tmux`.')
}

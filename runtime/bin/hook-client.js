// Plain JavaScript for Node 18 and newer: answers one event of an agent's hook. It only asks the daemon over its socket,
// so that a call waits for this small file and not for the start of Writ.
//
// Whatever goes wrong becomes the agent's blocking answer, before the agent's own time limit: an agent takes a hook that
// fails for no objection. The installed command adds `|| exit 2`, for a Node that is gone.
import { lstatSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Far below the `timeout` that the installed hooks have. */
const DEADLINE_MS = 25_000
/** Of events that cannot block anything; Codex allows 3 s at the end of a session. */
const SHORT_MS = 2_500
const RETRY_MS = 40

/**
 * Hands the event on standard input to the daemon and prints its answer.
 * @param {string} agent
 * @param {string} folder the folder with the socket
 */
export async function answerHook(agent, folder) {
  /** @type {Record<string, unknown>} */
  let event = {}
  try {
    event = eventIn(await readStdin())
    const { exit, stdout = '', stderr = '' } = await ask(folder, { agent, event, env: ownEnv() }, limitOf(event))
    finish(exit, stdout, stderr)
  } catch (error) {
    block(agent, event, error instanceof Error ? error.message : String(error))
  }
}

/**
 * Sends a request to the daemon, which is started if it does not run, and returns its answer.
 * @param {string} at the folder with the socket
 * @param {object} request
 * @param {number} [limitMs]
 * @returns {Promise<any>}
 */
export async function ask(at, request, limitMs = DEADLINE_MS) {
  const deadline = Date.now() + limitMs
  let isStarted = false
  for (;;) {
    try {
      requireOwn(at)
      return await send(join(at, 'socket'), JSON.stringify(request), deadline - Date.now())
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error)
      if (code !== 'ENOENT' && code !== 'ECONNREFUSED') throw error
      if (Date.now() + RETRY_MS > deadline) throw new Error(`the daemon did not start (${code})`)
      if (!isStarted) await startDaemon(at)
      isStarted = true
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/**
 * @param {string} socket
 * @param {string} line
 * @param {number} limitMs
 */
function send(socket, line, limitMs) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const chunks = []
    const connection = connect(socket)
    const timer = setTimeout(
      () => connection.destroy(new Error('the daemon did not answer in time')),
      Math.max(1, limitMs),
    )
    connection.on('connect', () => connection.write(`${line}\n`))
    connection.on('data', (chunk) => chunks.push(chunk))
    connection.on('error', reject)
    connection.on('close', () => {
      clearTimeout(timer)
      try {
        const answer = JSON.parse(Buffer.concat(chunks).toString('utf8'))
        // Anything else is no answer, and must not pass for no objection.
        if (answer.exit !== 0 && answer.exit !== 2) throw new Error('no exit code')
        resolve(answer)
      } catch {
        reject(new Error('the daemon ended without an answer'))
      }
    })
  })
}

/**
 * The socket of another user could allow anything.
 * @param {string} at
 */
function requireOwn(at) {
  const { uid, mode } = lstatSync(at)
  if ((process.getuid && uid !== process.getuid()) || (mode & 0o170077) !== 0o040000) {
    throw new Error(`${at} is not a folder of this user alone`)
  }
}

/**
 * With the environment recorded when the hooks were installed: a project's settings can change the agent's own.
 * @param {string} at
 */
async function startDaemon(at) {
  const { node, args, env } = JSON.parse(readFileSync(join(at, 'daemon.json'), 'utf8'))
  const { spawn } = await import('node:child_process')
  const daemon = spawn(node, args, { env, cwd: at, detached: true, stdio: 'ignore' })
  daemon.on('error', () => {})
  daemon.unref()
}

/** As `hooksHome` in config/places.ts. */
export function hooksFolder({ XDG_STATE_HOME: base, HOME } = process.env) {
  return join(base !== undefined && isAbsolute(base) ? base : join(HOME || homedir(), '.local/state'), 'writ/hooks')
}

function ownEnv() {
  const { CLAUDE_PROJECT_DIR, CLAUDE_CODE_ENTRYPOINT } = process.env
  return { CLAUDE_PROJECT_DIR, CLAUDE_CODE_ENTRYPOINT }
}

/** @param {Record<string, unknown>} event */
function limitOf(event) {
  return /^(?:PreToolUse|PostTool|UserPromptSubmit)/.test(String(event.hook_event_name)) ? DEADLINE_MS : SHORT_MS
}

/** @param {string} text */
function eventIn(text) {
  const event = JSON.parse(text)
  if (typeof event?.hook_event_name !== 'string') throw new Error('the event has no name')
  return event
}

async function readStdin() {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * @param {string} agent
 * @param {unknown} why
 */
export function blockedText(agent, why) {
  const isChinese = /^zh/.test(process.env.LC_ALL || process.env.LANG || '')
  const off = `writ hooks remove ${agent}`
  return isChinese
    ? `Writ 无法判断（${why}），因此已阻止。请检查 \`writ hooks status\`；\`${off}\` 可关闭这些钩子。`
    : `Writ could not judge this (${why}), so it is blocked. Check \`writ hooks status\`; \`${off}\` switches the hooks off.`
}

/**
 * @param {string} agent
 * @param {Record<string, unknown>} event
 * @param {string} why
 */
function block(agent, event, why) {
  const text = blockedText(agent, why)
  const name = event.hook_event_name
  if (name === 'PreToolUse') {
    const hookSpecificOutput = { hookEventName: name, permissionDecision: 'deny', permissionDecisionReason: text }
    finish(0, JSON.stringify({ hookSpecificOutput }), '')
  } else if (name === 'PostToolBatch' && isOnlyDenied(event, text)) {
    // None of the calls ran, and the model is to read why.
    finish(0, '', '')
  } else if (name === 'PostToolUse' || name === 'PostToolBatch') {
    // Its result was not inspected, so the model is not to go on with it.
    finish(0, JSON.stringify({ continue: false, stopReason: text, decision: 'block', reason: text }), '')
  } else if (typeof name === 'string') {
    // These can prevent nothing; the calls that follow are judged by themselves.
    finish(0, JSON.stringify({ systemMessage: text }), '')
  } else finish(2, '', text)
}

/**
 * Whether all that the model would read of these calls is our own text, as versions of Claude Code show it.
 * @param {Record<string, unknown>} event
 * @param {string} text
 */
function isOnlyDenied({ tool_calls: calls }, text) {
  return (
    Array.isArray(calls) &&
    calls.length > 0 &&
    calls.every((call) =>
      [text, `Error: ${text}`, `PreToolUse:${call?.tool_name} hook error: ${text}`].includes(call?.tool_response),
    )
  )
}

/**
 * @param {number} exit
 * @param {string} stdout
 * @param {string} stderr
 */
function finish(exit, stdout, stderr) {
  process.exitCode = exit
  if (stderr !== '') process.stderr.write(`${stderr}\n`)
  if (stdout !== '') process.stdout.write(`${stdout}\n`)
}

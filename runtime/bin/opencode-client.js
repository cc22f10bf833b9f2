// What the plugin of opencode does with its events. Plain JavaScript: it runs inside opencode.
import { ask, blockedText } from './hook-client.js'

/** @typedef {{ sessionID: string, tool: string, callID: string, args?: unknown }} Call */

/**
 * @param {string} folder
 * @param {string} cwd
 * @param {object} event
 */
async function report(folder, cwd, event) {
  const answer = await ask(folder, { agent: 'opencode', event: { ...event, cwd } }).catch((error) => {
    throw new Error(blockedText('opencode', error.message))
  })
  if (typeof answer?.deny === 'string') throw new Error(answer.deny)
  if (answer?.exit !== 0) throw new Error(answer?.stderr || 'Writ gave no answer, so this is blocked.')
  return answer
}

/** @typedef {{ folder: string, directory: string, client: any }} Place */

/** @type {Map<string, string>} */
const roots = new Map()

/**
 * The session of a sub-agent belongs to the one that started it.
 * @param {any} client
 * @param {string} id
 * @returns {Promise<string>}
 */
async function rootOf(client, id) {
  const known = roots.get(id)
  if (known !== undefined) return known
  const { data } = await client.session.get({ path: { id } })
  if (data === undefined) throw new Error('opencode does not know this session')
  const root = data.parentID ? await rootOf(client, data.parentID) : id
  roots.set(id, root)
  return root
}

/**
 * The prompt of a sub-agent was written by a model, so it is not reported as the user's.
 * @param {Place} place
 * @param {{ sessionID: string }} input
 * @param {{ parts?: { type: string, text?: string, synthetic?: boolean }[] }} output
 */
export async function said({ folder, directory, client }, { sessionID }, { parts = [] }) {
  if ((await rootOf(client, sessionID)) !== sessionID) return
  const prompt = parts.flatMap(({ type, text, synthetic }) =>
    type === 'text' && synthetic !== true ? [text ?? ''] : [],
  )
  await report(folder, directory, {
    hook_event_name: 'UserPromptSubmit',
    session_id: sessionID,
    prompt: prompt.join('\n'),
  })
}

/**
 * Throws to block the call.
 * @param {Place} place
 * @param {Call} input
 * @param {{ args: unknown }} output
 */
export async function before({ folder, directory, client }, { sessionID, tool, callID }, { args }) {
  const id = await rootOf(client, sessionID)
  const subAgent = id === sessionID ? {} : { agent_id: sessionID }
  const call = { tool_name: tool, tool_input: args, tool_use_id: callID, ...subAgent }
  try {
    await report(folder, directory, { hook_event_name: 'PreToolUse', session_id: id, ...call })
  } catch (error) {
    // Its text is our own, and becomes the error of the call.
    const text = error instanceof Error ? error.message : String(error)
    shownTo(client).set(`${sessionID} ${callID}`, { error: text, text })
    throw error
  }
}

/**
 * What the model reads of failed calls, by their sessions and ids.
 * @type {WeakMap<object, Map<string, { error: string, text: string }>>}
 */
const shown = new WeakMap()

/** @param {object} client */
function shownTo(client) {
  const texts = shown.get(client) ?? new Map()
  shown.set(client, texts)
  return texts
}

/**
 * No other hook sees the error of a failed call. Before each request to the model, those that are new are inspected.
 * @param {Place} place
 * @param {{ messages?: { info?: { sessionID?: string }, parts?: { type: string, sessionID?: string, tool?: string, callID?: string, state?: { status?: string, error?: string, input?: unknown } }[] }[] }} output
 */
export async function failed({ folder, directory, client }, { messages = [] }) {
  const texts = shownTo(client)
  for (const { info, parts = [] } of messages) {
    for (const { type, sessionID = info?.sessionID, tool, callID, state } of parts) {
      if (type !== 'tool' || state?.status !== 'error' || typeof state.error !== 'string') continue
      const key = `${sessionID} ${callID}`
      const { error } = state
      const known = texts.get(key)
      if (error !== known?.error && error !== known?.text) {
        const call = { tool_name: tool, tool_input: state.input ?? {}, tool_use_id: String(callID), error }
        try {
          const id = await rootOf(client, String(sessionID))
          const event = { hook_event_name: 'PostToolUseFailure', session_id: id, ...call }
          const { text } = await report(folder, directory, event)
          texts.set(key, { error, text: typeof text === 'string' ? text : error })
        } catch (failure) {
          // Not inspected, so not shown; tried again with the next request.
          state.error = failure instanceof Error ? failure.message : String(failure)
          continue
        }
      }
      state.error = texts.get(key)?.text
    }
  }
}

/**
 * Replaces a result with prompt injection. A result that could not be inspected is left out.
 * @param {Place} place
 * @param {Call} input
 * @param {{ title?: string, output: string, metadata?: unknown, attachments?: unknown, content?: unknown, structuredContent?: unknown }} output
 */
export async function after({ folder, directory, client }, { sessionID, tool, callID, args = {} }, output) {
  // Tools of MCP servers give `content` in place of `output`.
  const { content, structuredContent } = output
  const isOfServer = content !== undefined
  const response = isOfServer ? { content, structuredContent } : output.output
  const call = { tool_name: tool, tool_input: args, tool_use_id: callID, tool_response: response }
  const show = (/** @type {string} */ text) => {
    if (isOfServer) output.content = [{ type: 'text', text }]
    else output.output = text
    delete output.structuredContent
    delete output.attachments
  }
  try {
    const id = await rootOf(client, sessionID)
    const { text } = await report(folder, directory, { hook_event_name: 'PostToolUse', session_id: id, ...call })
    if (typeof text !== 'string') return
    show(text)
  } catch (error) {
    show(error instanceof Error ? error.message : String(error))
  }
  output.title = ''
  output.metadata = {}
}

/**
 * @param {Place} place
 * @param {{ type: string, properties?: { sessionID?: string, info?: { id?: string } } }} event
 */
export async function happened({ folder, directory, client }, { type, properties = {} }) {
  const name = type === 'session.idle' ? 'Stop' : type === 'session.deleted' ? 'SessionEnd' : undefined
  const id = properties.sessionID ?? properties.info?.id
  // A sub-agent that ends does not end the turn.
  if (name === undefined || id === undefined || (await rootOf(client, id)) !== id) return
  await report(folder, directory, { hook_event_name: name, session_id: id })
}

/** An agent as programs see it. `assembly/agent.ts` has the whole of it, for the command line and the server. */
import type { Confirm } from '../agent/context.ts'
import type { Explanation } from '../agent/explain.ts'
import type { ConfigFile } from '../config/config-file.ts'
import type { AgentConfig } from '../config/schema.ts'
import type { SkillMeta } from '../context/skills.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Model } from '../model/model.ts'
import type { Memory } from '../ports/memory.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { Autonomy, Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Trace } from '../protocol/trace.ts'
import type { Scouts } from '../scout/orchestrator.ts'
import type { Tool, ToolDescription } from '../tool/tool.ts'
import type { Conversation } from './conversation.ts'
import type { AgentDecisions } from './decisions.ts'
import type { UntrustedFiles } from './identity-and-skills.ts'
import type { RunStream } from './run-stream.ts'
import type { RunOptions, RunResult } from './turns.ts'
import type { AgentWorkflows } from './workflows.ts'

/** The configuration in force. */
export interface ConfigInForce {
  /** Every setting with its value. */
  config: AgentConfig
  policy: Policy
  lang: Lang
  /** Source of every key: `default`, or the file, variable or flag. */
  sources: Record<string, string>
  warnings: string[]
  /** The files that were read. */
  files: string[]
}

/**
 * What `createAgent` takes. Everything may be left out: then the agent works in the current folder, with the
 * configuration and the model that `writ run` would use there.
 *
 * @example
 * ```ts
 * import { type AgentOptions, createAgent } from 'writ'
 *
 * const careful: AgentOptions = {
 *   model: 'rules',
 *   data: ':memory:',
 *   lang: 'en',
 *   config: { agent: { security: { autonomy: 'ReadOnly', rules: [{ tool: 'shell', decide: 'deny' }] } } },
 * }
 * await using agent = await createAgent(careful)
 * console.log(agent.config.policy.security.autonomy) // ReadOnly
 * ```
 */
export interface AgentOptions {
  /** The folder the agent works in; the current folder when absent. */
  workspace?: string
  /** The contents of an `agent.config.json`, or the path of one. The workspace's own when absent. */
  config?: ConfigFile | string
  /** The data folder with the journal; `:memory:` stores nothing. `.writ` in the workspace when absent. */
  data?: string
  /** `provider/name`, `rules`, or a model of your own. */
  model?: string | Model
  /** Address of the model server, as `agent.baseURL`. */
  baseURL?: string
  /** How much may be done without approval, as `agent.security.autonomy`. */
  autonomy?: Autonomy
  /** Language of Writ's own texts. */
  lang?: Lang
  /** Used instead of `process.env`. */
  env?: Readonly<Record<string, string | undefined>>
  /** Beside the built-in ones; a tool of the same name replaces the built-in one. */
  tools?: Tool[]
  /** Asks a person for approval. Without it, what needs approval is denied. */
  confirm?: Confirm
  /** Receives every model request as one JSON line. */
  record?: (line: string) => void
  /** Called while MCP servers are being connected to, with the names of those in progress; empty at the end. */
  onConnecting?: (servers: readonly string[]) => void
  /** Once aborted, current runs end with RUN_INTERRUPTED and can be resumed, as after a crash. */
  suspended?: AbortSignal
}

/**
 * What `createAgent` gives. Close it, or declare it with `await using`.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * const first = await agent.run('read notes.txt')
 * const second = await agent.run('list the files here', { sessionId: first.sessionId })
 * console.log(second.sessionId === first.sessionId) // true
 * const { used_tools } = await agent.trace(first.runId)
 * console.log(used_tools.file_read?.count) // 1
 * ```
 */
export interface Agent extends Conversation, AsyncDisposable {
  readonly model: Model
  /** Descriptions of all tools; executing one needs a writ. */
  readonly tools: readonly ToolDescription[]
  /** The tools a conversation may call; the others are for workflows and scouts, or switched off. */
  readonly chatTools: readonly ToolDescription[]
  readonly config: ConfigInForce
  readonly skills: readonly SkillMeta[]
  /** The local user's. Absent where long-term memory is switched off. */
  readonly memory: Memory | undefined
  readonly workflows: AgentWorkflows
  /** Batches of predicted intents, judged and executed (S2). */
  readonly decisions: AgentDecisions
  /** Scouts that are queued or running. */
  readonly scouts: Scouts
  /** Skills and MCP servers that could not be used. */
  readonly warnings: readonly string[]
  /** Problems with its identity files, which only matter to its own turns. */
  readonly identityWarnings: readonly string[]
  /** Files that were ignored because the workspace is not trusted. */
  readonly untrusted: UntrustedFiles
  /** Works on a task to its end: one turn of a conversation. */
  run(task: string, options?: RunOptions): Promise<RunResult>
  /** The same, watched: every event as it happens, and the result. */
  stream(task: string, options?: RunOptions): RunStream
  /** Resumes a run that was interrupted or waits for an approval. */
  resume(runId: string, options?: Pick<RunOptions, 'signal' | 'confirm'>): RunStream
  /** What a run did, as people read it. */
  trace(runId: string): Promise<Trace>
  /** The journal of a run, from its first event. */
  events(runId: string): Promise<StoredEvent[]>
  /** How the intent guard would classify a task; runs nothing. */
  explain(task: string, options?: { signal?: AbortSignal; lang?: Lang; principal?: Principal }): Promise<Explanation>
  /**
   * Closes the database and what was started for the agent. A run that is still going on stops with AGENT_CLOSED and can
   * be resumed by another agent on the same data folder.
   */
  close(): Promise<void>
}

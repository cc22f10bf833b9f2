/** Collects a scout's calls, readings and report from its events. */
import { isObject } from '../base/json.ts'
import type { Event } from '../protocol/event.ts'
import type { ToolRun } from './contracts.ts'
import { type Reading, textRead } from './evidence.ts'

export class Notebook {
  readonly toolRuns: ToolRun[] = []
  readonly readings: Reading[] = []
  /** Documents whose text was withheld from the scout. */
  readonly withheld: string[] = []
  /** The accepted report. */
  report: unknown
  /** Why the last report was denied. */
  misfit: string | undefined
  toolCalls = 0
  readonly #args = new Map<string, unknown>()
  readonly #blocked = new Set<string>()

  take(event: Event): void {
    if (event.type === 'tool.call') this.#args.set(event.data.callId, event.data.args)
    else if (event.type === 'injection.flagged' && event.data.verdict === 'Block') this.#blocked.add(event.data.callId)
    else if (event.type === 'run.stopped') this.toolCalls = event.data.toolCalls
    else if (event.type === 'tool.result') this.#takeResult(event.data)
  }

  #takeResult({ callId, tool, observation, denial }: Extract<Event, { type: 'tool.result' }>['data']): void {
    if (observation.code === 'SKIPPED') return
    // A withheld document was not read.
    const ok = observation.outcome === 'ok' && !this.#blocked.has(callId)
    this.toolRuns.push({ name: tool, ok, durationMs: observation.elapsedMs })
    const args = this.#args.get(callId)
    if (tool === 'report_findings') {
      this.misfit = denial?.all.includes('ARGS_INVALID') ? denial.message : undefined
      if (ok) this.report = args
    }
    if (tool !== 'read_doc') return
    const source = isObject(args) && typeof args.id === 'string' ? args.id : ''
    if (this.#blocked.has(callId)) this.withheld.push(source)
    if (ok) this.readings.push({ source, text: textRead(observation.text) })
  }
}

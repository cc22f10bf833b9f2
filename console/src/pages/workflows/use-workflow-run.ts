/** A live workflow run: node states, then the outputs. */
import { useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import type { Json } from '../../lib/paths.ts'
import type { Event, WorkflowResult } from '../../lib/wire.ts'

export type NodeStates = Readonly<Record<string, { state: string; elapsedMs?: number; error?: string | undefined }>>

export interface WorkflowRun {
  running: boolean
  states: NodeStates
  result: WorkflowResult | undefined
  error: unknown
  start(input: Json): void
  stop(): void
}

export function useWorkflowRun(name: string): WorkflowRun {
  const [running, setRunning] = useState(false)
  const [states, setStates] = useState<NodeStates>({})
  const [result, setResult] = useState<WorkflowResult>()
  const [error, setError] = useState<unknown>()
  const stopper = useRef<AbortController>(undefined)

  async function start(input: Json) {
    const control = new AbortController()
    stopper.current = control
    setRunning(true)
    setStates({})
    setResult(undefined)
    setError(undefined)
    try {
      const request = { params: { name }, body: { input }, signal: control.signal }
      for await (const { event, data } of api.stream('POST /api/workflows/:name/run', request)) {
        if (event === 'result') {
          const ended = data as WorkflowResult
          setResult(ended)
          setStates(ended.nodes)
        } else setStates((now) => statesAfter(now, data as Event))
      }
    } catch (problem) {
      if (!control.signal.aborted) setError(problem)
    } finally {
      setRunning(false)
    }
  }
  return { running, states, result, error, start: (input) => void start(input), stop: () => stopper.current?.abort() }
}

export function statesAfter(states: NodeStates, event: Event): NodeStates {
  if (event.type === 'node.started') return { ...states, [event.data.node]: { state: 'running' } }
  if (event.type !== 'node.finished') return states
  const { node, ok, state = ok ? 'done' : 'failed', elapsedMs, message } = event.data
  return { ...states, [node]: { state, elapsedMs, ...(message ? { error: message } : {}) } }
}

import type { Model } from './model.ts'

/** The same model; `sink` gets one JSON line before every attempt. */
export function recordRequests(model: Model, sink: (line: string) => void): Model {
  return {
    ...model,
    ask(request, signal) {
      const { purpose, temperature, system, messages } = request
      const tools = (request.tools ?? []).map(({ name, description, schema }) => ({ name, description, schema }))
      const named = model.standsFor ?? model.id
      sink(JSON.stringify({ purpose, model: named, temperature, system, messages, tools }))
      return model.ask(request, signal)
    },
  }
}

/** Exports traces of finished runs over OTLP. They are built from the journal, so runs are not slowed down. */
import type { Span, Tracer } from '@opentelemetry/api'
import { messageOf } from '../base/errors.ts'
import type { Env } from '../config/places.ts'
import type { Store } from '../journal/store.ts'
import { type SpanData, spanOf } from './genai.ts'
import type { Log } from './log.ts'

export interface Telemetry {
  /** Exports the run and its child runs if it has ended. */
  record(runId: string): void
  close(): Promise<void>
}

/** Undefined unless OTEL_EXPORTER_OTLP_ENDPOINT is set; the packages are loaded only then. */
export async function openTelemetry(deps: { env: Env; store: Store; log: Log }): Promise<Telemetry | undefined> {
  const { env, store, log } = deps
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined || endpoint === '') return undefined
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, { BatchSpanProcessor, TracerProvider }, resources, otlp] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
  const exporter = new otlp.OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: headersIn(env),
  })
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME || 'writ' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer: Tracer = provider.getTracer('writ')

  function send(data: SpanData, parent: Span | undefined): Span {
    const under = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent)
    const kind = data.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL
    const span = tracer.startSpan(data.name, { kind, startTime: data.start, attributes: data.attributes }, under)
    if (data.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: data.error })
    for (const child of data.children) send(child, span)
    span.end(data.end)
    return span
  }
  async function sendRun(runId: string, parent?: Span): Promise<void> {
    const events = await store.readRun(runId)
    const data = spanOf(events)
    const [first] = events
    if (data === undefined || first === undefined) return
    const span = send(data, parent)
    for (const child of await store.listRuns({ sessionId: first.sessionId, parentRunId: runId })) {
      await sendRun(child.runId, span)
    }
  }
  const pending = new Set<Promise<void>>()
  return {
    record(runId) {
      const sending = sendRun(runId)
        .catch((error: unknown) => log('warn', 'telemetry.failed', { runId, error: messageOf(error) }))
        .finally(() => pending.delete(sending))
      pending.add(sending)
    },
    async close() {
      await Promise.all(pending)
      await provider.shutdown().catch((error: unknown) => log('warn', 'telemetry.failed', { error: messageOf(error) }))
    },
  }
}

/** `name=value,name=value`, the format of OpenTelemetry. */
function headersIn({ OTEL_EXPORTER_OTLP_HEADERS: text = '' }: Env): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const [name = '', value] = pair.split('=', 2)
    return value === undefined ? [] : [[name.trim(), decodeURIComponent(value.trim())] as const]
  })
  return Object.fromEntries(pairs)
}

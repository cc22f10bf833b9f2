/** S3 §10: each step with tool, shortened arguments, observation and elapsed time. */
import { resultWords } from '../../../../runtime/src/i18n/result-words.ts'
import { useLanguage, useTexts } from '../../i18n/texts.tsx'
import { formatMs, pretty, summarise } from '../../lib/format.ts'
import type { EventOf, RunView, StoredEvent } from '../../lib/wire.ts'
import { Named } from '../../parts/badge.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { findingsIn, Highlighted, Shown } from '../../parts/text.tsx'
import { EarlierButton } from './earlier-button.tsx'
import { NodeList } from './node-list.tsx'
import { useCalls } from './use-calls.ts'

type Flag = EventOf<'injection.flagged'>['data']

export function Timeline({ view, events }: { view: RunView; events: readonly StoredEvent[] }) {
  const { texts: all, lang } = useLanguage()
  const texts = all.run
  const { calls, ...earlier } = useCalls(view)
  const results = new Map(events.flatMap((event) => (event.type === 'tool.result' ? [[event.seq, event.data]] : [])))
  const flags = new Map<string, Flag>(
    events.flatMap((event) => (event.type === 'injection.flagged' ? [[event.data.callId, event.data]] : [])),
  )
  if (events.some(({ type }) => type === 'node.started')) return <NodeList events={events} />
  const longest = calls.reduce((most, { entry }) => Math.max(most, entry.elapsed_ms), 1)
  if (calls.length === 0) return <Empty title={texts.noCalls}>{<p>{texts.noCallsHint}</p>}</Empty>
  const table = (
    <Table cards label={texts.timeline} head={[texts.step, texts.tool, texts.args, texts.observation, texts.elapsed]}>
      {calls.map(({ entry, result: seq = 0 }) => {
        const result = results.get(seq)
        const flag = result === undefined ? undefined : flags.get(result.callId)
        return (
          <tr key={entry.step}>
            <td className="num" data-label={texts.step}>
              {entry.step}
            </td>
            <td data-label={texts.tool}>
              <code>
                <Shown text={entry.action.tool} />
              </code>
            </td>
            <td className="trace-args" data-label={texts.args}>
              <details>
                <summary className="mono small">{summarise(entry.action.args, 90)}</summary>
                <pre className="mono small">
                  <Shown text={pretty(entry.action.args)} />
                </pre>
              </details>
            </td>
            <td className="trace-seen">
              <div className="stack tight">
                {entry.error !== undefined && <Named code={entry.error} tone="deny" />}
                {flag !== undefined && <FlagNote flag={flag} />}
                <Observed text={result?.observation.text ?? resultWords(entry.observation, lang)} flag={flag} />
              </div>
            </td>
            <td className="num nowrap" data-label={texts.elapsed}>
              {formatMs(entry.elapsed_ms)}
              <span className="bar" style={{ width: `${Math.max(2, (entry.elapsed_ms / longest) * 100)}%` }} />
            </td>
          </tr>
        )
      })}
    </Table>
  )
  return (
    <>
      <EarlierButton {...earlier} />
      {table}
      {(view.trace.context ?? []).map((cut, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a trace only grows at its end
        <ContextNote key={i} cut={cut} />
      ))}
    </>
  )
}

/** How the prompt was made to fit; a summary can be opened. */
function ContextNote({ cut }: { cut: NonNullable<RunView['trace']['context']>[number] }) {
  const { run: texts } = useTexts()
  const line = texts.context[cut.kind]({ after: cut.after, from: cut.tokens.from ?? 0, to: cut.tokens.to })
  if (cut.text === undefined || cut.text === '') return <p className="muted small">{line}</p>
  return (
    <details className="small">
      <summary>{line}</summary>
      <div className="observed long">
        <Shown text={cut.text} />
      </div>
    </details>
  )
}

function FlagNote({ flag }: { flag: Flag }) {
  const { card } = useTexts()
  return (
    <p className="row small">
      <Named code={flag.verdict} tone={flag.verdict === 'Block' ? 'deny' : 'ask'} />
      {card.flagged} {flag.findings.map(({ rule, at }) => `${rule} @${at}`).join(', ')}
    </p>
  )
}

const SHORT = 240

function Observed({ text, flag }: { text: string; flag: Flag | undefined }) {
  const { common } = useTexts()
  const findings = findingsIn(flag)
  if (text.length <= SHORT) {
    return (
      <span className="observed">
        <Highlighted text={text} findings={findings} />
      </span>
    )
  }
  return (
    <details open={findings.length > 0}>
      <summary className="observed">
        <Shown text={text.slice(0, SHORT)} />…{' '}
        <span className="muted small">{common.characters({ count: text.length })}</span>
      </summary>
      <div className="observed long">
        <Highlighted text={text} findings={findings} />
      </div>
    </details>
  )
}

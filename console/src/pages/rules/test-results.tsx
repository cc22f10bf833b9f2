import { useTexts } from '../../i18n/texts.tsx'
import type { RulesTested, TestedVerdict } from '../../lib/wire.ts'
import { Named, type Tone, VerdictBadge } from '../../parts/badge.tsx'
import { Table } from '../../parts/table.tsx'
import { Shown } from '../../parts/text.tsx'

const TONES: Readonly<Record<RulesTested['examples'][number]['outcome'], Tone>> = {
  ok: 'allow',
  failed: 'deny',
  skipped: '',
}

export function TestResults({ result }: { result: RulesTested }) {
  const { rules: texts } = useTexts()
  const { problems, examples, calls, notes } = result
  const failed = examples.filter(({ outcome }) => outcome === 'failed').length
  if (problems.length > 0) {
    return (
      <div className="problem" role="alert">
        <strong>{texts.invalid}</strong>
        {problems.map(({ path, message }) => (
          <div key={`${path} ${message}`} className="small">
            <code>{path}</code> {message}
          </div>
        ))}
      </div>
    )
  }
  return (
    <>
      <p className={`note ${failed === 0 ? 'allow' : 'ask'}`}>{texts.tested({ examples: examples.length, failed })}</p>
      {notes.map((note) => (
        <p key={note} className="note ask">
          <Shown text={note} />
        </p>
      ))}
      {examples.length > 0 && (
        <Table label={texts.examples} head={[texts.result, texts.rules, texts.example]}>
          {examples.map(({ rule, example, expected, outcome, instead, unclear }) => (
            <tr key={`${rule} ${expected} ${spell(example)}`}>
              <td>
                <span className={`badge ${TONES[outcome]}`}>{texts.outcomes[outcome]}</span>
              </td>
              <td className="num">{rule + 1}</td>
              <td>
                <span className="small muted">{expected === 'match' ? texts.match : texts.noMatch}</span>
                <div className="mono small">
                  <Shown text={spell(example)} />
                </div>
                {instead !== undefined && <div className="small">{texts.instead({ rule: instead })}</div>}
                {unclear !== undefined && <div className="small">{unclear}</div>}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {calls.length > 0 && (
        <Table label={texts.calls} head={[texts.call, texts.now, texts.withDraft]}>
          {calls.map(({ call, now, draft }) => (
            <tr key={spell(call)} data-differs={now.decision !== draft.decision}>
              <td className="mono small">
                <Shown text={spell(call)} />
              </td>
              <td>
                <Verdict verdict={now} />
              </td>
              <td>
                <Verdict verdict={draft} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}

function spell(call: RulesTested['calls'][number]['call']): string {
  return typeof call === 'string' ? call : `${call.tool} ${JSON.stringify(call.args)}`
}

function Verdict({ verdict: { decision, reason, rule } }: { verdict: TestedVerdict }) {
  return (
    <div className="stack tight">
      <div className="row">
        <VerdictBadge decision={decision} />
        {reason !== undefined && <Named code={reason} />}
      </div>
      {rule !== undefined && (
        <span className="small muted">
          <Shown text={rule.from} />
        </span>
      )}
    </div>
  )
}
